# SPDX-License-Identifier: Apache-2.0
"""How a program begins: its flags are read, and its main() is called."""

import sys

from . import flags


def run(main=None, argv=None):
    """Reads the flags of the command line, calls a function, and ends the program with its result.

    Args:
        main: A function of the rest of the command line, a list of str. None: main() of the
            program.
        argv: The command line, a list of str. None: that of the program.

    Raises:
        SystemExit: Always. A flag that is not possible ends the program with 1.
    """
    main = main or sys.modules["__main__"].main
    given = sys.argv if argv is None else argv
    if any(text in ("--help", "-help", "-h", "--helpfull") for text in given[1:]):
        print((main.__doc__ or sys.modules["__main__"].__doc__ or "").strip())
        print(f"\nflags:\n{flags.FLAGS.get_help()}")
        sys.exit(1)
    try:
        rest = flags.FLAGS(given, known_only=True)
    except flags.Error as e:
        print(f"FATAL Flags parsing error: {e}\nPass --help to see help on flags.",
              file=sys.stderr)  # fmt: skip
        sys.exit(1)
    sys.exit(main(rest))


__all__ = ["flags", "run"]
