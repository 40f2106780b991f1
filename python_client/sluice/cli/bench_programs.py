# SPDX-License-Identifier: Apache-2.0
"""Finds and runs the measuring programs of `sluice bench`."""

import os
import subprocess

BUILD = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3))

# Of a figure: processor time that others may use while it is measured, as a share of that time, and
# besides, since the machine's own clock ticks a hundred times a second.
_OTHERS_SHARE, _OTHERS_SECONDS = 0.05, 0.03


def path(name):
    """Returns the path of a measuring program of this build."""
    return os.path.join(BUILD, "bench", name)


def check_built(program):
    """Raises ValueError, with the command that builds the program."""
    if not os.path.exists(program):
        name = os.path.basename(program)
        raise ValueError(f"{program} is not built: ninja -C {BUILD} {name}")


def add_options(parser, passed_on):
    """Declares options that are passed on to the program: pairs of name and help."""
    for name, help_text in passed_on:
        parser.add_argument(name, help=help_text)


def command(program, options, passed_on):
    """Returns the command line of the program with the options that the user gave."""
    words = [program]
    for name, _ in passed_on:
        value = getattr(options, name[2:])
        if value is not None:
            words.append(f"{name}={value}")
    return words


def run(words, take):
    """Calls take() with each line that the program prints. Returns whether it succeeded."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            take(line)
    return process.returncode == 0


def read(path, lines_of, results):
    """Gives the results that a file has; lines_of(file) are the lines that the program printed."""
    with open(path, encoding="utf-8") as file:
        for line in lines_of(file):
            results.take(line)
    return results


def write_files(results, *writers):
    """Writes results to files: pairs of a path, which may be None, and a function."""
    for file_path, write in writers:
        if file_path:
            with open(file_path, "w", encoding="utf-8") as file:
                write(results, file)


def disturbed(figure):
    """Returns why a figure does not count, or "" if others hardly used the machine."""
    others = figure.busy_seconds - figure.cpu_seconds
    if others <= _OTHERS_SHARE * figure.wall_seconds + _OTHERS_SECONDS:
        return ""
    return f"others used {others:.2f} s of processor in {figure.wall_seconds:.2f} s"


def three_digits(value):
    """The value as text with three significant digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
