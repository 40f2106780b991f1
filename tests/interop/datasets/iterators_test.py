# SPDX-License-Identifier: Apache-2.0
"""Iterators on our servers: kinds, sharing, devices, ends of steps and of sessions."""

import re
import threading
import time

import numpy as np
import pytest
import tensorflow
from tensorflow.python.ops import gen_dataset_ops

from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
data = tf.data.Dataset


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"ps": 1, "worker": 2}) as ours:
        yield ours


@pytest.fixture(autouse=True)
def graph(request):
    """A graph of its own, whose resources no other test shares."""
    with tf.Graph().as_default() as made, tf.container(re.sub(r"\W|_", "-", request.node.name)):
        yield made


def numbers(session, following):
    seen = []
    while True:
        try:
            seen.append(int(session.run(following)))
        except tf.errors.OutOfRangeError:
            return seen


def test_an_iterator_needs_its_initializer(cluster):
    iterator = tf.data.make_initializable_iterator(data.range(3))
    following = iterator.get_next()
    with tf.Session(cluster.target()) as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            session.run(following)
        for _ in range(3):
            session.run(iterator.initializer)
            assert numbers(session, following) == [0, 1, 2]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(following)


def test_an_iterator_gets_other_data(cluster):
    size = tf.placeholder(tf.int64, [])
    first, second = data.range(size), data.range(10, 12)
    iterator = tf.data.Iterator.from_structure(
        tf.data.get_output_types(first), tf.data.get_output_shapes(first)
    )
    into_first, into_second = iterator.make_initializer(first), iterator.make_initializer(second)
    following = iterator.get_next()
    with tf.Session(cluster.target()) as session:
        session.run(into_first, {size: 4})
        assert [int(session.run(following)) for _ in range(2)] == [0, 1]
        session.run(into_second)
        assert numbers(session, following) == [10, 11]
        session.run(into_first, {size: 2})
        assert numbers(session, following) == [0, 1]


def test_a_handle_is_fed(cluster):
    first = tf.data.make_one_shot_iterator(data.range(5))
    second = tf.data.make_initializable_iterator(data.range(10, 13))
    handle = tf.placeholder(tf.string, [])
    iterator = tf.data.Iterator.from_string_handle(
        handle, tf.data.get_output_types(first), tf.data.get_output_shapes(first)
    )
    following = iterator.get_next()
    with tf.Session(cluster.target()) as session:
        session.run(second.initializer)
        handles = session.run([first.string_handle(), second.string_handle()])
        seen = [int(session.run(following, {handle: handles[i % 2]})) for i in range(6)]
        assert seen == [0, 10, 1, 11, 2, 12]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following, {handle: handles[1]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
            session.run(following, {handle: b"no handle"})


def test_other_elements_are_refused(cluster):
    iterator = tf.data.Iterator.from_structure(tf.float32, tf.TensorShape([2]))
    made = data.range(4)
    wrong = gen_dataset_ops.make_iterator(made._variant_tensor, iterator._iterator_resource)
    with tf.Session(cluster.target()) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Data type mismatch at component 0"
        ):
            session.run(wrong)


def test_sessions_share_an_iterator(cluster):
    iterator = tf.data.make_initializable_iterator(data.range(6), shared_name="shared")
    following = iterator.get_next()
    with tf.Session(cluster.target()) as one, tf.Session(cluster.target()) as other:
        one.run(iterator.initializer)
        assert [int(s.run(following)) for s in (one, other, one, other)] == [0, 1, 2, 3]


def test_each_session_has_its_own_iterator(cluster):
    iterator = tf.data.make_initializable_iterator(data.range(6))
    following = iterator.get_next()
    with tf.Session(cluster.target()) as first, tf.Session(cluster.target()) as second:
        first.run(iterator.initializer)
        assert first.run(following) == 0
        with pytest.raises(tf.errors.FailedPreconditionError):
            second.run(following)
        second.run(iterator.initializer)
        assert [second.run(following), first.run(following), first.run(following)] == [0, 1, 2]
    with tf.Graph().as_default():  # the same names, other elements
        iterator = tf.data.make_initializable_iterator(data.from_tensors("text"))
        following = iterator.get_next()
        with tf.Session(cluster.target()) as session:
            session.run(iterator.initializer)
            assert session.run(following) == b"text"


def test_a_data_set_cannot_leave_its_task():
    """The first tensor that goes to a peer waits for the choice of a transport."""
    with Cluster({"ps": 1, "worker": 1}) as fresh, tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            numbers = data.range(6)._variant_tensor
        with tf.device("/job:worker/task:0"):
            iterator = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape([]))
            made = tf.raw_ops.MakeIterator(dataset=numbers, iterator=iterator._iterator_resource)
        options = tf.RunOptions(timeout_in_ms=20000)
        with tf.Session(fresh.target()) as session:
            with pytest.raises(tf.errors.UnimplementedError, match="data set cannot be sent"):
                session.run(made, options=options)


def test_an_iterator_on_the_ps_feeds_a_worker(cluster):
    with tf.device("/job:ps/task:0"):
        iterator = tf.data.make_initializable_iterator(data.range(100).batch(10))
        following = iterator.get_next()
    with tf.device("/job:worker/task:1"):
        total = tf.reduce_sum(following)
    with tf.Session(cluster.target("worker")) as session:
        session.run(iterator.initializer)
        assert int(session.run(total)) == sum(range(10))
        assert int(session.run(total)) == sum(range(10, 20))


def test_a_map_reads_a_variable(cluster):
    with tf.device("/job:worker/task:0"):
        variable = tf.get_variable("v", initializer=np.int64(5), use_resource=True)
        iterator = tf.data.make_initializable_iterator(data.range(9).map(lambda x: x + variable))
        following = iterator.get_next()
    with tf.Session(cluster.target("worker")) as session:
        session.run([variable.initializer])
        session.run(iterator.initializer)
        assert int(session.run(following)) == 5
        session.run(variable.assign_add(10))
        assert int(session.run(following)) == 16


def test_optionals_end_without_an_error(cluster):
    iterator = tf.data.make_initializable_iterator(data.range(2))
    following = tf.data.experimental.get_next_as_optional(iterator)
    has = following.has_value()
    with tf.Session(cluster.target()) as session:
        session.run(iterator.initializer)
        assert [bool(session.run(has)) for _ in range(4)] == [True, True, False, False]


def test_elements_are_dealt_out_to_devices(cluster):
    made = data.range(7)
    types, shapes = [tf.int64], [tf.TensorShape([])]
    resource = gen_dataset_ops.multi_device_iterator(
        devices=["/cpu:0", "/cpu:0"],
        shared_name="",
        container="",
        output_types=types,
        output_shapes=shapes,
    )
    begin = gen_dataset_ops.multi_device_iterator_init(made._variant_tensor, resource, 2)
    run = tf.placeholder(tf.int64, [])
    shards = [
        gen_dataset_ops.multi_device_iterator_get_next_from_shard(
            resource, shard, run, output_types=types, output_shapes=shapes
        )[0]
        for shard in (0, 1)
    ]
    with tf.Session(cluster.target()) as session:
        number = session.run(begin)
        seen = [[int(v) for v in session.run(shards, {run: number})] for _ in range(3)]
        assert seen == [[0, 1], [2, 3], [4, 5]]
        assert int(session.run(shards[0], {run: number})) == 6
        for shard in shards:
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(shard, {run: number})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid incarnation"):
            session.run(shards[0], {run: number + 1})


def test_a_reduction_and_a_single_element(cluster):
    total = data.range(10).reduce(np.int64(100), lambda state, x: state + x)
    single = tf.data.experimental.get_single_element(data.range(7, 8))
    several = tf.data.experimental.get_single_element(data.range(2))
    with tf.Session(cluster.target()) as session:
        assert [int(v) for v in session.run([total, single])] == [145, 7]
        with pytest.raises(tf.errors.InvalidArgumentError, match="more than one element"):
            session.run(several)


def without_end(x):
    return tf.while_loop(lambda i: i >= 0, lambda i: i + 0 * x, [x])


def test_a_deadline_ends_a_wait_and_loses_nothing(cluster):
    def slow(x):
        return tf.cond(tf.equal(x, 1), lambda: delayed(x), lambda: x)

    def delayed(x):
        return tf.while_loop(lambda i: i < 3_000_000, lambda i: i + 1, [x]) * 0 + x

    iterator = tf.data.make_initializable_iterator(data.range(4).map(slow))
    following = iterator.get_next()
    with tf.Session(cluster.target()) as session:
        session.run(iterator.initializer)
        assert int(session.run(following)) == 0
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(following, options=tf.RunOptions(timeout_in_ms=100))
        assert [int(session.run(following)) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("parallel", [None, 4])
def test_closing_a_session_ends_what_waits(cluster, parallel):
    made = data.range(4).map(without_end, num_parallel_calls=parallel).prefetch(2)
    iterator = tf.data.make_initializable_iterator(made)
    following = iterator.get_next()
    session = tf.Session(cluster.target())
    session.run(iterator.initializer)
    ended = []

    def run():
        try:
            session.run(following)
        except tf.errors.OpError as error:
            ended.append(type(error))

    waiting = threading.Thread(target=run)
    waiting.start()
    time.sleep(0.5)
    session.close()
    waiting.join(5)
    assert not waiting.is_alive() and ended
    tf.Session.reset(cluster.target(), [tf.get_default_graph()._container])


def test_one_thread_for_nodes_suffices():
    """Stages end while the only thread of the pool runs a kernel that replaced their iterator."""
    made = data.range(1000).map(lambda x: tf.fill([100], x), num_parallel_calls=3)
    made = made.interleave(
        lambda x: data.from_tensor_slices(x).map(lambda v: v + 1),
        cycle_length=2,
        num_parallel_calls=2,
    ).prefetch(2)
    iterator = tf.data.make_initializable_iterator(made)
    following = iterator.get_next()
    extra = ["--inter_op_threads", "1", "--intra_op_threads", "1"]
    with Cluster({"worker": 1}, extra=extra) as ours, tf.Session(ours.target()) as session:
        for _ in range(30):
            session.run(iterator.initializer)
            assert [int(session.run(following)) for _ in range(3)] == [1, 2, 1]
