#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on tests of op names in the runtime: special behaviour is a trait in the op's .ops block.

Kernels, shape functions and gradients may ask for the name of their own op; rewrites may name the
ops of the nodes that they create. Anything else is a complaint:

* a string literal that is the name of an op, except in a call that creates nodes;
* a comparison, prefix, suffix or substring test of an expression called `op`.

    op_names_test.py [ROOT]    checks itself, then ROOT; layering_test.py runs it, too
"""

import os
import re
import sys

FOLDERS = ("core", "graph", "transport", "master", "worker_service", "server", "client")
# Their op names are data: one function or row for each op.
OP_DATA = ("graph/ops/", "graph/shapes/", "graph/gradients/")
# In op data, a function may ask which of its ops it stands for, and nothing else.
OWN_OP = re.compile(r"\b[gc]\.node\.op\(\)|(?<![\w.>])op\b")

CREATING = {"Add", "AddNode", "AddEnd", "Op", "Ops", "Replace", "node", "op", "require"}
# (file, text of the line): the reason. Empty, and may stay so.
ALLOWED = {}

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.DOTALL)
OP = r"(?:\bop\(\)|\bop(?:_name)?\b|\btype_string\(\))"
COMPARED = re.compile(OP + r'\s*[!=]=\s*"|"\s*[!=]=\s*[\w.>-]*' + OP)
SEARCHED = re.compile(
    r"\b(?:StartsWith|EndsWith|StrContains|ConsumePrefix|ConsumeSuffix)\(&?[\w.>-]*"
    + OP
    + r"\s*,|"
    + OP
    + r"\.(?:starts_with|ends_with|contains|find|rfind)\("
)


def op_names(root):
    folder = os.path.join(root, "graph", "ops")
    names = set()
    for file in os.listdir(folder):
        if file.endswith(".ops"):
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                names.update(re.findall(r"^op (\w+)", f.read(), re.MULTILINE))
    return names


def caller(text, at):
    """The name of the function whose argument list holds `at`; "" if there is no call."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if text[i] in ")]}":
            depth += 1
        elif text[i] in "([{":
            if depth == 0:
                name = re.search(r"(\w+)$", text[:i])
                return name.group(1) if name and text[i] == "(" else ""
            depth -= 1
    return ""


def check_text(path, text, names):
    """Complaints about one file, each `path:line: text`."""
    text = COMMENT.sub(lambda m: m.group(1) or re.sub(r"[^\n]", " ", m.group(0)), text)
    found = set()
    own_data = path.startswith(OP_DATA)
    for pattern in (COMPARED, SEARCHED):
        for match in pattern.finditer(text):
            begin = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            if not (own_data and OWN_OP.search(text[begin:end])):
                found.add(match.start())
    if not own_data:
        for match in STRING.finditer(text):
            name = match.group(1)
            if name in names:
                if caller(text, match.start()) not in CREATING:
                    found.add(match.start())
    complaints = {}
    for at in sorted(found):
        line = text.count("\n", 0, at) + 1
        words = text.split("\n")[line - 1].strip()
        if (path, words) not in ALLOWED:
            complaints[line] = f"{path}:{line}: a test on the name of an op, not a trait: {words}"
    return list(complaints.values())


def check_tree(root):
    """All complaints and the number of files read."""
    names = op_names(root)
    complaints, count = [], 0
    for top in FOLDERS:
        for folder, _, files in sorted(os.walk(os.path.join(root, top))):
            for file in sorted(files):
                if file.endswith((".h", ".cc", ".cu")):
                    path = os.path.relpath(os.path.join(folder, file), root).replace(os.sep, "/")
                    with open(os.path.join(root, path), encoding="utf-8") as f:
                        complaints += check_text(path, f.read(), names)
                    count += 1
    return complaints, count


# Each: a file, its text, and whether it is fine.
SELF_TEST = [
    ("graph/a.cc", 'if (node->op() == "Const") f();', False),
    ("graph/a.cc", 'if ("Const" != op) f();', False),
    ("graph/a.cc", 'if (absl::StartsWith(op, "Random")) f();', False),
    ("graph/a.cc", 'if (absl::StrContains(node.op(), "Dataset")) f();', False),
    ("graph/a.cc", 'if (node.op.ends_with("V2")) f();', False),
    ("graph/a.cc", 'static auto& ops = *new flat_hash_set<string_view>{"If", "While"};', False),
    ("graph/a.cc", '{"Switch", NodeKind::kSwitch},', False),
    ("graph/a.cc", '// if (node->op() == "Const")', True),
    ("graph/a.cc", 'SLUICE_ASSIGN(Node * n, Add(node, "x", "Identity", {Output{t, 0}}));', True),
    ("graph/a.cc", 'Add(Host(a, b) ? "_HostSend" : "_Send", name);', True),
    ("graph/a.cc", 'AddNode(graph, "NoOp", {}); return kind == OpKind::kNoOp;', True),
    ("graph/a.cc", 'Log("Const is not known");', True),
    ("graph/gradients/a.cc", 'if (g.node.op() == "Igamma") f();', True),
    ("graph/gradients/a.cc", 'return absl::EndsWith(op, "3D") ? 3 : 2;', True),
    ("graph/gradients/a.cc", '{"Relu", Relu},', True),
    ("graph/gradients/a.cc", 'if (x.node->op() == "Const") f();', False),
    ("graph/shapes/a.cc", 'if (handle.op() == "VarHandleOp") f();', False),
]  # fmt: skip


def self_test(names):
    return [
        f"self test: {text!r} in {path} is {'fine' if fine else 'not fine'}"
        for path, text, fine in SELF_TEST
        if (not check_text(path, text, names)) != fine
    ]


def main(arguments):
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = arguments[1] if len(arguments) > 1 else here
    wrong = self_test(op_names(root))
    complaints, count = check_tree(root)
    for line in wrong + complaints:
        print(line)
    print(f"{count} files read")
    passed = len(SELF_TEST) - len(wrong) + (not complaints)
    print(f"{passed} passed, {len(wrong) + len(complaints)} failed")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
