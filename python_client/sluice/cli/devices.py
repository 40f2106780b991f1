# SPDX-License-Identifier: Apache-2.0
"""sluice devices: lists the tasks of a cluster and their devices."""

import json
from concurrent.futures import ThreadPoolExecutor

from .. import _sluice
from ..errors import OpError
from . import tasks
from .diagnosis import explain
from .figures import bytes_text, columns
from .progress import Progress

DESCRIPTION = """\
Lists the devices of every task of a cluster: their type, their memory as the task reports it, the
number of kernels for their type, and the version of the server.

The exit status is 1 if a task does not answer, or is another task than the cluster says. The output
names the task.
"""


def add(commands):
    command = commands.add_parser(
        "devices", help="list the devices of every task of a cluster", description=DESCRIPTION,
        allow_abbrev=False,
    )  # fmt: skip
    tasks.add_cluster_options(command)
    command.set_defaults(run=run)


def run(options):
    with Progress("sluice devices") as progress:
        progress.step("asking for the tasks of the cluster")
        addresses = tasks.chosen(options)
        progress.step(f"asking {len(addresses)} tasks")
        with ThreadPoolExecutor(max_workers=min(32, len(addresses) or 1)) as pool:
            asked = pool.map(lambda item: _ask(*item, options.timeout), addresses.items())
            known = dict(zip(addresses, asked))
    if options.json:
        print(json.dumps([_as_dict(n, addresses[n], known[n]) for n in tasks.in_order(known)]))
    else:
        _print_table(addresses, known)
    return int(any(isinstance(answer, str) for answer in known.values()))


def _ask(name, address, timeout):
    """Returns (version, devices, kernels by device type) of a task, or an error text."""
    try:
        task, version, found, kernels, *_ = _sluice.describe_task(address, timeout)
    except OpError as error:
        return explain(address, error)
    if task != name:
        return f"is another task: {tasks.short(task)}"
    return version, found, kernels


def _as_dict(name, address, answer):
    if isinstance(answer, str):
        return {"task": name, "address": address, "error": answer, "devices": []}
    version, found, kernels = answer
    devices = [
        {"name": device, "type": kind, "memory": memory, "kernels": kernels.get(kind, 0)}
        for device, kind, memory, _ in found
    ]
    return {"task": name, "address": address, "error": "", "version": version, "devices": devices}


def _print_table(addresses, known):
    rows = [("device", "memory", "kernels", "server", "version")]
    for name in tasks.in_order(known):
        if isinstance(known[name], str):
            print(f"{tasks.short(name)} at {addresses[name]} {known[name]}")
            continue
        version, found, kernels = known[name]
        for device, kind, memory, _ in found:
            count = str(kernels.get(kind, 0))
            rows.append((tasks.short(device), bytes_text(memory), count, addresses[name], version))
    for line in columns(rows, right=(1, 2)) if len(rows) > 1 else ():
        print(line)
