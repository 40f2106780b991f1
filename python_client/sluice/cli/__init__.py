"""The command `sluice`: what whoever runs a cluster asks of it.

Each room is a module with add(rooms): its name, its options, and as `run` the function that takes
them and gives the exit status.
"""

import argparse
import sys

from ..errors import OpError
from . import bench, doctor


def parser():
    made = argparse.ArgumentParser(
        prog="sluice", description="Looks at clusters of tasks, and measures."
    )
    rooms = made.add_subparsers(dest="room", required=True, metavar="ROOM")
    doctor.add(rooms)
    bench.add(rooms)
    return made


def main(arguments=None):
    """Exit status: 0 all is well, 1 something is not, 2 the options make no sense."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except (OpError, OSError, ValueError) as error:
        print(f"sluice {options.room}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
