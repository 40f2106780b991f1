# SPDX-License-Identifier: Apache-2.0
"""Writes the counts in the section "Status and limits" of README.md, between its two markers.

    python3 docs/make_status.py build/sluice-server            writes them
    python3 docs/make_status.py build/sluice-server --check    fails if they are out of date

The server prints its ops and options; graph/ops/*.ops says which family an op belongs to.
"""

import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "README.md")
BEGIN = "<!-- Written by docs/make_status.py; a test compares. -->\n"
END = "<!-- End of the counts. -->\n"
LARGEST = 8  # families without kernels that the table names


def printed_by(server, option):
    return subprocess.run([server, option], stdout=subprocess.PIPE, check=True).stdout.decode()


def kernels_by_op(server):
    """{op: set of device types that have a kernel for it}."""
    ops = {}
    for line in printed_by(server, "--list_ops").splitlines():
        name, kernels = line.split("\t")
        found = [] if kernels == "no kernel" else kernels.split("; ")
        ops[name] = {kernel.split()[0] for kernel in found}
    return ops


def family_of_op():
    families = {}
    for path in glob.glob(os.path.join(ROOT, "graph", "ops", "*.ops")):
        with open(path) as file:
            for name in re.findall(r"^op (\w+)", file.read(), re.M):
                families[name] = os.path.basename(path)[: -len(".ops")]
    return families


def refused_families(ops):
    """The families with the most ops that no device runs: "dataset (67), lookup (23)"."""
    families = family_of_op()
    counts = collections.Counter(families[op] for op, devices in ops.items() if not devices)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{family} ({count})" for family, count in ordered[:LARGEST]]
    rest = sum(count for _, count in ordered[LARGEST:])
    return ", ".join(named) + (f", others ({rest})" if rest else "")


def table(server):
    ops = kernels_by_op(server)
    devices = sorted(set().union(*ops.values()))
    fates = re.findall(r"^\| `[^`]+` \| (\w+) \|", printed_by(server, "--list_options"), re.M)
    fate = collections.Counter(fates)
    version = printed_by(server, "--version").split()[-1]
    rows = [("version", version), ("ops that a graph can hold", len(ops))]
    for device in devices:
        rows.append(
            (f"ops with a {device} kernel", sum(device in found for found in ops.values()))
        )
    refused = sum(not found for found in ops.values())
    rows += [
        ("ops without a kernel: a step that needs one fails with UNIMPLEMENTED", refused),
        ("families of the ops without a kernel", refused_families(ops)),
        ("`ConfigProto` and `RunOptions` fields applied", fate["applied"]),
        ("fields accepted and ignored", fate["ignored"]),
        ("fields refused: the call fails and names the field", fate["refused"]),
    ]
    lines = ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
    return "\n".join(lines) + "\n"


def main(server, option=None):
    with open(PAGE) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    counts, after = rest.split(END)
    made = table(server)
    if option == "--check":
        if "GPU kernel" not in made:
            print("not compared: the build has no CUDA, and the page counts kernels for GPUs")
            return
        if counts != made:
            print(made)
            sys.exit("README.md is out of date: python3 docs/make_status.py build/sluice-server")
        return
    with open(PAGE, "w") as file:
        file.write(before + BEGIN + made + END + after)


if __name__ == "__main__":
    main(*sys.argv[1:])
