# SPDX-License-Identifier: Apache-2.0
"""python -m sluice.tensorflow [--OPTION...] PROGRAM ARGS..."""

import os
import runpy
import sys

from . import install

USAGE = """\
usage: python -m sluice.tensorflow [--OPTION[=VALUE]...] PROGRAM.py [ARGS...]
       python -m sluice.tensorflow [--OPTION[=VALUE]...] -m MODULE [ARGS...]

Runs a TensorFlow program whose tf.train.Server and sessions without a target are served by
sluice-server. The options before the program go to sluice-server (sluice-server --help lists
them): --insecure, --bind=HOST, --transport=tcp, --log_level=info, ...
"""


def main(arguments):
    """Runs the program that `arguments` name; returns an exit status only where there is none."""
    options = []
    while arguments and arguments[0].startswith("--"):
        options.append(arguments.pop(0))
    if "--help" in options:
        print(USAGE, end="")
        return 0
    as_module = arguments[:1] == ["-m"]
    if as_module:
        arguments.pop(0)
    if not arguments or arguments[0].startswith("-"):
        print(USAGE, end="", file=sys.stderr)
        return 2
    if not as_module and not os.path.exists(arguments[0]):
        print(f"sluice.tensorflow: there is no program {arguments[0]!r}", file=sys.stderr)
        return 2
    try:
        install(options)
    except ImportError as error:
        print(f"sluice.tensorflow: {error}", file=sys.stderr)
        return 2
    sys.argv[:] = arguments
    if as_module:
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.realpath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
