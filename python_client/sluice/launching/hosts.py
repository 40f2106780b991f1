# SPDX-License-Identifier: Apache-2.0
"""The hosts of a job, and which process runs where."""

import os
import random
import re
import socket
from typing import NamedTuple

_FIRST_PORT, _AFTER_LAST_PORT = 10000, 32768  # below the ports that systems give to clients
_LINE = re.compile(r"([^\s:=]+)(?::(\d+)|\s+slots=(\d+))?")


class Host(NamedTuple):
    name: str
    slots: int

    @property
    def is_local(self):
        return self.name in _names_of_this_machine()


class Place(NamedTuple):
    """Where a process runs: its number on the host, and those of the hosts with that number."""

    host: Host
    local_rank: int
    local_size: int
    cross_rank: int
    cross_size: int


def _names_of_this_machine():
    name = socket.gethostname()
    return {"localhost", "127.0.0.1", name, name.partition(".")[0]}


def parse_hosts(text):
    """Reads hosts from the text of an option.

    Args:
      text: entries HOST:SLOTS with commas between them, or the path of a file that has on each line
        HOST, HOST:SLOTS or HOST slots=SLOTS. A "#" begins a comment.

    Returns:
      A list of Host, each once. An entry without a number has one slot.

    Raises:
      ValueError: an entry is broken, or there is none.
    """
    source, lines = "-H", text.split(",")
    if os.path.isfile(text):
        source = text
        with open(text, encoding="utf-8") as file:
            lines = [line.partition("#")[0] for line in file]
        lines = [line for line in lines if line.strip()]
    hosts = {}  # by name; this machine, which has several names, is None
    for entry in (line.strip() for line in lines):
        found = _LINE.fullmatch(entry)
        slots = int((found and (found[2] or found[3])) or 1)
        if not found or not slots or entry.startswith("-"):
            raise ValueError(f'{source}: "{entry}" must be HOST:SLOTS, such as localhost:4')
        host = Host(found[1], slots)
        key = None if host.is_local else host.name
        if key in hosts:
            host = Host(hosts[key].name, hosts[key].slots + slots)
        hosts[key] = host
    if not hosts:
        raise ValueError(f"{source}: there is no host in it")
    return list(hosts.values())


def places(hosts, count):
    """Gives processes to hosts, in order, until their slots are full.

    Args:
      hosts: a list of Host.
      count: number of processes.

    Returns:
      A list of Place.

    Raises:
      ValueError: there are fewer slots.
    """
    slots = [(h, slot) for h, host in enumerate(hosts) for slot in range(host.slots)]
    if count > len(slots):
        raise ValueError(f"{count} processes are more than the {len(slots)} slots of the hosts")
    taken = slots[:count]
    return [
        Place(
            hosts[h], slot, sum(other == h for other, _ in taken),
            sum(s == slot for other, s in taken if other < h), sum(s == slot for _, s in taken),
        )
        for h, slot in taken
    ]  # fmt: skip


def addresses(where, first_port):
    """An address for each place. Local places get free ports, others count from first_port.

    Args:
      where: a list of Place.
      first_port: the port of the first process on another host.

    Returns:
      A list of str HOST:PORT.
    """
    ports = iter(free_ports(len(where)))
    remote = any(not place.host.is_local for place in where)
    made = []
    for place in where:
        if place.host.is_local:
            name = socket.gethostname() if remote else "localhost"
            made.append(f"{name}:{next(ports)}")
        else:
            made.append(f"{place.host.name}:{first_port + place.local_rank}")
    return made


def free_ports(count):
    """Ports that nothing listens at now, below those that outgoing connections get."""
    found, sockets = [], []
    candidates = range(_FIRST_PORT, _AFTER_LAST_PORT)
    for port in random.SystemRandom().sample(candidates, len(candidates)):
        if len(found) == count:
            break
        one = socket.socket()
        try:
            one.bind(("", port))
        except OSError:
            one.close()
            continue
        sockets.append(one)
        found.append(port)
    for one in sockets:
        one.close()
    if len(found) < count:
        raise OSError(f"there are no {count} free ports")
    return found
