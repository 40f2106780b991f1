# SPDX-License-Identifier: Apache-2.0
"""Which of how many processes this one is, and where they meet: from what started it."""

import collections
import hashlib
import os
import re

Place = collections.namedtuple("Place", "rank size local_rank local_size source")
Place.__doc__ = """What the environment says of this process. The local numbers may be None."""

# Of each launcher: rank, size, rank and size on the host.
_VARIABLES = {
    "sluice run": ("SLUICE_RANK", "SLUICE_SIZE", "SLUICE_LOCAL_RANK", "SLUICE_LOCAL_SIZE"),
    "mpirun": (
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
    ),
    "mpiexec": ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    # A batch script without srun has SLURM_PROCID too, but no SLURM_STEP_NUM_TASKS.
    "srun": ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", None),
}  # fmt: skip
_JOB_VARIABLES = (
    "SLURM_JOB_ID", "SLURM_STEP_ID", "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID",
)  # fmt: skip
# Below the ports that systems give to clients.
_FIRST_PORT, _PORTS = 20000, 10000


def place(environ=None):
    """Finds this process's place.

    Args:
      environ: a dict; by default the environment.

    Returns:
      A Place. Without a launcher: rank 0 of 1.

    Raises:
      ValueError: names the variable that makes no sense.
    """
    environ = os.environ if environ is None else environ
    for source, names in _VARIABLES.items():
        rank, size = (_number(environ, name) for name in names[:2])
        if rank is None or size is None:
            if source == "sluice run" and (rank is not None or size is not None):
                raise ValueError("set both SLUICE_RANK and SLUICE_SIZE, or neither")
            continue
        if not 0 <= rank < size:
            raise ValueError(f"{names[0]} is {rank}, which must be from 0 to {size - 1}: {names[1]}"
                             f" is {size}")  # fmt: skip
        local_rank, local_size = (_number(environ, name) for name in names[2:])
        if source == "srun":
            local_size = _slurm_local_size(environ)
        return Place(rank, size, local_rank, local_size, source)
    return Place(0, 1, 0, 1, "")


def meeting(where, environ=None):
    """Finds where the processes exchange their addresses.

    Args:
      where: the Place of this process.
      environ: a dict; by default the environment.

    Returns:
      (host, port, token, whether a process outside of the job serves there).

    Raises:
      ValueError: the environment does not say it.
    """
    environ = os.environ if environ is None else environ
    given = environ.get("SLUICE_RENDEZVOUS")
    if given:
        host, _, port = given.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise ValueError(f'SLUICE_RENDEZVOUS must be HOST:PORT, not "{given}"')
        served = environ.get("SLUICE_RENDEZVOUS_SERVED") == "1"
        return host.strip("[]"), int(port), _token(environ, host, given), served
    job = _job(environ)
    port = _FIRST_PORT + int(hashlib.sha256(job.encode()).hexdigest(), 16) % _PORTS
    if where.local_size == where.size:
        return "localhost", port, _token(environ, "localhost", job), False
    if where.source == "srun" and environ.get("SLURM_STEP_NODELIST"):
        host = first_host(environ["SLURM_STEP_NODELIST"])
        return host, port, _token(environ, host, job), False
    raise ValueError(
        f"rank {where.rank} of {where.size} does not know where rank 0 is: set SLUICE_RENDEZVOUS to"
        " HOST:PORT, a free port of rank 0's host, the same for all ranks"
    )


def is_loopback(host):
    """Whether a name is one of the host itself."""
    return host in ("localhost", "::1") or host.startswith("127.")


def first_host(nodes):
    """The first host of a Slurm list of nodes: "gpu[03-07,9],login" -> "gpu03"."""
    found = re.match(r"([^,\[]+)(?:\[([^\],-]+))?", nodes)
    if not found:
        raise ValueError(f'SLURM_STEP_NODELIST is not a list of nodes: "{nodes}"')
    return found.group(1) + (found.group(2) or "")


def _number(environ, name):
    text = environ.get(name, "") if name else ""
    if not text:
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(f'{name} must be a number, not "{text}"')
    return int(text)


def _slurm_local_size(environ):
    """Of SLURM_STEP_TASKS_PER_NODE, such as "2(x3),1", the entry of this node; None if unknown."""
    node, counts = _number(environ, "SLURM_NODEID"), []
    for entry in environ.get("SLURM_STEP_TASKS_PER_NODE", "").split(","):
        found = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", entry)
        if found:
            counts += [int(found.group(1))] * int(found.group(2) or 1)
    return counts[node] if node is not None and node < len(counts) else None


def _job(environ):
    """A text that the processes of a job have in common, and other jobs have not."""
    parts = [environ[name] for name in _JOB_VARIABLES if environ.get(name)]
    # The local processes of mpirun and mpiexec have one parent.
    return "-".join(parts) if parts else f"parent {os.getppid()}"


def _token(environ, host, job):
    """The secret of the job, bytes."""
    if environ.get("SLUICE_RENDEZVOUS_TOKEN"):
        return environ["SLUICE_RENDEZVOUS_TOKEN"].encode()
    path = environ.get("SLUICE_TOKEN_FILE")
    if path:
        with open(path, "rb") as file:
            return file.read().strip()
    if not is_loopback(host) and environ.get("SLUICE_INSECURE") != "1":
        raise ValueError(
            f"the ranks meet at {host}, which other machines reach: set SLUICE_RENDEZVOUS_TOKEN to"
            " a secret that all ranks have, or SLUICE_INSECURE=1 on a network that you trust"
        )
    return f"sluice {os.getuid()} {job}".encode()
