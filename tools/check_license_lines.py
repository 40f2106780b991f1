#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a source file does not begin with the line of its license.

    check_license_lines.py [--write] [ROOT]    --write: adds the lines that are missing
"""

import os
import re
import sys

from check_sizes import files_of

LINE = "SPDX-License-Identifier: Apache-2.0"
COMMENTS = {
    "//": (".h", ".cc", ".cu", ".proto"),
    "#": (".py", ".sh", ".cmake", "CMakeLists.txt", "/run"),
}
BEFORE = re.compile(r"(#!.*\n)?")  # the interpreter's line stays the first


def comment_of(path):
    """The comment sign of a source file, or None."""
    return next((c for c, ends in COMMENTS.items() if ("/" + path).endswith(ends)), None)


def sources(root):
    return [path for path in files_of(root) if comment_of(path)]


def main(arguments):
    write = "--write" in arguments
    rest = [a for a in arguments if a != "--write"]
    root = rest[0] if rest else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    paths, missing = sources(root), 0
    for path in paths:
        full = os.path.join(root, path)
        with open(full, encoding="utf-8") as file:
            text = file.read()
        line = f"{comment_of(path)} {LINE}\n"
        start = BEFORE.match(text).end()
        if not text or text.startswith(line, start):
            continue
        if write:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text[:start] + line + text[start:])
        else:
            print(f"{path}: add the line {line}", end="")
            missing += 1
    print(f"{len(paths) - missing} passed, {missing} failed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
