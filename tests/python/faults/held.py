# SPDX-License-Identifier: Apache-2.0
"""What a process holds: memory, threads, descriptors, segments of shared memory."""

import os
import re
import time

import numpy as np

# Threads that come and go as gRPC finds it fit, a few for each core.
GRPCS_OWN = {
    "event_engine", "grpc_global_tim", "timer_manager", "default-executo", "resolver-execut"
}  # fmt: skip


def threads_of(pid):
    names = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm") as name:
                names.append(name.read().strip())
        except (FileNotFoundError, ProcessLookupError):  # ended meanwhile
            pass
    return [name for name in names if name not in GRPCS_OWN]


def descriptors_of(pid):
    links = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            links.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
        except FileNotFoundError:  # closed meanwhile
            pass
    return links


def held_by(pid):
    """Resources of a process that its peers may have left: (descriptors, segments, threads)."""
    with open(f"/proc/{pid}/maps") as maps:
        # The double of CUDA makes its device memory of a file of its own.
        segments = sum("memfd:" in line and "cuda-double" not in line for line in maps)
    return np.array([len(descriptors_of(pid)), segments, len(threads_of(pid))])


def settled(pid, limit, time_budget=20):
    """The resources of the process, once they are within `limit`, or after the time budget."""
    end = time.monotonic() + time_budget
    while (held_by(pid) > limit).any() and time.monotonic() < end:
        time.sleep(0.1)
    return held_by(pid)


def resident_mb(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) / 1000


def listening_ports(pid):
    """The TCP ports of IPv4 at which a process listens."""
    inodes = {link[len("socket:[") : -1] for link in descriptors_of(pid)}
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sorted(
        int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and row[9] in inodes
    )
