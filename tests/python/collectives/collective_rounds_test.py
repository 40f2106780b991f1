# SPDX-License-Identifier: Apache-2.0
"""Many collective operations between server processes: in any order, and for long.

SLUICE_ROUNDS is the number of rounds of the long test.
"""

import os
import random
import threading

import numpy as np
import sluice as sl
from collective_cluster import CollectiveCluster, name_of

TASKS = 4
ROUNDS = int(os.environ.get("SLUICE_ROUNDS", "2000"))
SECONDS = 120  # of a step


def all_reduce(value, instance):
    """The sum of the members' values of one dimension."""
    attrs = dict(
        T=sl.float32.as_datatype_enum, group_size=TASKS, group_key=1, instance_key=instance,
        merge_op="Add", final_op="Id", subdiv_offsets=[0],
    )  # fmt: skip
    name = f"reduce_{instance}"
    return sl.get_default_graph().create_op("CollectiveReduce", [value], attrs, name).outputs[0]


def on_all(cluster, work):
    """Calls work(task, session) on a thread for each task; raises the first error."""
    errors = []

    def run(task):
        try:
            with sl.Graph().as_default(), sl.device(f"{name_of(task)}/device:CPU:0"):
                config = sl.ConfigProto(device_filters=[name_of(task)])
                config.operation_timeout_in_ms = SECONDS * 1000
                work(task, sl.Session(cluster.target(task), config=config))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in range(TASKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in errors:
        raise error


def test_200_instances_in_any_order():
    def work(task, session):
        order = list(range(1, 201))
        random.Random(task).shuffle(order)
        base = np.arange(1000, dtype=np.float32)
        sums = {n: all_reduce(sl.constant(base * n + task), n) for n in order}
        for _ in range(5):
            for n, got in session.run(sums).items():
                np.testing.assert_array_equal(got, base * n * TASKS + sum(range(TASKS)))

    cluster = CollectiveCluster(TASKS)
    try:
        on_all(cluster, work)
    finally:
        cluster.close()


def held_by(cluster):
    """Resident MB, threads and descriptors of the servers, added up."""
    threads = descriptors = 0
    for process in cluster.processes:
        threads += len(os.listdir(f"/proc/{process.pid}/task"))
        descriptors += len(os.listdir(f"/proc/{process.pid}/fd"))
    return sum(cluster.resident_mb()), threads, descriptors


def test_rounds_leave_nothing_behind():
    sizes = (1, 3, 1000, 5000, 20000)
    steps = ROUNDS // len(sizes)
    held = []
    measure = threading.Barrier(TASKS, action=lambda: held.append(held_by(cluster)))

    def work(task, session):
        inputs = [sl.constant(np.full([n], task + 1, np.float32)) for n in sizes]
        # The fetches are small, so that the clients do not add to the time.
        sums = [sl.reduce_max(all_reduce(value, 1 + i)) for i, value in enumerate(inputs)]
        with sl.control_dependencies([sl.reduce_min(total) for total in sums]):
            done = [sl.identity(total) for total in sums]
        callable_step = session.make_callable(done)
        for step in range(steps):
            if step in (steps // 2, steps - 1):
                measure.wait(SECONDS)
            assert callable_step() == [sum(range(1, TASKS + 1))] * len(sizes)

    cluster = CollectiveCluster(TASKS)
    try:
        on_all(cluster, work)
    finally:
        cluster.close()
    early, late = held
    print(f"{ROUNDS} rounds: MB, threads, descriptors {early} after half, {late} at the end")
    # A pool may start one more thread in each server.
    assert all(b <= a + more for a, b, more in zip(early, late, (16, TASKS, TASKS)))
