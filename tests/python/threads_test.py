# SPDX-License-Identifier: Apache-2.0
"""The threads of local sessions and of servers are as many as their ConfigProto says."""

import os
import time

import harness
import pytest
import sluice as sl

pytestmark = pytest.mark.alone

CORES = os.cpu_count()


def threads(name):
    """How many threads of this process have that name: the kernel keeps 15 letters."""
    found = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/comm") as file:
                found += file.read().strip().startswith(name)
        except FileNotFoundError:  # it ended meanwhile
            pass
    return found


def comes_with(make, expected):
    """Asserts that so many threads (inter-op, intra-op) come with what make() gives."""
    before = threads("inter-op"), threads("intra-op")
    kept = make()
    for _ in range(100):  # a thread has the name of its parent until it runs
        found = threads("inter-op") - before[0], threads("intra-op") - before[1]
        if found == expected:
            break
        time.sleep(0.05)
    del kept
    assert found == expected, (found, expected)


def session(**config):
    """A local session that has run."""
    with sl.Graph().as_default():
        made = sl.Session(config=sl.ConfigProto(**config))
        assert made.run(sl.constant(2) + 3) == 5
    return made


def test_a_local_session_has_the_threads_it_asks_for():
    inter, intra = "inter_op_parallelism_threads", "intra_op_parallelism_threads"
    comes_with(lambda: session(**{inter: 3, intra: 5}), (3, 5))
    comes_with(lambda: session(**{inter: 1, intra: 1}), (1, 1))
    comes_with(lambda: session(**{inter: -1, intra: 2}), (1, 2))
    comes_with(session, (CORES, CORES))


def test_a_session_may_have_its_own_pools():
    pool = sl.messages.ThreadPoolOptionProto
    comes_with(
        lambda: session(use_per_session_threads=True, inter_op_parallelism_threads=4), (4, CORES)
    )
    one = {"session_inter_op_thread_pool": [pool(num_threads=6)], "intra_op_parallelism_threads": 2}
    comes_with(lambda: session(**one), (6, 2))
    two = {**one, "session_inter_op_thread_pool": [pool(num_threads=2), pool(num_threads=3)]}
    comes_with(lambda: session(**two), (5, 2))
    error = harness.raises(
        sl.errors.InvalidArgumentError,
        lambda: session(session_inter_op_thread_pool=[pool(num_threads=-2)]),
    )
    assert "num_threads" in error.message and "-2" in error.message


def test_a_run_may_name_one_of_the_sessions_pools():
    with sl.Graph().as_default():
        two = [sl.messages.ThreadPoolOptionProto(num_threads=n) for n in (1, 2)]
        made = sl.Session(config=sl.ConfigProto(session_inter_op_thread_pool=two))
        one = sl.constant(1)
        for pool in (-1, 0, 1):
            assert made.run(one, options=sl.RunOptions(inter_op_thread_pool=pool)) == 1
        harness.raises(
            sl.errors.InvalidArgumentError,
            lambda: made.run(one, options=sl.RunOptions(inter_op_thread_pool=2)),
            "Invalid inter_op_thread_pool: 2",
        )


def test_a_server_has_the_threads_of_its_config():
    config = sl.ConfigProto(inter_op_parallelism_threads=3, intra_op_parallelism_threads=4)
    made = []
    comes_with(lambda: made.append(sl.train.Server.create_local_server(config)), (3, 4))
    with sl.Graph().as_default():
        assert sl.Session(made[0].target).run(sl.constant(2) * 4) == 8
    made[0].stop()


def test_a_master_refuses_pools_of_sessions():
    with sl.Graph().as_default():
        server = sl.train.Server.create_local_server()
        config = sl.ConfigProto(use_per_session_threads=True)
        error = harness.raises(
            sl.errors.InvalidArgumentError,
            lambda: sl.Session(server.target, config=config).run(sl.constant(1)),
        )
        assert "Distributed session does not support session thread pool" in error.message
        server.stop()
