# SPDX-License-Identifier: Apache-2.0
"""sluice launch: a job for Slurm, Kubernetes or mpirun."""

import subprocess
import sys

from ..launching import kubernetes, mpi, slurm
from ..launching.job import Job
from .run import add_task_options, count, roles_of

_SYSTEMS = {
    # name: (what makes the text, what runs it)
    "slurm": (slurm.script, ["sbatch"]),
    "kubernetes": (kubernetes.manifest, ["kubectl", "apply", "-f", "-"]),
    "mpi": (mpi.script, ["sh"]),
}


def add(commands):
    command = commands.add_parser(
        "launch", help="run a program on a cluster by Slurm, Kubernetes or mpirun",
        usage="sluice launch (slurm|kubernetes|mpi) (-np N | --ps P --workers W) [OPTIONS] PROGRAM"
        " ARGS...",
        description="Writes a job: a script for sbatch, a Job with its Service for kubectl, or the"
        " line of mpirun. Gives it to that program, or prints it with --dry_run.",
    )  # fmt: skip
    command.add_argument("system", choices=sorted(_SYSTEMS))
    command.add_argument("--dry_run", "--dry-run", action="store_true", help="print the job only")
    command.add_argument("--name", default="sluice", help='name of the job; default "sluice"')
    command.add_argument(
        "-np", "--num-proc", type=count, metavar="N", help="number of ranks of sluice.hvd"
    )
    add_task_options(command)
    command.add_argument("--cpus", type=count, metavar="N", help="cores of a task")
    command.add_argument("--gpus", type=count, metavar="N", help="GPUs of a task")
    command.add_argument("--memory", metavar="SIZE", help="memory of a task, such as 4G")
    command.add_argument("--time", metavar="TIME", help="slurm: time limit, such as 2:00:00")
    command.add_argument("--partition", metavar="NAME", help="slurm: the partition")
    command.add_argument(
        "--image", default="sluice", help='kubernetes: the container image; default "sluice"'
    )
    command.add_argument("--namespace", metavar="NAME", help="kubernetes: the namespace")
    command.add_argument(
        "--restarts", type=int, default=0, metavar="N",
        help="kubernetes: how often failed tasks are started again; default 0",
    )  # fmt: skip
    command.add_argument(
        "--tls_secret", "--tls-secret", metavar="NAME",
        help="kubernetes: the Secret with ca.pem, cert.pem, key.pem and token of the servers",
    )  # fmt: skip
    command.add_argument(
        "-H", "--hosts", metavar="HOSTS", help="mpi: hosts as for `sluice run`"
    )  # fmt: skip
    command.add_argument(
        "--port", type=int, default=2222,
        help="port of the tasks, or where the ranks meet on several hosts; default 2222",
    )  # fmt: skip
    command.add_argument(
        "--insecure", action="store_true",
        help="tasks listen beyond loopback without TLS: for a network that you trust",
    )  # fmt: skip
    command.add_argument("program", metavar="PROGRAM", help="such as train.py, or python3")
    command.add_argument("arguments", nargs="...", metavar="ARGS")
    command.set_defaults(run=run)


def run(options):
    """Returns the exit status of the program that takes the job, or 0."""
    if bool(options.num_proc) == bool(options.workers):
        raise ValueError("give -np N for ranks, or --ps P and --workers W for a cluster")
    program = [options.program, *options.arguments]
    if options.program.endswith(".py"):
        # A container has a Python of its own; hosts have this one, which has the package.
        here = "python3" if options.system == "kubernetes" else sys.executable
        program = [here, *program]
    size = options.num_proc or len(roles_of(options))
    make, taker = _SYSTEMS[options.system]
    text = make(Job(options, size, _command(options, program)))
    if options.dry_run:
        sys.stdout.write(text)
        return 0
    try:
        return subprocess.run(taker, input=text, text=True, check=False).returncode
    except FileNotFoundError:
        raise FileNotFoundError(f"{taker[0]} is not installed; --dry_run prints the job") from None


def _command(options, program):
    """What each process of the job runs."""
    if options.num_proc:
        return program
    words = ["sluice", "join", f"--ps={options.ps}", f"--workers={options.workers}"]
    words += ["--chief"] if options.chief and not options.evaluator else []
    words += ["--evaluator"] if options.evaluator else []
    if options.system == "kubernetes":
        name = options.name
        words.append(f"--addresses={name}-{{}}.{name}:{options.port}")
    return words + program
