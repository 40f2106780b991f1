# SPDX-License-Identifier: Apache-2.0
"""A cluster of workers that are members of groups."""

from faults.server_processes import ServerProcesses


def name_of(task):
    return f"/job:worker/replica:0/task:{task}"


class CollectiveCluster(ServerProcesses):
    """Servers /job:worker/task:0.. The transports of `links` are proxies, except shm."""

    def __init__(self, tasks, transport="auto", links=False):
        super().__init__({"worker": tasks}, transport, links)
