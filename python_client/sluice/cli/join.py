# SPDX-License-Identifier: Apache-2.0
"""sluice join: one task of a cluster whose processes Slurm, mpirun or Kubernetes started."""

import os
import signal
import subprocess
import sys
import threading

from ..horovod import ranks
from ..horovod.rendezvous import Rendezvous, RendezvousServer, seconds_from_environment
from ..launching.chief import ChiefServer, wait_for_chief
from ..launching.guard import Guard, end_groups, signal_group
from ..launching.hosts import free_ports
from ..launching.roles import cluster_of, tf_config
from .run import add_grace, add_program, add_task_options, program_of, roles_of

_GRACE_SECONDS = 3.0  # between SIGTERM and SIGKILL


def add(commands):
    command = commands.add_parser(
        "join", help="run a program as one task of a cluster, under srun, mpirun or Kubernetes",
        usage="sluice join --ps P --workers W [OPTIONS] PROGRAM ARGS...",
        description="Slurm, mpirun or Kubernetes starts this command once for each task. It finds"
        " out which task it is, and where the others are, sets TF_CONFIG and runs PROGRAM. When the"
        " chief has ended, all tasks end. `sluice launch` writes the jobs that use it.",
    )  # fmt: skip
    add_task_options(command)
    command.add_argument(
        "--addresses", metavar="PATTERN",
        help='where the tasks are, if it is known: "{}" stands for the number of the process, as in'
        " train-{}.train:2222; the port after it must be free too",
    )  # fmt: skip
    add_grace(command)
    add_program(command)
    command.set_defaults(run=run)


def run(options):
    """Returns the exit status of the program; 0 if it was ended because the chief has ended."""
    tasks = roles_of(options)
    command = program_of(options)
    where = _place(len(tasks))
    role = tasks[where.rank]
    is_chief = role.rank == 0
    guard = Guard()  # before threads start: it forks
    try:
        if options.addresses:
            token = os.environ.get("SLUICE_RENDEZVOUS_TOKEN", "").encode()
            addresses = [options.addresses.replace("{}", str(n)) for n in range(len(tasks))]
            at = [_next_port(address) for address in addresses]
            port = int(at[where.rank].rpartition(":")[2])
            chief = ChiefServer("", port, token, len(tasks) - 1) if is_chief else None
        else:
            addresses, at, chief, token = _exchange(where, is_chief)
        at = next(address for task, address in zip(tasks, at) if task.rank == 0)
        environment = dict(os.environ, TF_CONFIG=tf_config(cluster_of(tasks, addresses), role))
        if not all(ranks.is_loopback(address.rpartition(":")[0]) for address in addresses):
            environment.setdefault("SLUICE_BIND_HOST", "0.0.0.0")
        task = _Task(guard, command, environment)
        if is_chief:
            return task.run_chief(chief, options.grace)
        stays = role.job == "ps"
        return task.run(lambda: wait_for_chief(at, token, role.name, stays, options.addresses))
    finally:
        guard.close()


def _place(size):
    """The Place of this process among those of the job."""
    index = os.environ.get("JOB_COMPLETION_INDEX")  # of an indexed Job of Kubernetes
    where = ranks.place()
    if index is not None:
        where = ranks.Place(int(index), size, None, None, "kubernetes")
    if not where.source:
        raise ValueError("nothing says which task this is: start it by srun, mpirun or Kubernetes")
    if where.size != size or where.rank >= size:
        raise ValueError(
            f"{where.source} started {where.size} processes, and the cluster has {size} tasks"
        )
    return where


def _exchange(where, is_chief):
    """All processes say where they are. Number 0 serves.

    Returns:
      (addresses of the tasks, addresses of the processes, the ChiefServer or None, token).
    """
    host, port, token, served = ranks.meeting(where)
    here = "localhost" if ranks.is_loopback(host) else _own_host()
    bound = "127.0.0.1" if ranks.is_loopback(host) else ""
    if where.rank == 0 and not served:
        RendezvousServer(where.size, token, bound, port, seconds_from_environment())
    chief = ChiefServer(bound, 0, token, where.size - 1) if is_chief else None
    (own,) = free_ports(1)
    said = f"{here}:{own} {here}:{chief.port if chief else 0}"
    rendezvous = Rendezvous(host, port, token, where.rank, where.size, said, here,
                            seconds_from_environment())  # fmt: skip
    pairs = [address.split(" ") for address, _ in rendezvous.members]
    # Number 0 serves until its process ends, which is when the job does.
    rendezvous.close()
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs], chief, token


def _own_host():
    names = (os.environ.get("SLUICE_HOST"), os.environ.get("SLURMD_NODENAME"), os.uname().nodename)
    return next(name for name in names if name)


def _next_port(address):
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + 1}"


class _Task:
    """The program, in a process group of its own."""

    def __init__(self, guard, command, environment):
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        )
        guard.add(self._process.pid)
        self._is_over = False  # the chief has ended
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda number, _: signal_group(self._process.pid, number))

    def run_chief(self, server, grace):
        """Returns the exit status, after the other tasks know it."""
        status = self._wait()
        server.end(status, grace)
        return status

    def run(self, wait):
        """Returns the exit status, or 0 if the chief has ended before. wait() waits for that."""
        threading.Thread(target=self._end_after, args=(wait,), daemon=True).start()
        status = self._wait()
        return 0 if self._is_over else status

    def _end_after(self, wait):
        status = wait()
        if status is None:
            print("sluice join: the chief is gone", file=sys.stderr, flush=True)
        self._is_over = status == 0
        end_groups({self._process.pid}, _GRACE_SECONDS)

    def _wait(self):
        # The group is signalled before the number is free for another process.
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        signal_group(self._process.pid, signal.SIGKILL)
        status = self._process.wait()
        return status if status >= 0 else 128 - status
