#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads every #include of the tree and fails on what breaks the layering rules of ARCHITECTURE.md.

Rules: a file includes its own folder and lower layers; no two folders, at any depth, include each
other; a package is seen only in its place; no header shows gRPC, Protobuf, Eigen or oneDNN; what is
named after a family of ops has a name of graph/ops/families.txt; a file over 600 lines says why; no
class is named after a pattern; the runtime tests no op's name (op_names_test.py).

    layering_test.py [ROOT]    checks itself on a temporary tree, then ROOT (the repository)
"""

import os
import re
import sys
import tempfile

import op_names_test

LAYERS = {
    "proto": 0,
    "core": 1,
    "graph": 2, "kernels": 2, "transport": 2,
    "master": 3, "worker_service": 3,
    "server": 4,
    "client": 5,
    "python_client": 6, "bench": 6, "examples": 6,
    "tests": 7,
}  # fmt: skip

# Of the lower layers python_client uses only these.
PYTHON_CLIENT_SEES = {"python_client", "client", "server", "core"}

# Pairs of folders that include each other. The list only shrinks: a pair that is gone must go here.
MUTUAL = set()

# Package, includes that belong to it, files that may use it. tests/ and bench/ may use any.
PACKAGES = [
    # events.h and stream_server.h show gRPC's types; only these folders include them.
    ("gRPC",
     r"(grpcpp|grpc|grpc\+\+)/|.*\.grpc\.pb\.h$|transport/(grpc/events|backends/grpc/stream_server)\.h$",
     r"(transport/(grpc|rpc|backends/grpc)/[^/]+\.cc|transport/grpc/events\.h"
     r"|transport/backends/grpc/stream_server\.h|tests/transport/[^/]+)$"),
    ("Protobuf", r"google/protobuf/|.*\.pb\.h$", r".*\.cc$"),
    ("Eigen", r"(unsupported/)?Eigen/",
     r"kernels/cpu/linalg/([^/]+\.cc|jacobi_svd\.h)$|kernels/cuda/.+\.(cc|cu)$"),
    ("oneDNN", r"(oneapi/dnnl/)?dnnl[^/]*\.(h|hpp)$", r"kernels/cpu/(common|nn/conv)/[^/]+\.cc$"),
    ("CUDA", r"(cuda\w*|cublas\w*|cudnn\w*|nccl|driver_types)\.h$|(cub|thrust)/",
     r"kernels/cuda/|core/device/cuda[^/]*$"),
    ("OpenSSL", r"openssl/", r"transport/backends/tcp/[^/]+\.cc$"),
    ("ICU", r"unicode/", r"kernels/any/strings/[^/]+\.cc$"),
    ("libjpeg", r"j(peglib|error|config|morecfg)\.h$", r"kernels/common/image/jpeg[^/]*$"),
    ("libpng", r"png(conf|libconf)?\.h$", r"kernels/common/image/png\.cc$"),
    ("giflib", r"gif_lib\.h$", r"kernels/common/image/gif\.cc$"),
    ("SQLite", r"sqlite3(ext)?\.h$", r"kernels/any/dataset/sql\.cc$"),
    ("libibverbs", r"infiniband/|rdma/", r"transport/backends/rdma/"),
    ("pybind11", r"pybind11/", r"python_client/"),
    ("nlohmann-json", r"nlohmann/", r"server/[^/]+\.cc$"),
    ("CLI11", r"CLI/", r"server/command_line\.cc$"),
    ("GoogleTest", r"(gtest|gmock)/", r"tests/"),
    ("Google Benchmark", r"benchmark/", r"bench/"),
    ("Gloo", r"gloo/", r"bench/collectives/gloo[^/]*\.cc$"),
    ("MPI", r"mpi\.h$", r"bench/collectives/mpi[^/]*\.cc$"),
]  # fmt: skip
MAY_USE_ANY = ("tests/", "bench/")

# In kernels/, folders include lower ones: common/, common/<family>/, <device>/common/,
# <device>/<family>/.
KERNEL_FOLDER = re.compile(r"kernels/(\w+)(?:/(\w+))?$")

# Files named after a family: a folder, the suffix of its names, names that are not families.
NAMED_AFTER_FAMILIES = [
    ("graph/ops", ".ops", ()),
    ("graph/shapes", ".cc",
     ("input_patterns", "known_ints", "rules", "shape_inference", "strided_slice")),
    ("graph/gradients", ".cc", ("gradients", "loop", "node_gradient", "none", "split_body")),
]  # fmt: skip

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.DOTALL)
CPP_CLASS = re.compile(
    r"\b(?:class|struct|union|enum)\s+(?:class\s+|struct\s+)?"
    r"(?:\[\[[^\]]*\]\]\s*|[A-Z][A-Z_]+(?:\([^)]*\))?\s+)*"
    r"(\w+(?:::\w+)*)\s*(?:final\s*)?[:{](?!:)"
)
PYTHON_CLASS = re.compile(r"^\s*class\s+(\w+)", re.MULTILINE)
BAD_ENDING = re.compile(r"(Manager|Mgr|Env|Wrapper|Helper|Helpers|Util|Utils|Base|Impl|Interface)$")
# Names of TensorFlow, and the folder whose public classes have its names.
PUBLIC_NAMES = ("CheckpointManager", "Wrapper")
CONTRIB = "python_client/sluice/contrib_parts/"
LONG = 600


def without_comments(text):
    """Blanks comments and keeps lines; strings are kept, so that a // inside one is no comment."""
    return COMMENT.sub(lambda m: m.group(1) or re.sub(r"[^\n]", " ", m.group(0)), text)


def source_files(root):
    for folder, subfolders, names in os.walk(root):
        top = folder == root
        skipped = {"__pycache__", "build", "build-bundle"} if top else {"__pycache__"}
        subfolders[:] = sorted(s for s in subfolders if s[0] != "." and s not in skipped)
        for name in sorted(names):
            if name.endswith((".h", ".cc", ".cu", ".cuh", ".py")):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check_layer(path, target, quoted, root):
    """One line on what is wrong with the file including target, or None."""
    own = path.split("/")[0]
    other = target.split("/")[0]
    if own not in LAYERS:
        return None
    if other in LAYERS and "/" in target:
        if other == own:
            return None
        if LAYERS[other] > LAYERS[own]:
            return f"{own}/ is below {other}/: upward include"
        if LAYERS[other] == LAYERS[own]:
            return f"{own}/ and {other}/ are siblings: sideways include"
        if own == "python_client" and other not in PYTHON_CLIENT_SEES:
            return f"python_client/ goes through client/ and server/, not {other}/"
        return None
    beside = os.path.join(root, os.path.dirname(path), target)
    if quoted and (target.startswith(".") or os.path.exists(beside)):
        return "write the path from the repository's root"
    return None


def check_kernel_folders(path, target):
    """One line on a file of kernels/ that includes another folder of it which is not below."""
    own = KERNEL_FOLDER.match(os.path.dirname(path))
    other = KERNEL_FOLDER.match(os.path.dirname(target))
    if not own or not other or own.group() == other.group():
        return None
    (device, family), to_device = own.groups(), other.group(1)
    if device == to_device == "common" and other.group(2) is None:
        return None  # kernels/common/<family>/ is above kernels/common/
    if device == "common":
        return "kernels/common/ is below the devices: upward include"
    if to_device == "common":
        return None
    if to_device == "any" and path.endswith("/register.cc") and target.endswith("/register.h"):
        return None  # a device enters the kernels that work for all devices
    if device != to_device:
        return f"kernels/{device}/ and kernels/{to_device}/ are siblings: sideways include"
    if family == "common":
        return f"kernels/{device}/common/ is below the families: upward include"
    return None


def families_of(root):
    path = os.path.join(root, "graph/ops/families.txt")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return {line.split()[0] for line in f if line.strip() and not line.startswith("#")}


def check_families(root):
    """Complaints about files and folders that are named after no family of ops."""
    families = families_of(root)
    if families is None:
        return
    for folder, ending, others in NAMED_AFTER_FAMILIES:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            stem = name.removesuffix(ending)
            fits = any(stem == family or stem.startswith(family + "_") for family in families)
            if name.endswith(ending) and not fits and stem not in others:
                yield f"{folder}/{name}:1: no family of graph/ops/families.txt"
    kernels = os.path.join(root, "kernels")
    for device in sorted(os.listdir(kernels)):
        if device == "common" or not os.path.isdir(os.path.join(kernels, device)):
            continue
        for name in sorted(os.listdir(os.path.join(kernels, device))):
            if not os.path.isdir(os.path.join(kernels, device, name)):
                continue  # a file that lists the folders
            if name not in families and name != "common":
                for file in sorted(os.listdir(os.path.join(kernels, device, name))):
                    yield f"kernels/{device}/{name}/{file}:1: no family of graph/ops/families.txt"


def check_packages(path, target):
    if path.startswith(MAY_USE_ANY) or path.split("/")[0] not in LAYERS:
        return
    for package, pattern, allowed in PACKAGES:
        if re.match(pattern, target):
            if not re.match(allowed, path):
                where = "a header" if path.endswith(".h") else "this folder"
                yield f"{package} must not be seen in {where}"
            return


def check_file(root, path):
    """Complaints about one file, each `path:line: text`."""
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    lines = text.count("\n") + 1
    if lines > LONG and "Long because:" not in "\n".join(text.split("\n")[:20]):
        yield f'{path}:1: {lines} lines and no "Long because: ..." in its first 20'
    if path.endswith(".py"):
        classes = PYTHON_CLASS
    else:
        text = without_comments(text)
        classes = CPP_CLASS
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            target = match.group(2)
            complaint = check_layer(path, target, match.group(1) == '"', root)
            complaint = complaint or check_kernel_folders(path, target)
            if complaint:
                yield f'{path}:{line}: "{target}": {complaint}'
            for complaint in check_packages(path, target):
                yield f'{path}:{line}: "{target}": {complaint}'
    for match in classes.finditer(text):
        name = match.group(1)
        is_public = name in PUBLIC_NAMES or (path.startswith(CONTRIB) and name[0] != "_")
        if BAD_ENDING.search(name) and not is_public:
            line = text.count("\n", 0, match.start(1)) + 1
            yield f"{path}:{line}: class {name}: name the thing, not the pattern"


def included_folders(root, path):
    """(folder, line) of every include of the tree, the file's own folder left out."""
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = without_comments(f.read())
    for match in INCLUDE.finditer(text):
        folder = os.path.dirname(match.group(2))
        if folder.split("/")[0] in LAYERS and folder != os.path.dirname(path):
            yield folder, text.count("\n", 0, match.start(2)) + 1


def check_pairs(root, paths, known=()):
    """One line for each pair of folders that include each other, and for each known one that does
    not."""
    where = {}  # (folder, folder that it includes) -> where it does so first
    for path in paths:
        if not path.endswith(".py"):
            for folder, line in included_folders(root, path):
                where.setdefault((os.path.dirname(path), folder), f"{path}:{line}")
    pairs = {pair for pair in where if pair[::-1] in where and pair[0] < pair[1]}
    for a, b in sorted(pairs - set(known)):
        yield f"{where[a, b]}: {a}/ and {b}/ include each other ({where[b, a]})"
    for a, b in sorted(set(known) - pairs):
        yield f"{a}/ and {b}/ include each other no more: take them out of MUTUAL"


def check_tree(root, mutual=()):
    """All complaints and the number of files read."""
    paths = list(source_files(root))
    complaints = [complaint for path in paths for complaint in check_file(root, path)]
    complaints.extend(check_pairs(root, paths, mutual))
    return complaints + list(check_families(root)), len(paths)


# Each: a file, its text, and a part of the one complaint expected (None: it is fine).
SELF_TEST = [
    ("core/ok.h", '#include "core/tensor/tensor.h"\n#include <list>\n#include "proto/x.h"\n', None),
    ("core/up.cc", '#include "graph/graph.h"\n', "upward"),
    ("graph/side.cc", '  #  include "kernels/k.h"\n', "sideways"),
    ("master/side.cc", '#include <worker_service/w.h>\n', "sideways"),
    ("kernels/down.cc", '#include "core/k.h"\n#include "proto/x.pb.h"\n', None),
    ("python_client/deep.cc", '#include "graph/graph.h"\n', "python_client/ goes through"),
    ("python_client/ok.cc", '#include "client/session.h"\n#include <pybind11/numpy.h>\n', None),
    ("core/relative.cc", '#include "./tensor.h"\n', "repository's root"),
    ("core/beside.cc", '#include "ok.h"\n', "repository's root"),
    ("core/comment.cc", '// #include "graph/graph.h"\n/* \n#include "graph/graph.h"\n*/\n', None),
    ("core/grpc.cc", "#include <grpcpp/grpcpp.h>\n", "gRPC must"),
    ("transport/grpc/a.cc", '#include <grpcpp/grpcpp.h>\n#include "proto/m.grpc.pb.h"\n', None),
    ("transport/grpc/a.h", "#include <grpcpp/grpcpp.h>\n", "gRPC must not be seen in a header"),
    ("core/eigen.cc", "#include <Eigen/Core>\n", "Eigen must"),
    ("kernels/any/state/eigen.cc", "#include <unsupported/Eigen/CXX11/Tensor>\n", "Eigen must"),
    ("kernels/cpu/linalg/eigen.h", "#include <Eigen/Core>\n", "Eigen must"),
    ("kernels/cpu/linalg/eigen.cc", "#include <Eigen/Core>\n", None),
    ("kernels/cpu/math/eigen.cc", "#include <Eigen/Core>\n", "Eigen must"),
    ("kernels/cpu/nn/conv/dnnl.cc", "#include <dnnl.hpp>\n", None),
    ("kernels/cuda/nn/eigen.cu", "#include <Eigen/Core>\n#include <cuda_runtime.h>\n", None),
    ("kernels/cpu/nn/cuda.cc", "#include <cuda_runtime.h>\n", "CUDA must"),
    ("kernels/any/state/dnnl.cc", "#include <oneapi/dnnl/dnnl.hpp>\n", "oneDNN must"),
    ("kernels/common/image/png.cc", "#include <png.h>\n", None),
    ("kernels/cpu/math/png.cc", "#include <png.h>\n", "libpng must"),
    ("kernels/common/up.cc", '#include "kernels/cpu/math/a.h"\n', "below the devices"),
    ("kernels/common/nn/down.cc", '#include "kernels/common/a.h"\n', None),
    ("kernels/common/nn/up.cc", '#include "kernels/cpu/common/a.h"\n', "below the devices"),
    ("kernels/cpu/common/up.cc", '#include "kernels/cpu/nn/a.h"\n', "below the families"),
    ("kernels/any/state/side.cc", '#include "kernels/cpu/math/a.h"\n', "are siblings"),
    ("kernels/cuda/math/down.cc", '#include "kernels/common/a.h"\n', None),
    ("kernels/cuda/math/beside.cc", '#include "kernels/cuda/nn/a.h"\n', None),
    ("kernels/any/sundry/a.cc", "\n", "no family"),
    ("graph/ops/families.txt", "io x\nlinalg x\nlist x\nmath  x\nnn x\nstate x\n", None),
    ("graph/ops/math.ops", "\n", None),
    ("graph/ops/sundry.ops", "\n", "no family"),
    ("graph/shapes/math_more.cc", "\n", None),
    ("graph/shapes/sundry.cc", "\n", "no family"),
    ("graph/gradients/split_body.cc", "\n", None),
    ("core/pb.h", '#include "proto/tensor.pb.h"\n', "Protobuf must not be seen in a header"),
    ("core/message.h", "#include <google/protobuf/message.h>\n", "Protobuf must"),
    ("transport/grpc/verbs.cc", "#include <infiniband/verbs.h>\n", "libibverbs must"),
    ("client/py.cc", "#include <pybind11/pybind11.h>\n", "pybind11 must"),
    ("core/json.cc", "#include <nlohmann/json.hpp>\n", "nlohmann-json must"),
    ("core/gtest.cc", "#include <gtest/gtest.h>\n", "GoogleTest must"),
    ("tests/core/any_test.cc", "#include <gtest/gtest.h>\n#include <grpcpp/grpcpp.h>\n", None),
    ("core/long.cc", "int x;\n" * 700, "Long because"),
    ("core/long_said.cc", "// Long because: one table.\n" + "int x;\n" * 700, None),
    ("core/name.h", "class ABSL_LOCKABLE StepManager final : public Step {};\n", "StepManager"),
    ("core/name_impl.cc", "struct ReaderImpl {\n", "ReaderImpl"),
    ("core/name_enum.cc", "enum class KindBase : int {};\n", "KindBase"),
    ("core/name_ok.cc", "class Manager; struct Database {}; template <class HelperT> f();\n", None),
    ("tests/python/name.py", "class SessionWrapper(object):\n  pass\n", "SessionWrapper"),
    ("build/core/up.cc", '#include "graph/graph.h"\n', None),
    ("graph/a/x.cc", '#include "graph/b/y.h"\n', "graph/a/ and graph/b/ include each other"),
    ("graph/b/y.h", '#include "graph/a/x.h"\n', None),
    ("server/a/x.cc", '#include "server/x.h"\n', None),
    ("server/x.cc", '#include "server/a/x.h"\n', "server/ and server/a/ include each other"),
    ("server/b/x.cc", '#include "server/a/x.h"\n', None),
]  # fmt: skip


def self_test():
    """Complaints about this script: what it missed or made up."""
    wrong = []
    with tempfile.TemporaryDirectory() as root:
        for path, text, _ in SELF_TEST:
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        found = {}
        for complaint in check_tree(root)[0]:
            found.setdefault(complaint.split(":")[0], []).append(complaint)
    for path, _, expected in SELF_TEST:
        got = found.get(path, [])
        if expected is None and got:
            wrong.append(f"self test: {path} is fine, but: {got}")
        if expected is not None and not (len(got) == 1 and expected in got[0]):
            wrong.append(f'self test: {path}: expected one complaint with "{expected}": {got}')
    return wrong


def main(arguments):
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    wrong = self_test()
    root = arguments[1] if len(arguments) > 1 else here
    complaints, count = check_tree(root, MUTUAL)
    wrong += op_names_test.self_test(op_names_test.op_names(root))
    complaints += op_names_test.check_tree(root)[0]
    for line in wrong + complaints:
        print(line)
    print(f"{count} files read")
    checked = len(SELF_TEST) + len(op_names_test.SELF_TEST)
    passed = checked - len(wrong) + (not complaints)
    print(f"{passed} passed, {len(wrong) + len(complaints)} failed")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
