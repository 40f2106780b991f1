# SPDX-License-Identifier: Apache-2.0
"""The command `sluice`, for people who run clusters.

Each subcommand is a module. Its function add(commands) declares the name and the options, and sets
`run` to a function that takes the options and returns the exit status.
"""

import argparse
import sys

from .. import _sluice
from ..errors import OpError
from . import bench, devices, doctor, inspect, join, launch, run, server, tasks


def parser():
    made = argparse.ArgumentParser(
        prog="sluice", allow_abbrev=False,
        description="Starts and examines the tasks of a cluster, and runs benchmarks.",
    )  # fmt: skip
    made.add_argument("--version", action="version", version=f"sluice {_sluice.version}")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("server", help="run one task; takes the options of sluice-server")
    devices.add(commands)
    doctor.add(commands)
    inspect.add(commands)
    bench.add(commands)
    run.add(commands)
    launch.add(commands)
    join.add(commands)
    return made


def main(arguments=None):
    """Returns the exit status: 0 success, 1 a problem was found, 2 invalid options."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command = arguments[0] if arguments else ""
    try:
        if command == "server":  # sluice-server parses its options, --help too
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
