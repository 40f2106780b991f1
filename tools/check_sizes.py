#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a source file has over 600 lines or a folder over 40 files.

    check_sizes.py [ROOT]    checks itself on a temporary tree, then ROOT (the repository)

Generated files, data and pictures do not count as sources; stubs, which are generated with the
modules' names, not as files of a folder either. ALLOWED lists what is larger today, with
the most that it may have; an entry that is no longer needed is reported, to be deleted.
"""

import os
import subprocess
import sys
import tempfile

MOST_LINES, MOST_FILES = 600, 40
SOURCES = (".h", ".cc", ".cu", ".py", ".sh", ".ops", ".proto", ".cmake", "CMakeLists.txt")
STUB = ".pyi"

# Path, or name of a file, -> lines of a file, or files of a folder.
ALLOWED = {}


def files_of(root):
    """Paths of the files under version control, or of all files where there is none."""
    done = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    if done.returncode == 0:
        return sorted(p for p in done.stdout.splitlines() if os.path.isfile(os.path.join(root, p)))
    walked = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    return sorted(os.path.relpath(path, root) for path in walked)


def sizes(root):
    """Path -> lines of a source, or files of a folder; only what is over its limit."""
    files, found = {}, {}
    for path in files_of(root):
        folder = os.path.dirname(path)
        files[folder] = files.get(folder, 0) + (not path.endswith(STUB))
        if path.endswith(SOURCES):
            with open(os.path.join(root, path), "rb") as file:
                lines = file.read().count(b"\n")
            if lines > MOST_LINES:
                found[path] = lines
    found.update({folder: count for folder, count in files.items() if count > MOST_FILES})
    return found


def complaints(found, allowed):
    for path, size in sorted(found.items()):
        limit = allowed.get(path) or allowed.get(os.path.basename(path)) or 0
        if size > limit:
            kind = "lines" if path.endswith(SOURCES) else "files"
            limit = limit or (MOST_LINES if kind == "lines" else MOST_FILES)
            yield f"{path}: {size} {kind}, at most {limit} are allowed"


def self_test():
    """The errors that this script misses or invents on a test tree."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "many"))
        for number in range(MOST_FILES + 1):
            open(os.path.join(root, "many", f"{number}.txt"), "w").close()
        for name, lines in ("long.py", 700), ("long.txt", 700), ("short.cc", 600):
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write("\n" * lines)
        found = sizes(root)
    expected = {"many": MOST_FILES + 1, "long.py": 700}
    wrong = [] if found == expected else [f"self test: {found}, expected {expected}"]
    if len(list(complaints(found, {}))) != 2 or list(complaints(found, expected)):
        wrong.append("self test: the list of what is allowed is not heeded")
    return wrong


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = sizes(sys.argv[1] if len(sys.argv) > 1 else here)
    wrong = self_test() + list(complaints(found, ALLOWED))
    for line in wrong:
        print("   FAILED", line)
    for path in sorted(set(ALLOWED) - set(found) - {os.path.basename(path) for path in found}):
        print(f"   delete from ALLOWED in tools/check_sizes.py: {path}")
    print(f"{int(not wrong)} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
