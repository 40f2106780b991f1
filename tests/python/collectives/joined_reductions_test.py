# SPDX-License-Identifier: Apache-2.0
"""Small reductions that become one: by default with our client, and by TensorFlow's option. The
results are the same bits, and members that do not join alike get an error."""

import threading
import time

import numpy as np
import pytest
import sluice as sl
from collective_cluster import CollectiveCluster, name_of

pytestmark = pytest.mark.alone

MEMBERS = 3
SHAPES = [(3,), (), (0, 2), (7, 5), (1024,)]
OFF, ON = 2, 1
LIMIT = 30.0


@pytest.fixture(scope="module")
def cluster():
    made = CollectiveCluster(MEMBERS)
    yield made
    made.close()


class Member:
    """A client of one task with reductions of the group `key`; those of one shape are a pair."""

    def __init__(self, cluster, task, key, rewrite=None):
        self.task = task
        self.graph = sl.Graph()
        draw = np.random.RandomState(task)
        with self.graph.as_default(), sl.device(f"{name_of(task)}/device:CPU:0"):
            self.reduced = [
                self._reduce(sl.constant(draw.standard_normal(shape).astype("float32")), key, n + 1)
                for n, shape in enumerate(SHAPES)
            ]
        config = sl.ConfigProto(device_filters=[f"/job:worker/task:{task}"])
        config.experimental.collective_group_leader = name_of(0)
        rewrites = config.graph_options.rewrite_options
        if rewrite is not None:
            rewrites.scoped_allocator_optimization = rewrite
        if rewrite == ON:
            rewrites.scoped_allocator_opts.enable_op.append("CollectiveReduce")
        self.session = sl.Session(cluster.target(task), graph=self.graph, config=config)

    def _reduce(self, value, key, instance):
        attrs = dict(
            T=sl.float32.as_datatype_enum, group_size=MEMBERS, group_key=key, instance_key=instance,
            merge_op="Add", final_op="Div", subdiv_offsets=[0],
        )  # fmt: skip
        graph = sl.get_default_graph()
        return graph.create_op("CollectiveReduce", [value], attrs, f"r{instance}").outputs[0]

    def run(self, fetches, seconds=LIMIT):
        """(values, number of reductions that the servers ran)."""
        options = sl.RunOptions(timeout_in_ms=int(1000 * seconds), output_partition_graphs=True)
        seen = sl.RunMetadata()
        values = self.session.run(fetches, options=options, run_metadata=seen)
        ops = [node.op for graph in seen.partition_graphs for node in graph.node]
        return values, ops.count("CollectiveReduce")


def on_all(members, run):
    """What run(member) returns or raises on each member, at the same time."""
    results = [None] * len(members)

    def call(number, member):
        try:
            results[number] = run(member)
        except sl.errors.OpError as error:
            results[number] = error

    threads = [threading.Thread(target=call, args=item) for item in enumerate(members)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * LIMIT)
    return results


def members_of(cluster, key, *rewrites):
    return [Member(cluster, task, key, rewrite) for task, rewrite in enumerate(rewrites)]


def test_joined_reductions_have_the_same_bits(cluster):
    found = {}
    for key, rewrite in ((1, None), (2, ON), (3, OFF)):
        members = members_of(cluster, key, *[rewrite] * MEMBERS)
        for _ in range(2):
            results = on_all(members, lambda member: member.run(member.reduced))
            for result in results:
                assert not isinstance(result, Exception), result
                values, count = result
                assert count == (len(SHAPES) if rewrite == OFF else 1)
                found.setdefault(rewrite, values)
                for value, shape, expected in zip(values, SHAPES, found[rewrite]):
                    assert value.shape == shape and np.array_equal(value, expected)
    for joined, asked, apart in zip(found[None], found[ON], found[OFF]):
        assert np.array_equal(joined, asked)
        np.testing.assert_allclose(joined, apart, rtol=1e-5, atol=1e-6)


def test_members_that_do_not_join_alike_are_told(cluster):
    members = members_of(cluster, 4, None, OFF, None)
    since = time.monotonic()
    results = on_all(members, lambda member: member.run(member.reduced))
    assert time.monotonic() - since < 10
    for error in results:
        assert isinstance(error, sl.errors.InvalidArgumentError), error
        assert "scoped_allocator_optimization of all sessions must be equal" in str(error)


def test_members_that_fetch_other_reductions_end_at_the_deadline(cluster):
    """One waits for a reduction that the others have joined to another one."""
    members = members_of(cluster, 5, *[None] * MEMBERS)
    fetches = {0: members[0].reduced[3:], 1: members[1].reduced[3:], 2: members[2].reduced[4]}
    # Its deadline comes first: it asks the others while they still wait.
    seconds = {0: LIMIT, 1: LIMIT, 2: 2.0}
    results = on_all(members, lambda member: member.run(fetches[member.task], seconds[member.task]))
    for error in results:
        assert isinstance(error, sl.errors.OpError), error
    assert "has joined it to instance 4, which it runs" in str(results[2]), results[2]


@pytest.mark.parametrize("numbers", [[0, 1, 2, 3, 4], [3], [1, 3], [4, 0]])
def test_each_signature_joins_what_it_has(cluster, numbers):
    members = members_of(cluster, 10 + numbers[0], *[None] * MEMBERS)
    results = on_all(members, lambda member: member.run([member.reduced[n] for n in numbers]))
    for result in results:
        assert not isinstance(result, Exception), result
        assert result[1] == 1
