# SPDX-License-Identifier: Apache-2.0
"""Finds the tasks of a cluster, and asks each for its transports to the others."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import _sluice
from ..errors import OpError
from ..session.cluster import ClusterSpec
from .diagnosis import explain
from .figures import parse_seconds

_TASK = re.compile(r"/job:([^/]+)/replica:0/task:(\d+)")


class NoAnswerError(Exception):
    """The task that knows the others does not answer; the message says why."""


class PassedOver(NamedTuple):
    """A better transport than the chosen one, and why it is not used."""

    transport: str
    why: str
    rare: bool = False  # most pairs cannot have it, so the table leaves it out


@dataclass
class Choice:
    """The transport from a task to a peer. Where it is "", `passed_over` says why there is none."""

    address: str
    transport: str
    passed_over: list  # of PassedOver


@dataclass
class Task:
    name: str
    address: str
    error: str = ""  # why the task is not known
    choices: dict = field(default_factory=dict)  # peer -> Choice
    gpus: int = 0
    no_gpu: str = ""  # why there is none
    waiting: list = field(default_factory=list)  # groups and collective operations, a line each


def short(task):
    """ "/job:ps/task:0", as devices may be written."""
    return task.replace("/replica:0", "")


def in_order(names):
    """Jobs by name, tasks by number."""

    def key(name):
        match = _TASK.fullmatch(name)
        return (match[1], int(match[2])) if match else (name, 0)

    return sorted(names, key=key)


def add_cluster_options(command):
    """Adds the options that choose a cluster to a subcommand."""
    command.add_argument(
        "server", nargs="?", metavar="HOST:PORT",
        help="address of any task of the cluster; it knows the others",
    )  # fmt: skip
    command.add_argument(
        "--cluster", metavar="SPEC",
        help="the cluster, as for sluice-server: JSON or a file; default: TF_CONFIG",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON, not a table")
    command.add_argument(
        "--timeout", type=parse_seconds, default=25.0,
        help="time budget for the answer of a task; default 25",
    )  # fmt: skip


def chosen(options):
    """Returns {task: address} of the cluster that the options name.

    Raises ValueError if they name no cluster, or two.
    """
    if options.server and options.cluster:
        raise ValueError("give a server or a cluster, not both")
    if options.server:
        return of_server(options.server, options.timeout)
    if options.cluster:
        return of_spec(options.cluster)
    if "TF_CONFIG" not in os.environ:
        raise ValueError("which cluster? give --cluster or a server's HOST:PORT, or set TF_CONFIG")
    return of_tf_config(os.environ["TF_CONFIG"])


def of_tf_config(text):
    """{task: address} of the cluster in the variable TF_CONFIG. ValueError names it and says where
    it is broken."""
    try:
        config = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"TF_CONFIG is not JSON: {error}") from None
    if not isinstance(config, dict) or not config.get("cluster"):
        raise ValueError('TF_CONFIG has no "cluster"')
    return _tasks_of(config["cluster"], "TF_CONFIG")


def of_spec(text):
    """Reads {task: address} of a cluster from JSON or from a file. Raises ValueError."""
    source = "--cluster"
    if not text.lstrip().startswith("{"):
        if not os.path.isfile(text):
            raise ValueError(
                f'--cluster: "{text}" is not a cluster: neither a JSON object nor a file'
            )
        source = f"--cluster {text}"
        with open(text, encoding="utf-8") as file:
            text = file.read()
    try:
        spec = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{source}: this is not a cluster: not JSON: {error}") from None
    return _tasks_of(spec, source)


def _tasks_of(spec, source):
    try:
        spec = ClusterSpec(spec)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{source}: this is not a cluster: {error}") from None
    found = {
        f"/job:{job}/replica:0/task:{index}": spec.task_address(job, index)
        for job in spec.jobs
        for index in spec.task_indices(job)
    }
    for task, address in found.items():
        _check(short(task), address, source)
    return found


def _check(task, address, source):
    host, _, port = address.rpartition(":")
    if not host or not re.fullmatch("[0-9]+", port):
        raise ValueError(f'{source}: the address "{address}" of {task} must be HOST:PORT')
    if int(port) > 65535:
        raise ValueError(
            f'{source}: the address "{address}" of {task} has port {port}, which is out of range: '
            "it must be from 0 to 65535"
        )


def of_server(address, timeout):
    """Asks the task at `address` for its cluster. Returns {task: address}."""
    address = address.removeprefix("grpc://")
    _check("the task", address, "HOST:PORT")
    try:
        task, peers = _sluice.list_transports(address, timeout)
    except OpError as error:
        raise NoAnswerError(f"{address} {explain(address, error)}") from None
    return {task: address, **{peer: where for peer, where, _, _ in peers}}


def ask(name, address, timeout):
    """Asks the task at `address`, which should be `name`."""
    task = Task(name, address)
    try:
        found, peers = _sluice.list_transports(address, timeout)
    except OpError as error:
        task.error = explain(address, error)
    else:
        if found == name:
            for peer, where, transport, passed_over in peers:
                task.choices[peer] = Choice(
                    where, transport, [PassedOver(*one) for one in passed_over]
                )
            _ask_for_gpus(task, timeout)
        else:
            task.error = f"is another task: {found}"
    return task


def _ask_for_gpus(task, timeout):
    try:
        _, _, devices, _, task.no_gpu, task.waiting = _sluice.describe_task(task.address, timeout)
    except OpError as error:
        task.error = explain(task.address, error)
    else:
        task.gpus = sum(kind == "GPU" for _, kind, _, _ in devices)


def ask_all(addresses, timeout):
    """Asks all tasks at once. Returns {name: Task}."""
    with ThreadPoolExecutor(max_workers=min(32, len(addresses) or 1)) as pool:
        asked = pool.map(lambda item: ask(*item, timeout), addresses.items())
        return {task.name: task for task in asked}
