#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of the repository are true to the tree.

A link leads to a file that exists. A path in backquotes exists: in the tree, or among the files
that the build generates. README.md and ARCHITECTURE.md stay short.

    pages_test.py [BUILD_FOLDER]
"""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINES = {"README.md": 90, "ARCHITECTURE.md": 150}
COLUMNS = 120

LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")
SPAN = re.compile(r"`([^`\n]+)`")
# A path names a file with one of these endings, or a folder by its last slash.
PATH = re.compile(
    r"^[\w.*<>{}-]+(?:/[\w.*<>{},-]+)*(?:/|\.(?:h|cc|py|cmake|md|ops|txt|tsv|sh|toml))$"
)
NEW = re.compile(r"The new file `([^`]+)`")
FOLDERS = {entry + "/" for entry in os.listdir(ROOT)}
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def pages():
    found = glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "*.md"))
    return sorted(found)


def stands(path, folders):
    pattern = re.sub(r"<[^>]*>", "*", path)
    pattern = re.sub(r"\{[^}]*\}", "*", pattern)
    return any(glob.glob(os.path.join(folder, pattern)) for folder in folders)


def wrong_paths(name, text, build):
    folders = [ROOT, os.path.join(build, "generated")]
    if name.startswith("docs"):
        folders.append(os.path.join(ROOT, "docs"))
    new = set(NEW.findall(text))
    for span in SPAN.findall(FENCE.sub("", text)):
        if "/" not in span or not PATH.match(span) or span in new:
            continue
        # The build folder need not be there, nor a program in it.
        if span.startswith("build/") or span.split("/")[0] + "/" == span and span not in FOLDERS:
            continue
        if not stands(span, folders):
            yield f"{name}: there is no {span}"


def wrong_links(name, text):
    folder = os.path.dirname(os.path.join(ROOT, name))
    for link in LINK.findall(text):
        if not os.path.exists(os.path.join(folder, link)):
            yield f"{name}: the link {link} leads nowhere"


def too_long(name, text):
    lines = text.splitlines()
    limit = LINES.get(name)
    if limit is None:
        return
    if len(lines) > limit:
        yield f"{name}: {len(lines)} lines, over {limit}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS and not line.startswith("| families of the ops"):
            yield f"{name}:{number}: {len(line)} columns, over {COLUMNS}"


def main(build=None):
    build = build or os.path.join(ROOT, "build")
    wrong = []
    for path in pages():
        name = os.path.relpath(path, ROOT)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wrong += [*wrong_paths(name, text, build), *wrong_links(name, text), *too_long(name, text)]
    for line in wrong:
        print(line)
    print(f"{len(pages())} pages read")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
