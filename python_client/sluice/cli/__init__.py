"""The command `sluice`: what whoever runs a cluster asks of it.

Each subcommand is a module with add(commands): its name, its options, and as `run` the function
that takes them and gives the exit status.
"""

import argparse
import sys

from .. import _sluice
from ..errors import OpError
from . import bench, devices, doctor, server, tasks


def parser():
    made = argparse.ArgumentParser(
        prog="sluice", allow_abbrev=False,
        description="Starts and examines tasks of clusters, and measures.",
    )  # fmt: skip
    made.add_argument("--version", action="version", version=f"sluice {_sluice.version}")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("server", help="run one task of a cluster: sluice-server with its options")
    devices.add(commands)
    doctor.add(commands)
    bench.add(commands)
    return made


def main(arguments=None):
    """Exit status: 0 all is well, 1 something is not, 2 the options make no sense."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command = arguments[0] if arguments else ""
    try:
        if command == "server":  # its options, --help too, are those of sluice-server
            return server.run(arguments[1:])
        options = parser().parse_args(arguments)
        return options.run(options)
    except tasks.NoAnswerError as error:
        print(f"sluice {command}: {error}", file=sys.stderr)
        return 1
    except (OpError, OSError, ValueError) as error:
        print(f"sluice {command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
