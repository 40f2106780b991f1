#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if one translation unit takes over 40 s to compile: it makes every change wait.

    check_compile_times.py BUILD_FOLDER

Reads the times of the last compilations in .ninja_log. The machine may have been busy: a unit over
the limit is compiled again alone, up to three times, and measured by the processor's clock. A slow
machine (a yardstick program tells) may take as much longer.
"""

import json
import os
import resource
import shutil
import subprocess
import sys

LIMIT = 40  # seconds
YARDSTICK_SECONDS = 4  # on a machine that is fast enough
YARDSTICK = b"""#include <map>
#include <regex>
#include <unordered_map>
int main() { return std::regex_match("a", std::regex("[a-z]+")); }
"""


def logged_times(build):
    """object file -> seconds of its last compilation, of those that are still there."""
    times = {}
    with open(os.path.join(build, ".ninja_log"), encoding="utf-8") as log:
        for line in log:
            field = line.rstrip("\n").split("\t")
            if len(field) == 5 and field[3].endswith(".o"):
                times[field[3]] = (int(field[1]) - int(field[0])) / 1000
    return {name: s for name, s in times.items() if os.path.exists(os.path.join(build, name))}


def commands(build):
    """object file -> its compiler's command."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        found = [entry["command"] for entry in json.load(file)]
    return {c.split(" -o ")[1].split()[0]: c for c in found if " -o " in c}


def seconds_of(command, **options):
    """Processor time of a command, without ccache."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, shell=True, env={**os.environ, "CCACHE_DISABLE": "1"}, **options)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def allowed():
    """The limit on this machine as it runs just now."""
    yardstick = seconds_of("c++ -std=c++20 -O2 -x c++ -c -o /dev/null -", input=YARDSTICK)
    return LIMIT * max(1, yardstick / YARDSTICK_SECONDS)


def is_late(name, logged, command, build):
    """Whether a unit takes too long each time that it is compiled alone."""
    for _ in range(3):
        spent = seconds_of(command, cwd=build) if command else logged
        limit = allowed() if spent > LIMIT else LIMIT
        print(f"   {name}: {logged:.1f} s, again alone: {spent:.1f} s, allowed here: {limit:.0f} s")
        if spent <= limit:
            return False
    return True


def main():
    build = os.path.abspath(sys.argv[1])
    slow = sorted(logged_times(build).items(), key=lambda item: -item[1])
    for name, seconds in slow[:3]:
        print(f"   {seconds:5.1f} s  {name}")
    if shutil.which("ccache"):
        print("   warning: ccache is in use: a unit it answered shows its look-up only")
    known = commands(build)
    suspects = [(name, seconds) for name, seconds in slow if seconds > LIMIT]
    late = [name for name, seconds in suspects if is_late(name, seconds, known.get(name), build)]
    for name in late:
        print(f"   FAILED: over {LIMIT} s: {name}")
    print(f"{len(slow) - len(late)} units compiled in under {LIMIT} s each")
    return bool(late)


if __name__ == "__main__":
    sys.exit(main())
