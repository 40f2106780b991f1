# SPDX-License-Identifier: Apache-2.0
"""Runs a parameter server and two workers in one program: variables on the first, work on the
others."""

import socket

import sluice as sl


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


ps, *workers = (f"localhost:{port}" for port in free_ports(3))
cluster = sl.train.ClusterSpec({"ps": [ps], "worker": workers})
servers = [
    sl.train.Server(cluster, job, task)
    for job in cluster.jobs
    for task in cluster.task_indices(job)
]

with sl.device("/job:ps/task:0"):
    weights = sl.Variable([1.0, 2.0, 3.0], name="weights")
parts = []
for task in range(2):
    with sl.device(f"/job:worker/task:{task}"):
        parts.append(sl.reduce_sum(weights * float(task + 1)))
with sl.device("/job:ps/task:0"):
    update = weights.assign_add([1.0, 1.0, 1.0])

with sl.Session(servers[1].target) as session:
    for device in session.list_devices():
        print(device.name)
    session.run(sl.global_variables_initializer())
    print("parts:", session.run(parts))
    session.run(update.op)
    result = session.run(parts)
    print("after the update:", result)
    assert result == [9.0, 18.0]

for server in servers:
    server.stop()
