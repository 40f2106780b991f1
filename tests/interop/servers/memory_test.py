# SPDX-License-Identifier: Apache-2.0
"""Steps and messages that need more memory than a server may use.

Each ends with RESOURCE_EXHAUSTED, which says the limit and what uses the memory. The server stays
within the limit, and the next, smaller step runs.
"""

import re
import time
import zlib

import grpc
import pytest

from interop.programs.models import tf
from interop.tools.cluster import Cluster

pytestmark = pytest.mark.alone

tf.disable_v2_behavior()

raw = tf.raw_ops
MB = 1 << 20
LIMIT = 400 * MB
BESIDES = 64 * MB  # the program's file, and what grows between two measurements


@pytest.fixture(scope="module")
def started():
    with Cluster({"worker": 1}, extra=["--memory_limit=400M"]) as one:
        yield one


@pytest.fixture
def cluster(started):
    """The server of all tests. Each measures a peak of its own."""
    with open("/proc/%d/clear_refs" % started.processes["worker", 0].pid, "w") as peak:
        peak.write("5")
    return started


def size(megabytes):
    """A number of floats that no optimiser knows."""
    return tf.placeholder_with_default([megabytes * MB // 4], [1])


def one_tensor():
    return tf.reduce_sum(tf.fill(size(800), 1.0, name="too_large"))


def many_at_once():
    parts = [tf.fill(size(70), float(i), name="part_%d" % i) for i in range(8)]
    with tf.control_dependencies(parts):
        return tf.reduce_sum([part[0] for part in parts])


def tensor_in_a_loop():
    def body(x):
        return tf.concat([x, x], 0)

    return tf.while_loop(
        lambda x: True, body, [tf.zeros([1000])], shape_invariants=[tf.TensorShape([None])]
    )


def string_in_a_loop():
    return tf.while_loop(lambda s: True, lambda s: tf.strings.join([s, s]), [tf.constant("ab")])


def many_strings():
    text = tf.placeholder_with_default("x" * 1000, [])
    return tf.reduce_sum(tf.strings.length(tf.fill([1 << 21], text)))


def list_in_a_loop():
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)

    def body(i, array):
        return i + 1, array.write(i, tf.fill(size(1), tf.cast(i, tf.float32)))

    return tf.while_loop(lambda i, _: True, body, [0, array])[1].size()


def queue_in_a_loop():
    queue = tf.FIFOQueue(-1, tf.float32, shared_name="unbounded")

    def body(i):
        with tf.control_dependencies([queue.enqueue(tf.fill(size(1), 1.0))]):
            return i + 1

    return tf.while_loop(lambda i: True, body, [0])


def forever(change):
    """Runs a stateful op, with a number and 1 MB, again and again."""

    def body(i):
        with tf.control_dependencies([change(i, tf.fill(size(1), 1.0))]):
            return i + 1

    return tf.while_loop(lambda i: True, body, [tf.constant(0, tf.int64)])


def staging_area():
    return forever(lambda i, value: raw.Stage(values=[value], shared_name="staged"))


def barrier():
    handle = raw.Barrier(component_types=[tf.float32], shapes=[[MB // 4]])

    def insert(i, value):
        return raw.BarrierInsertMany(
            handle=handle, keys=[tf.as_string(i)], values=[value], component_index=0
        )

    return forever(insert)


def table():
    handle = raw.MutableHashTableOfTensorsV2(
        key_dtype=tf.int64, value_dtype=tf.float32, value_shape=[MB // 4]
    )

    def insert(i, value):
        return raw.LookupTableInsertV2(table_handle=handle, keys=[i], values=[value])

    return forever(insert)


def tensor_list():
    handle = raw.EmptyTensorList(
        element_shape=[MB // 4], max_num_elements=-1, element_dtype=tf.float32
    )
    return tf.while_loop(
        lambda handle: True,
        lambda handle: raw.TensorListPushBack(input_handle=handle, tensor=tf.fill(size(1), 1.0)),
        [handle],
    )


def megabytes():
    return tf.data.Dataset.range(1 << 40).map(lambda i: tf.fill([MB // 4], tf.cast(i, tf.float32)))


def shuffle_buffer():
    return tf.data.make_one_shot_iterator(megabytes().shuffle(1 << 20)).get_next()


def cache():
    return tf.data.make_one_shot_iterator(
        megabytes().cache().filter(lambda value: value[0] < 0)
    ).get_next()


def nested_iterators():
    """Each iterator inside holds 1 MB."""
    sets = tf.data.Dataset.range(1 << 40).interleave(
        lambda i: tf.data.Dataset.from_tensors(tf.fill(size(1), tf.cast(i, tf.float32))).repeat(),
        cycle_length=4000,
        block_length=1,
    )
    return tf.data.make_one_shot_iterator(sets.filter(lambda value: value[0] < 0)).get_next()


def shuffle_buffer_inside():
    sets = tf.data.Dataset.range(1 << 40).flat_map(lambda _: megabytes().shuffle(1 << 20))
    return tf.data.make_one_shot_iterator(sets).get_next()


def shard_of_another_device():
    """The elements of device 1, which asks for none, wait for it."""
    iterator = raw.MultiDeviceIterator(
        devices=["/device:CPU:0", "/device:CPU:1"],
        shared_name="dealt",
        container="",
        output_types=[tf.float32],
        output_shapes=[[None]],
    )
    incarnation = raw.MultiDeviceIteratorInit(
        dataset=megabytes()._variant_tensor,
        multi_device_iterator=iterator,
        max_buffer_size=1 << 20,
    )

    def body(i):
        got = raw.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=iterator,
            shard_num=0,
            incarnation_id=incarnation,
            output_types=[tf.float32],
            output_shapes=[[None]],
        )
        with tf.control_dependencies(got):
            return i + 1

    return tf.while_loop(lambda i: True, body, [tf.constant(0, tf.int64)])


def rows_of_a_sparse_matrix():
    made = raw.SparseTensorToCSRSparseMatrix(
        indices=tf.zeros([0, 2], tf.int64),
        values=tf.zeros([0]),
        dense_shape=tf.placeholder_with_default(tf.constant([1 << 29, 2], tf.int64), [2]),
    )
    return raw.SparseMatrixNNZ(sparse_matrix=made)


def rows_of_a_cross():
    """Many columns without a value, of so many rows."""
    columns = 8
    made = raw.SparseCross(
        indices=[tf.zeros([0, 2], tf.int64)] * columns,
        values=[tf.zeros([0], tf.int64)] * columns,
        shapes=[tf.placeholder_with_default(tf.constant([1 << 24, 1], tf.int64), [2])] * columns,
        dense_inputs=[],
        hashed_output=True,
        num_buckets=10,
        hash_key=1,
        out_type=tf.int64,
        internal_type=tf.int64,
    )
    return made.output_shape


def rows_of_a_ragged_tensor():
    """A row of a million rows, picked so often."""
    made = raw.RaggedGather(
        params_nested_splits=[[0, 1 << 20], tf.zeros([(1 << 20) + 1], tf.int64)],
        params_dense_values=tf.zeros([0]),
        indices=tf.zeros(tf.placeholder_with_default([100], [1]), tf.int32),
        OUTPUT_RAGGED_RANK=2,
    )
    return tf.shape(made.output_dense_values)


IN_DATA_SETS = [
    shuffle_buffer,
    cache,
    nested_iterators,
    shuffle_buffer_inside,
    shard_of_another_device,
]
TOO_MUCH = [
    one_tensor,
    many_at_once,
    tensor_in_a_loop,
    string_in_a_loop,
    many_strings,
    list_in_a_loop,
    queue_in_a_loop,
    staging_area,
    barrier,
    table,
    tensor_list,
    rows_of_a_cross,
    rows_of_a_ragged_tensor,
    *IN_DATA_SETS,
]
if hasattr(raw, "SparseMatrixNNZ"):  # of TensorFlow 2
    TOO_MUCH.append(rows_of_a_sparse_matrix)


def memory(cluster, kind="VmHWM"):
    """Of the server, in bytes; VmHWM is the peak, VmRSS the present."""
    with open("/proc/%d/status" % cluster.processes["worker", 0].pid) as status:
        return int(re.search(kind + r":\s+(\d+)", status.read()).group(1)) << 10


@pytest.mark.parametrize("program", TOO_MUCH, ids=[p.__name__ for p in TOO_MUCH])
def test_more_than_the_limit_is_an_error(cluster, program):
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        step = program()
        with pytest.raises(tf.errors.ResourceExhaustedError) as error:
            session.run(step, options=tf.RunOptions(timeout_in_ms=300000))
        assert "OOM" in str(error.value) and "limit %d" % LIMIT in str(error.value)
        if program is one_tensor:
            assert "too_large" in str(error.value)
        if program is many_at_once:
            assert re.search(r"largest: \d+ bytes of part_\d", str(error.value))
        if program in IN_DATA_SETS:  # what made the elements that they hold
            assert re.search(r"largest: \d+ bytes of Fill", str(error.value))
    a_smaller_step_runs(cluster)


def a_smaller_step_runs(cluster):
    tf.Session.reset(cluster.target())  # queues keep what is in them
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        small = tf.reduce_sum(tf.fill(size(100), 2.0))
        assert session.run(small) == 200 * MB // 4
    assert memory(cluster) < LIMIT + BESIDES


def test_a_prefetch_buffer_beyond_the_limit(cluster):
    """The error comes where the element would, after those that are in the buffer."""
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        first = tf.data.make_one_shot_iterator(megabytes().prefetch(1 << 20)).get_next()[0]
        assert session.run(first) == 0
        end = time.monotonic() + 60
        while memory(cluster, "VmRSS") < 3 * LIMIT // 4 and time.monotonic() < end:
            time.sleep(0.05)
        with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM.*limit %d" % LIMIT):
            for i in range(1, 1 << 20):
                assert session.run(first) == i
        assert i > 100
    a_smaller_step_runs(cluster)


def refused(cluster, request, compression=None):
    """The error of CreateSession for a request of these bytes."""
    target = cluster.target().replace("grpc://", "")
    options = [("grpc.max_send_message_length", -1)]
    with grpc.insecure_channel(target, options, compression=compression) as channel:
        create = channel.unary_unary("/tensorflow.MasterService/CreateSession")
        with pytest.raises(grpc.RpcError) as error:
            create(request, timeout=60)
    return error.value


def test_a_compressed_message_that_holds_more_than_the_limit(cluster):
    squeeze = zlib.compressobj(1, wbits=31)
    gzip = b"".join([squeeze.compress(bytes(MB)) for _ in range(700)] + [squeeze.flush()])
    error = refused(cluster, gzip)
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED, error
    assert "limit %d" % LIMIT in error.details(), error
    a_smaller_step_runs(cluster)


def test_a_message_beyond_the_limit(cluster):
    error = refused(cluster, bytes(700 * MB))
    assert error.code() in (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE), error
    a_smaller_step_runs(cluster)


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_requests_may_be_compressed(cluster, compression):
    """A graph of many nodes "a" without an op."""
    error = refused(cluster, b"\n\x05\n\x03\n\x01a" * 1000, compression)
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
    assert '"a"' in error.details(), error
