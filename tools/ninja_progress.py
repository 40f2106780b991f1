#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shortens ninja's output where there is no terminal: a status line now and then, and all else.

    ninja ... | ninja_progress.py [SECONDS]    a status line at most every so many seconds (30)

What ninja prints beside its status lines (errors, warnings, FAILED) passes unchanged.
"""

import re
import sys
import time

STATUS = re.compile(r"\[(\d+)/(\d+)\] ")
IDLE = ("ninja: Entering directory", "ninja: no work to do")


def main():
    every = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    shown = time.monotonic()
    for line in sys.stdin:
        status = STATUS.match(line)
        if status is None:
            if not line.startswith(IDLE):
                sys.stdout.write(line)
        elif time.monotonic() - shown >= every:
            shown = time.monotonic()
            print(f"   built {status.group(1)} of {status.group(2)}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
