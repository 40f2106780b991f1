# SPDX-License-Identifier: Apache-2.0
"""What only TensorFlow 2's clients build: operations of communicators, groups by assignment, tokens
that order operations, and timeouts of operations. Two workers."""

import time

import numpy as np
from cluster_task import DEVICE, RANK, SIZE, TARGET, session_config, tf

raw = tf.raw_ops
OWN = np.float32([1.0, 2.0]) * (RANK + 1)
SUM = np.float32([1.0, 2.0]) * 3
ALL = {"group_assignment": np.zeros([0, 0], np.int32)}  # one group of all members
TIMEOUT = 2.0


def run(fetches):
    options = tf.RunOptions()
    options.experimental.collective_graph_key = 1
    with tf.Session(TARGET, config=session_config()) as session:
        return session.run(fetches, options=options)


def communicator(key, **more):
    return raw.CollectiveInitializeCommunicator(group_key=key, rank=RANK, group_size=SIZE, **more)


def test_communicators():
    made = communicator(1)
    total = raw.CollectiveReduceV3(input=OWN, communicator=made, reduction="Add", **ALL)
    with tf.control_dependencies([total]):
        swapped = raw.CollectiveAllToAllV3(input=OWN, communicator=made, **ALL)
    total, swapped = run([total, swapped])
    np.testing.assert_array_equal(total, SUM)
    np.testing.assert_array_equal(swapped, [RANK + 1.0, 2 * (RANK + 1.0)])


def test_assigned_groups():
    group = raw.CollectiveAssignGroupV2(
        group_assignment=[list(range(SIZE))], device_index=RANK, base_key=2
    )
    total = raw.CollectiveReduceV2(
        input=OWN, group_size=group.group_size, group_key=group.group_key, instance_key=1,
        ordering_token=[], merge_op="Add", final_op="Div",
    )  # fmt: skip
    np.testing.assert_array_equal(run(total), SUM / SIZE)


def test_tokens():
    token = raw.VarHandleOp(dtype=tf.float32, shape=[], shared_name=f"token {RANK}")
    keys = {"group_size": SIZE, "group_key": 3, "ordering_token": [token]}
    how = {"merge_op": "Add", "final_op": "Id"}
    rows = OWN[:, None]
    fetches = [
        raw.CollectiveGatherV2(input=OWN, instance_key=1, **keys),
        raw.CollectiveReduceScatterV2(input=rows, instance_key=2, **keys, **how),
        raw.CollectiveAllToAllV2(input=rows, instance_key=3, **keys),
    ]
    gathered, part, swapped = run(fetches)
    np.testing.assert_array_equal(gathered, [1.0, 2.0, 2.0, 4.0])
    np.testing.assert_array_equal(part, [[SUM[RANK]]])
    np.testing.assert_array_equal(swapped, [[RANK + 1.0], [2 * (RANK + 1.0)]])


def test_timeouts():
    """Worker 1 has no operation. The errors come in time and say who is missing."""
    if RANK == 1:
        return
    operation = raw.CollectiveReduceV2(
        input=OWN, group_size=SIZE, group_key=4, instance_key=1, ordering_token=[],
        merge_op="Add", final_op="Id", timeout_seconds=TIMEOUT,
    )  # fmt: skip
    for fetch in (operation, communicator(5, timeout_seconds=TIMEOUT)):
        begin = time.monotonic()
        try:
            run(fetch.op if fetch.dtype == tf.resource else fetch)
            raise AssertionError("it has a result")
        except tf.errors.DeadlineExceededError as error:
            assert "no member of /job:worker/replica:0/task:1 has joined" in error.message, error
        assert time.monotonic() - begin < TIMEOUT + 10


def test_wrong_ranks():
    wrong = raw.CollectiveInitializeCommunicator(group_key=6, rank=SIZE, group_size=SIZE)
    try:
        run(wrong.op)
        raise AssertionError("it has a result")
    except tf.errors.InvalidArgumentError as error:
        assert f"rank must be less than group size but got {SIZE}" in error.message, error


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tf.Graph().as_default(), tf.device(DEVICE):
                test()
            print(f"passed {name}", flush=True)


if __name__ == "__main__":
    main()
