# SPDX-License-Identifier: Apache-2.0
"""sluice run: a program as several processes, the ranks of a job or the tasks of a cluster."""

import argparse
import os
import secrets
import shutil
import signal
import socket
import sys

from ..horovod.rendezvous import RendezvousServer, seconds_from_environment
from ..launching import hosts as hosts_of_job
from ..launching.guard import Guard
from ..launching.rank_processes import RankProcesses
from ..launching.remote import remote_command, remote_job
from ..launching.roles import Role, cluster_of, roles, tf_config
from ..launching.task_processes import TaskProcesses

# The folder that has the package.
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ENDED_BY = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}


def add(commands):
    command = commands.add_parser(
        "run", help="run a program as several processes, for sluice.hvd or with parameter servers",
        usage="sluice run (-np N | --ps P --workers W) [OPTIONS] PROGRAM ARGS...",
        description="Runs PROGRAM as N ranks of sluice.hvd, or as the tasks of a cluster, which"
        " TF_CONFIG describes. Each line of their output begins with the rank or the task, as in"
        " \"[1] loss 0.3\". When one fails, all end, and its exit status is that of the command.",
    )  # fmt: skip
    command.add_argument(
        "-np", "--num-proc", type=count, metavar="N",
        help="number of ranks; default: the slots of -H",
    )  # fmt: skip
    add_task_options(command)
    command.add_argument(
        "--restarts", type=int, default=0, metavar="N",
        help="how often a task that failed is started again; default 0",
    )  # fmt: skip
    add_grace(command)
    command.add_argument(
        "-H", "--hosts", metavar="HOSTS",
        help="hosts and how many processes each may have: localhost:4,other:2, or a file with a"
        " host a line",
    )  # fmt: skip
    command.add_argument(
        "--ssh", default="ssh -o BatchMode=yes", metavar="COMMAND",
        help='what starts a command on another host; default "ssh -o BatchMode=yes"',
    )  # fmt: skip
    command.add_argument(
        "--port", type=int, default=2222,
        help="port of the first task on another host, from which the others count; default 2222",
    )  # fmt: skip
    add_program(command)
    command.set_defaults(run=run)


def add_task_options(command):
    """Adds the options that say which tasks a cluster has."""
    command.add_argument("--ps", type=int, default=0, metavar="P", help="parameter servers")
    command.add_argument(
        "--workers", type=count, metavar="W", help="tasks that train; the first is the chief"
    )
    command.add_argument(
        "--chief", action="store_true",
        help='the first is the job "chief", not worker 0, as estimators require',
    )  # fmt: skip
    command.add_argument(
        "--evaluator", action="store_true", help="one more task, which evaluates; implies --chief"
    )


def add_grace(command):
    """Adds the option that lets tasks end by themselves."""
    command.add_argument(
        "--grace", type=float, default=10.0, metavar="SECONDS",
        help="what workers and evaluator may take after the chief has ended; default 10",
    )  # fmt: skip


def add_program(command):
    """Adds the program and its arguments."""
    command.add_argument("program", metavar="PROGRAM", help="such as train.py, or python")
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")


def roles_of(options):
    """The tasks that the options name. ValueError if there is nothing that trains."""
    if not options.workers:
        raise ValueError("give the number of tasks that train: --workers W")
    return roles(options.ps, options.workers, options.chief or options.evaluator, options.evaluator)


def run(options):
    """Returns the exit status: that of the first rank or task that failed, or 0."""
    hosts = hosts_of_job.parse_hosts(options.hosts) if options.hosts else None
    in_cluster = options.workers or options.ps or options.evaluator
    if in_cluster and options.num_proc:
        raise ValueError("give -np for ranks, or --ps and --workers for a cluster, not both")
    if in_cluster:
        tasks = roles_of(options)
    else:
        size = options.num_proc or sum(host.slots for host in hosts or ())
        if not size:
            raise ValueError("give the number of processes: -np N, or --ps P --workers W")
        tasks = [Role("", rank, rank) for rank in range(size)]
    if hosts is None:
        hosts = [hosts_of_job.Host("localhost", len(tasks))]
    where = hosts_of_job.places(hosts, len(tasks))
    command = program_of(options)
    guard = Guard()  # before the threads of the rendezvous: it forks
    try:
        return _run(options, tasks, where, command, in_cluster, guard)
    finally:
        guard.close()


def _run(options, tasks, where, command, in_cluster, guard):
    token = secrets.token_hex(16)
    remote = any(not place.host.is_local for place in where)
    size = sum(role.rank is not None for role in tasks)
    server = RendezvousServer(
        size, token.encode(), "0.0.0.0" if remote else "127.0.0.1",
        seconds=seconds_from_environment(),
    )  # fmt: skip
    meets_at = f"{socket.gethostname() if remote else '127.0.0.1'}:{server.port}"
    if in_cluster:
        cluster = cluster_of(tasks, hosts_of_job.addresses(where, options.port))
        chief = next(role.name for role in tasks if role.rank == 0)
        servers = [role.name for role in tasks if role.job == "ps"]
        processes = TaskProcesses(guard, chief, servers, options.restarts, options.grace)
    else:
        processes = RankProcesses(guard)
    try:
        with processes.signals(_ENDED_BY):
            for role, place in zip(tasks, where):
                environment = environment_of(role, place, size, meets_at, token)
                name = str(role.rank)
                if in_cluster:
                    environment["TF_CONFIG"], name = tf_config(cluster, role), role.name
                if remote:
                    environment["SLUICE_HOST"] = place.host.name
                    environment.setdefault("SLUICE_BIND_HOST", "0.0.0.0")
                _start(processes, name, place.host, command, environment, options)
            return processes.wait()
    finally:
        processes.kill()
        server.close()


def _start(processes, name, host, command, environment, options):
    if host.is_local:
        processes.start(name, command, environment)
        return
    # The other host finds the program by itself.
    found_here = options.program if command[0] != sys.executable else "python3"
    job = remote_job([found_here, *command[1:]], environment)
    processes.start(name, remote_command(host.name, options.ssh), dict(os.environ), job)


def environment_of(role, place, size, meets_at, token):
    """The environment of a process, a dict. Its Python finds this package, after others."""
    paths = [os.environ.get("PYTHONPATH"), _PACKAGES]
    environment = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join(path for path in paths if path),
        PYTHONUNBUFFERED=os.environ.get("PYTHONUNBUFFERED", "1"),
    )
    if role.rank is not None:
        environment.update(
            SLUICE_RANK=str(role.rank), SLUICE_SIZE=str(size),
            SLUICE_LOCAL_RANK=str(place.local_rank), SLUICE_LOCAL_SIZE=str(place.local_size),
            SLUICE_CROSS_RANK=str(place.cross_rank), SLUICE_CROSS_SIZE=str(place.cross_size),
            SLUICE_RENDEZVOUS=meets_at, SLUICE_RENDEZVOUS_SERVED="1",
            SLUICE_RENDEZVOUS_TOKEN=token,
        )  # fmt: skip
    return environment


def program_of(options):
    """The command of a program, a list of str. This Python runs a .py file.

    Raises:
      FileNotFoundError, PermissionError: it cannot be run.
    """
    name = options.program
    if name.endswith(".py") and os.path.isfile(name) and not os.access(name, os.X_OK):
        return [sys.executable, name, *options.arguments]
    found = shutil.which(name)
    if found:
        return [found, *options.arguments]
    if os.path.isfile(name):
        raise PermissionError(f'"{name}" is not executable: write `sluice run ... python {name}`')
    raise FileNotFoundError(f'there is no program "{name}"')


def count(text):
    """A number of processes, of an option."""
    if not text.isdigit() or not 0 < int(text) <= 4096:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of processes')
    return int(text)
