"""Which tasks a cluster has, and what each says of its roads to the others."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import _sluice
from ..cluster import ClusterSpec
from ..errors import OpError, UnimplementedError

_TASK = re.compile(r"/job:([^/]+)/replica:0/task:(\d+)")


class PassedOver(NamedTuple):
    """A better road than the chosen one, and why not."""

    road: str
    why: str
    rare: bool = False  # most pairs cannot have it: nobody asks why not


@dataclass
class Choice:
    """The road from a task to a peer. road "": there is none, and `passed_over` says why."""

    address: str
    road: str
    passed_over: list  # of PassedOver


@dataclass
class Task:
    name: str
    address: str
    error: str = ""  # why nothing is known of it
    choices: dict = field(default_factory=dict)  # peer -> Choice


def short(task):
    """ "/job:ps/task:0", as devices may be written."""
    return task.replace("/replica:0", "")


def in_order(names):
    """Jobs by name, tasks by number."""

    def key(name):
        match = _TASK.fullmatch(name)
        return (match[1], int(match[2])) if match else (name, 0)

    return sorted(names, key=key)


def of_spec(text):
    """{task: address} of a cluster as JSON, or in a file. ValueError: it is neither."""
    if not text.lstrip().startswith("{"):
        if not os.path.exists(text):
            raise ValueError(f'"{text}" is no cluster: neither a JSON object nor a file')
        with open(text, encoding="utf-8") as file:
            text = file.read()
    try:
        spec = ClusterSpec(json.loads(text))
    except (json.JSONDecodeError, TypeError) as error:
        raise ValueError(f"this is no cluster: {error}") from None
    return {
        f"/job:{job}/replica:0/task:{index}": spec.task_address(job, index)
        for job in spec.jobs
        for index in spec.task_indices(job)
    }


def of_server(address, timeout):
    """{task: address} of the cluster that the task at `address` belongs to, as it knows it."""
    task, peers = _sluice.list_roads(address, timeout)
    return {task: address, **{peer: where for peer, where, _, _ in peers}}


def ask(name, address, timeout):
    """What the task at `address` says, which should be `name`."""
    task = Task(name, address)
    try:
        found, peers = _sluice.list_roads(address, timeout)
    except UnimplementedError:
        task.error = "is no Sluice server: it does not know roads"
    except OpError as error:
        task.error = str(error)
    else:
        if found == name:
            for peer, where, road, passed_over in peers:
                task.choices[peer] = Choice(where, road, [PassedOver(*one) for one in passed_over])
        else:
            task.error = f"is another task: {found}"
    return task


def ask_all(addresses, timeout):
    """{name: Task}, all asked at once."""
    with ThreadPoolExecutor(max_workers=min(32, len(addresses) or 1)) as pool:
        asked = pool.map(lambda item: ask(*item, timeout), addresses.items())
        return {task.name: task for task in asked}
