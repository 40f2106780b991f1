# SPDX-License-Identifier: Apache-2.0
"""sluice run: a program as several local processes, the ranks of a job."""

import argparse
import os
import secrets
import shutil
import signal
import socket

from ..horovod.rendezvous import RendezvousServer, seconds_from_environment
from .guard import Guard
from .rank_processes import RankProcesses

# The folder that has the package.
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ENDED_BY = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}


def add(commands):
    command = commands.add_parser(
        "run", help="run a program as several processes, for sluice.hvd",
        usage="sluice run -np N [-H HOST:SLOTS] PROGRAM ARGS...",
        description="Runs PROGRAM as N processes of this machine, the ranks of a job. Each line of"
        " their output begins with the rank, as in \"[1] loss 0.3\". When one fails, all end, and"
        " its exit status is that of the command.",
    )  # fmt: skip
    command.add_argument(
        "-np", "--num-proc", type=_count, metavar="N",
        help="number of processes; default: the slots of -H",
    )  # fmt: skip
    command.add_argument(
        "-H", "--hosts", metavar="HOST:SLOTS",
        help="hosts and how many processes each may have: only this machine, as localhost:4",
    )  # fmt: skip
    command.add_argument("program", metavar="PROGRAM", help="such as python")
    command.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="such as train.py"
    )
    command.set_defaults(run=run)


def run(options):
    """Returns the exit status: that of the first rank that failed, or 0."""
    slots = None if options.hosts is None else slots_of(options.hosts)
    if options.num_proc is None and slots is None:
        raise ValueError("give the number of processes: -np N")
    size = options.num_proc or slots
    if slots is not None and size > slots:
        raise ValueError(f"-np {size} is more than the {slots} slots of -H {options.hosts}")
    program = find_program(options.program)
    token = secrets.token_hex(16)
    guard = Guard()  # before the threads of the rendezvous: it forks
    server = RendezvousServer(size, token.encode(), seconds=seconds_from_environment())
    ranks = RankProcesses(guard)
    try:
        with ranks.signals(_ENDED_BY):
            for rank in range(size):
                environment = environment_of(rank, size, server.port, token)
                ranks.start([program, *options.arguments], environment)
            return ranks.wait()
    finally:
        ranks.kill()
        server.close()
        guard.close()


def environment_of(rank, size, port, token):
    """The environment of a rank, a dict. Its Python finds this package, after others."""
    paths = [os.environ.get("PYTHONPATH"), _PACKAGES]
    return dict(
        os.environ,
        SLUICE_RANK=str(rank), SLUICE_SIZE=str(size),
        SLUICE_LOCAL_RANK=str(rank), SLUICE_LOCAL_SIZE=str(size),
        SLUICE_CROSS_RANK="0", SLUICE_CROSS_SIZE="1",
        SLUICE_RENDEZVOUS=f"127.0.0.1:{port}", SLUICE_RENDEZVOUS_SERVED="1",
        SLUICE_RENDEZVOUS_TOKEN=token,
        PYTHONPATH=os.pathsep.join(path for path in paths if path),
        PYTHONUNBUFFERED=os.environ.get("PYTHONUNBUFFERED", "1"),
    )  # fmt: skip


def slots_of(hosts):
    """The number of processes of -H. ValueError if it names another machine, or is broken."""
    slots = 0
    for entry in hosts.split(","):
        host, _, count = entry.partition(":")
        if not host or count and not (count.isdigit() and int(count)):
            raise ValueError(f'-H: "{entry}" must be HOST:SLOTS, such as localhost:4')
        if host not in _names_of_this_machine():
            raise ValueError(
                f'-H: "{host}" is not this machine: `sluice run` starts local processes. Start'
                " the ranks of several machines with mpirun or srun, which sluice.hvd understands"
            )
        slots += int(count or 1)
    return slots


def _names_of_this_machine():
    name = socket.gethostname()
    return {"localhost", "127.0.0.1", name, name.partition(".")[0]}


def find_program(name):
    """The path of a program. FileNotFoundError or PermissionError if there is none."""
    found = shutil.which(name)
    if found:
        return found
    if os.path.isfile(name):
        raise PermissionError(f'"{name}" is not executable: write `sluice run ... python {name}`')
    raise FileNotFoundError(f'there is no program "{name}"')


def _count(text):
    if not text.isdigit() or not 0 < int(text) <= 4096:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of processes')
    return int(text)
