# SPDX-License-Identifier: Apache-2.0
"""Applies the blocks of a page to copies of the files that it names.

apply_page.py PAGE SOURCE_ROOT OUT FILE...: writes FILE..., as the page makes them, under OUT.
Before each block stands a line that says what to do with it:

    At the end of `file`:     The new file `file`:     In `file`, after the line `text`:

("before" works, too.)

Other blocks are left alone. The page must change the files named, and no others.
"""

import os
import re
import sys

STEP = re.compile(
    r"^(?P<how>The new file|At the end of|In) `(?P<file>[^`]+)`"
    r"(?:, (?P<side>before|after) the line `(?P<line>[^`]+)`)?:\n\n"
    r"```\w*\n(?P<block>.*?)^```$",
    re.M | re.S,
)


def applied(page, source):
    """file -> its text after the page's steps; source(file) gives it as it was."""
    files = {}
    for step in STEP.finditer(page):
        name, block = step["file"], step["block"]
        if step["how"] == "The new file":
            if source(name) is not None:
                raise ValueError(f"{name} is not new")
            files[name] = block
            continue
        text = files.get(name) or source(name)
        if text is None:
            raise ValueError(f"there is no {name}")
        if step["how"] == "At the end of":
            files[name] = text + block
            continue
        lines = text.splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if line.strip() == step["line"]]
        if len(places) != 1:
            raise ValueError(f"{name} has the line {step['line']!r} {len(places)} times, not once")
        lines.insert(places[0] + (step["side"] == "after"), block)
        files[name] = "".join(lines)
    return files


def main(page, root, out, *wanted):
    def source(name):
        path = os.path.join(root, name)
        return open(path).read() if os.path.exists(path) else None

    with open(page) as file:
        files = applied(file.read(), source)
    if set(files) != set(wanted):
        different = ", ".join(sorted(set(files) ^ set(wanted)))
        raise ValueError(f"{page} and its list of files differ about {different}")
    for name, text in files.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ValueError as e:
        sys.exit(f"apply_page.py: {e}")
