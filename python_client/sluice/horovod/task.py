# SPDX-License-Identifier: Apache-2.0
"""This process's place among the ranks, and the server that runs its graphs."""

import atexit
import collections
import glob
import json
import os
import random
import socket
import sys

from ..tensorflow.process import ServerProcess
from ..tensorflow.servers import config_options
from . import clients, ranks
from .rendezvous import Rendezvous, RendezvousServer, seconds_from_environment

_GOODBYE_SECONDS = 5.0  # for the other ranks to end too: they may still read from this one
_FIRST_PORT = 10000
_PORTS_TRIED = 50
_TLS = (("tls_ca", "SLUICE_TLS_CA"), ("tls_cert", "SLUICE_TLS_CERT"),
        ("tls_key", "SLUICE_TLS_KEY"), ("token_file", "SLUICE_TOKEN_FILE"))  # fmt: skip

Numbers = collections.namedtuple(
    "Numbers", "rank size local_rank local_size cross_rank cross_size homogeneous", defaults=(True,)
)  # homogeneous: whether all hosts have as many ranks


class _Task:
    """The state between init() and shutdown()."""

    def __init__(self, numbers, server, target, rendezvous):
        self.numbers, self.server, self.target = numbers, server, target
        self.rendezvous = rendezvous


_task = []  # the _Task of this process, or nothing
_served = {}  # (host, port) -> RendezvousServer of rank 0, for further calls of init()


def start(config=None):
    """Finds the other ranks and starts this rank's server. A second call does nothing.

    Args:
      config: a ConfigProto, or None.

    Raises:
      RendezvousError: a rank is missing.
      ValueError: the environment makes no sense.
    """
    if _task:
        return
    client = clients.current()
    place = ranks.place()
    if place.size == 1:
        numbers = Numbers(0, 1, 0, 1, 0, 1)
        server, target = _serve(client, ["localhost:0"], numbers, config)
        _task.append(_Task(numbers, server, target, None))
        return
    host, port, token, served = ranks.meeting(place)
    seconds, meeting = seconds_from_environment(), None
    own_host = os.environ.get("SLUICE_HOST") or socket.gethostname()
    with _ReservedPort() as reserved:
        address = f"{'localhost' if ranks.is_loopback(host) else own_host}:{reserved.port}"
        try:
            if place.rank == 0 and not served:
                _serve_rendezvous(place.size, token, host, port, seconds)
            meeting = Rendezvous(
                host, port, token, place.rank, place.size, address, own_host, seconds
            )
            addresses = [member[0] for member in meeting.members]
            numbers = numbers_of(place, [member[1] for member in meeting.members])
            reserved.free()
            server, target = _serve(client, addresses, numbers, config)
        except BaseException:
            if meeting is not None:
                meeting.close()
            raise
    _task.append(_Task(numbers, server, target, meeting))


def stop(wait=True, ends=False):
    """Waits for the other ranks to end, then ends the server. Without a server it does nothing.

    Args:
      wait: whether it waits.
      ends: whether this process ends. Then TensorFlow closes the sessions that are left, for which
        it would wait in vain if its server were gone.
    """
    if not _task:
        return
    task = _task.pop()
    if task.rendezvous is not None:
        if wait:
            task.rendezvous.leave(_GOODBYE_SECONDS)
        else:
            task.rendezvous.close()
    if task.server is None:  # a test's, without one
        return
    if ends and clients.over_tensorflow():
        task.server.leave()
    else:
        task.server.stop(1.0)


def is_started():
    """Whether init() was called, and not shutdown()."""
    return bool(_task)


def numbers():
    """The Numbers of this process. ValueError before init()."""
    return _current().numbers


def ended_ranks():
    """The other ranks that have ended or are gone, a list."""
    rendezvous = _current().rendezvous
    return rendezvous.ended() if rendezvous is not None else []


def target_of_sessions():
    """The target of this process's sessions. ValueError before init()."""
    return _current().target


def _current():
    if not _task:
        raise ValueError("sluice.hvd is not initialized: call hvd.init() first")
    return _task[0]


def numbers_of(place, hosts):
    """The Numbers of a process.

    Args:
      place: its ranks.Place.
      hosts: the name of the host of each rank.
    """
    rank = place.rank
    locals_ = [hosts[:r].count(hosts[r]) for r in range(place.size)]
    local_rank = locals_[rank] if place.local_rank is None else place.local_rank
    local_size = hosts.count(hosts[rank]) if place.local_size is None else place.local_size
    # The ranks with the same local rank, one for each host that has so many.
    cross = [r for r in range(place.size) if locals_[r] == locals_[rank]]
    homogeneous = len({hosts.count(host) for host in hosts}) == 1
    return Numbers(
        rank, place.size, local_rank, local_size, cross.index(rank), len(cross), homogeneous
    )


class _ReservedPort:
    """A free port that no other process gets until free().

    The system gives it to no outgoing connection either, which could take it after free().
    """

    def __init__(self):
        for port in [*_ports_to_listen_at(), 0]:
            self._socket = socket.socket()
            try:
                self._socket.bind(("", port))
                break
            except OSError:
                self._socket.close()
                if port == 0:
                    raise
        self.port = self._socket.getsockname()[1]

    def free(self):
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()


def _ports_to_listen_at():
    """Some ports below those of outgoing connections, in random order."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
            first_outgoing = int(file.read().split()[0])
    except (OSError, ValueError):
        return []
    ports = range(_FIRST_PORT, first_outgoing)
    return random.SystemRandom().sample(ports, min(len(ports), _PORTS_TRIED))


def _serve_rendezvous(size, token, host, port, seconds):
    if (host, port) in _served:
        return
    bound = "127.0.0.1" if ranks.is_loopback(host) else "0.0.0.0"
    try:
        _served[host, port] = RendezvousServer(size, token, bound, port, seconds)
    except OSError as error:
        raise OSError(
            error.errno,
            f"rank 0 cannot serve the rendezvous at {host}:{port}: {error.strerror}; set"
            " SLUICE_RENDEZVOUS to HOST:PORT with a free port, for all ranks",
        ) from error


def _serve(client, addresses, numbers, config):
    """Starts the server of this rank; (server, target)."""
    bind = _bind(addresses)
    if client.in_process:
        return _serve_here(client, addresses, numbers, config, bind)
    cluster = {"worker": {str(i): address for i, address in enumerate(addresses)}}
    options = ["--cluster=" + json.dumps(cluster), "--job=worker", f"--task={numbers.rank}"]
    options += [f"--{key}" if value is True else f"--{key}={value}" for key, value in bind.items()]
    if config is not None:
        options += config_options(config)
    elif _gpu_of(numbers):
        options += ["--gpus=" + _gpu_of(numbers), "--gpus_optional"]
    server = ServerProcess(options)
    return server, server.target


def _serve_here(client, addresses, numbers, config, bind):
    sl = client.v1
    given, config = config, sl.ConfigProto()
    if given is not None:
        config.CopyFrom(given)
    if not config.gpu_options.visible_device_list and _gpu_of(numbers):
        config.gpu_options.visible_device_list = _gpu_of(numbers)
    files = {key: bind[key] for key, _ in _TLS if key in bind}
    server = sl.distribute.Server(
        {"worker": addresses}, "worker", numbers.rank, config=config,
        bind_host=bind.get("bind", ""), insecure="insecure" in bind,
        credentials=sl.Credentials(**files) if files else None,
    )  # fmt: skip
    return server, server.target


def _gpu_of(numbers):
    """The number of the GPU that a rank takes where there are several ranks and GPUs, a str."""
    gpus = len(glob.glob("/dev/nvidia[0-9]*"))
    return str(numbers.local_rank % gpus) if gpus and numbers.local_size > 1 else ""


def _bind(addresses):
    """The options of a server by which the other ranks reach it, as a dict."""
    files = {key: os.environ[name] for key, name in _TLS if os.environ.get(name)}
    if all(ranks.is_loopback(address.rpartition(":")[0]) for address in addresses):
        return files
    files["file_access"] = "write"  # the program saves checkpoints through its server
    if os.environ.get("SLUICE_INSECURE") == "1":
        return dict(files, bind="0.0.0.0", insecure=True)
    if "tls_ca" in files and "token_file" in files:
        return dict(files, bind="0.0.0.0")
    raise ValueError(
        "the ranks are on several hosts: set SLUICE_TLS_CA, SLUICE_TLS_CERT, SLUICE_TLS_KEY and"
        " SLUICE_TOKEN_FILE (docs/security.md), or SLUICE_INSECURE=1 on a network that you trust"
    )


@atexit.register
def _stop_at_exit():
    # A rank that fails does not wait: the others must see soon that it is gone.
    stop(wait=getattr(sys, "last_value", None) is None, ends=True)
