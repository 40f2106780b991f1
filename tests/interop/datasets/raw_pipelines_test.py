# SPDX-License-Identifier: Apache-2.0
"""Data sets that few programs use, on TensorFlow and on our server, most by their raw ops.

raw_pipelines_test.py [-k NAME]
"""

import threading
import time

import numpy as np
import pytest
import tensorflow

from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
MAJOR = int(tensorflow.__version__.split(".")[0])
data = tf.data.Dataset
experimental = tf.data.experimental

CASES = {}
REFUSED = {}


def case(build):
    CASES[build.__name__] = build
    return build


def refused(build):
    REFUSED[build.__name__] = build
    return build


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def structure(made):
    return made.element_spec


def variant(made):
    return made._variant_tensor


def raw(op, made, like=None, **args):
    """The raw op of `made`, whose elements are as those of `like`."""
    from tensorflow.python.data.ops import dataset_ops

    like = made if like is None else like
    types = tensorflow.nest.flatten(tf.data.get_output_types(like))
    shapes = tensorflow.nest.flatten(tf.data.get_output_shapes(like))
    handle = getattr(tf.raw_ops, op)(
        input_dataset=variant(made), output_types=types, output_shapes=shapes, **args
    )
    return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, structure(like)))


def check(x):
    """An error for 2."""
    return tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "x")


# --- batches of replicas ---


@case
def replicas_get_equal_pieces():
    return raw("RebatchDataset", data.range(17).batch(8), num_replicas=np.int64(3))


@case
def replicas_of_few_rows():
    return raw("RebatchDataset", data.range(9).batch(4), num_replicas=np.int64(5))


# --- sparse tensors ---


def sparse():
    return tf.SparseTensor([[0, 1], [0, 3], [2, 0], [5, 4]], ["a", "b", "c", "d"], [7, 5])


@case
def rows_of_a_sparse_tensor():
    return data.from_sparse_tensor_slices(sparse()).map(
        lambda *row: tf.sparse.to_dense(tf.SparseTensor(*row), "-")
    )


@case
def rows_of_a_sparse_vector():
    vector = tf.SparseTensor([[1], [2]], np.float32([4, 5]), [4])
    return data.from_sparse_tensor_slices(vector)


@refused
def rows_out_of_order():
    return data.from_sparse_tensor_slices(tf.SparseTensor([[2, 1], [0, 3]], [1, 2], [4, 4]))


def dense_rows():
    return data.range(1, 8).map(lambda x: tf.fill([x % 4, 2], tf.cast(x, tf.float32)))


def densified(made):
    return made.map(lambda x: (x.indices, x.values, x.dense_shape))


@case
def sparse_batches():
    return densified(dense_rows().apply(experimental.dense_to_sparse_batch(3, [4, 2])))


@case
def sparse_batches_of_open_sizes():
    rows = data.range(1, 8).map(lambda x: tf.fill([x % 4], tf.strings.as_string(x)))
    return densified(rows.apply(experimental.dense_to_sparse_batch(2, [None])))


@case
def sparse_batches_with_large_rows():
    return densified(dense_rows().apply(experimental.dense_to_sparse_batch(2, [2, 2])))


@case
def sparse_batches_of_another_rank():
    rows = data.range(5).map(lambda x: tf.fill(tf.fill([x % 2 + 1], np.int64(2)), x))
    return densified(rows.apply(experimental.dense_to_sparse_batch(1, [3])))


@refused
def sparse_batches_of_none():
    return densified(dense_rows().apply(experimental.dense_to_sparse_batch(0, [2, 2])))


# --- windows and groups ---


def sliding(made, size, shift, stride, **args):
    names = tensorflow.nest.map_structure(
        lambda shape: tf.TensorShape([None]).concatenate(shape), tf.data.get_output_shapes(made)
    )
    like = data.from_generator(lambda: iter([]), tf.data.get_output_types(made), names)
    return raw(
        "SlidingWindowDataset", made, like,
        window_size=size, window_shift=shift, window_stride=stride, **args,
    )  # fmt: skip


@case
def sliding_windows():
    return sliding(data.range(11), 4, 2, 1)


@case
def sliding_windows_with_gaps():
    return sliding(data.range(19), 2, 5, 3)


@case
def sliding_windows_of_an_even_end():
    return sliding(data.range(12), 2, 4, 1)


@case
def sliding_windows_with_errors():
    return sliding(data.range(12).map(check), 2, 1, 1)


@case
def sliding_windows_of_uneven_rows():
    return sliding(data.range(5).map(lambda x: tf.fill([x // 3], x)), 2, 1, 1)


def sliding_windows_with_remainders():
    return sliding(data.range(11), 4, 3, 2, drop_remainder=False)


if MAJOR > 1:
    case(sliding_windows_with_remainders)


@refused
def sliding_windows_of_nothing():
    return sliding(data.range(11), 0, 2, 1)


@refused
def sliding_windows_that_stand():
    return sliding(data.range(11), 1, 0, 1)


@refused
def sliding_windows_without_stride():
    return sliding(data.range(11), 1, 1, 0)


def reducer(finalize=lambda count, total: (count, total)):
    return experimental.Reducer(
        init_func=lambda key: (np.int64(0), key * 100),
        reduce_func=lambda state, x: (state[0] + 1, state[1] + x),
        finalize_func=finalize,
    )


@case
def reduced_groups():
    return data.range(17).apply(experimental.group_by_reducer(lambda x: -(x % 4), reducer()))


@case
def reduced_groups_with_errors():
    return data.range(6).apply(
        experimental.group_by_reducer(
            lambda x: x, reducer(lambda count, total: (count, check(total / 101)))
        )
    )


@case
def reduced_groups_of_errors():
    return (
        data.range(6)
        .map(lambda x: (x, check(x)))
        .apply(experimental.group_by_reducer(lambda x, _: x % 2, reducer_of_pairs()))
    )


def reducer_of_pairs():
    return experimental.Reducer(
        init_func=lambda key: np.float32(0),
        reduce_func=lambda state, pair: state + pair[1],
        finalize_func=lambda state: state,
    )


# --- choices ---


@case
def sampled_by_rate():
    return raw("SamplingDataset", data.range(200), rate=0.2, seed=3, seed2=7)


@case
def sampled_by_rate_each_time():
    return raw("SamplingDataset", data.range(40), rate=0.5, seed=5, seed2=0).repeat(2)


def fastest(*inputs, experiments=3):
    from tensorflow.python.data.ops import dataset_ops

    handle = tf.raw_ops.ChooseFastestDataset(
        input_datasets=[variant(made) for made in inputs],
        num_experiments=experiments,
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, structure(inputs[0])))


@case
def chosen_fastest():
    return fastest(data.range(9), data.range(9).map(lambda x: x + 0), data.range(9).prefetch(1))


@case
def chosen_fastest_of_few():
    return fastest(data.range(2), data.range(2), experiments=5)


@refused
def fastest_of_other_sizes():
    return fastest(data.range(4), data.range(5))


def branches(made, functions, elements, numerator=1, denominator=1):
    from tensorflow.python.data.ops import dataset_ops

    def branch(function):
        @tensorflow.function(input_signature=[tf.TensorSpec([], tf.variant)])
        def of(handle):
            taken = dataset_ops._VariantDataset(handle, structure(made))
            return variant(function(taken))

        return of.get_concrete_function()

    handle = tf.raw_ops.ChooseFastestBranchDataset(
        input_dataset=variant(made),
        ratio_numerator=numerator,
        ratio_denominator=denominator,
        other_arguments=[],
        num_elements_per_branch=elements,
        branches=[branch(function) for function in functions],
        other_arguments_lengths=[0] * len(functions),
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, structure(made)))


def plus_one(made):
    return made.map(lambda x: x + 1)


def plus_one_in_parallel(made):
    return made.map(lambda x: x + 1, num_parallel_calls=2)


@case
def fastest_branch():
    return branches(data.range(14), [plus_one, plus_one_in_parallel], 3)


@case
def fastest_branch_of_many_inputs():
    return branches(data.range(14), [lambda made: made.filter(lambda x: x % 2 > 0)] * 2, 2, 2, 1)


@case
def fastest_branch_of_few():
    return branches(data.range(4), [plus_one, plus_one_in_parallel, plus_one], 3)


def fastest_branch_that_repeats():
    return branches(data.range(5), [lambda made: made.repeat(2)] * 2, 3)


@refused
def fastest_branch_without_ratio():
    return branches(data.range(14), [plus_one] * 2, 3, 1, 2)


def pooled(made, threads, name):
    handle = tf.raw_ops.ThreadPoolHandle(num_threads=threads, display_name=name)
    return raw("ThreadPoolDataset", made, thread_pool=handle)


def pooled_map():
    def step(x):
        return tf.while_loop(lambda i: i < 50, lambda i: i + 1, [x])

    made = (
        data.range(40)
        .map(step, num_parallel_calls=8)
        .flat_map(lambda x: data.range(x, x + 2).map(lambda y: y * 2, num_parallel_calls=2))
    )
    return pooled(made, 2, "pooled")


def pool_without_threads():
    return pooled(data.range(3), 0, "none")


def private_pool_without_threads():
    return raw("PrivateThreadPoolDataset", data.range(3), num_threads=0)


if MAJOR == 1:
    refused(pool_without_threads)
    refused(private_pool_without_threads)


@case
def hints_on_threads():
    made = raw("PrivateThreadPoolDataset", data.range(3), num_threads=2)
    return raw("MaxIntraOpParallelismDataset", made, max_intra_op_parallelism=1)


@refused
def fewer_threads_than_none():
    return raw("MaxIntraOpParallelismDataset", data.range(3), max_intra_op_parallelism=-1)


def wrapped():
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.ops import gen_dataset_ops

    made = data.range(4)
    handle = gen_dataset_ops.unwrap_dataset_variant(
        gen_dataset_ops.wrap_dataset_variant(variant(made))
    )
    return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, structure(made)))


case(wrapped)


# --- trials ---


@case
def slow():
    return raw("SleepDataset", data.range(4), sleep_microseconds=1000)


@refused
def too_fast():
    return raw("SleepDataset", data.range(4), sleep_microseconds=-1)


def counted(made, count):
    return made.apply(experimental.assert_cardinality(count))


def counted_elements():
    return counted(data.range(4), 4).concatenate(counted(data.range(3).repeat(0), 0))


def too_few_elements():
    return counted(data.range(2), 3)


def too_many_elements():
    return counted(data.range(6), 3)


def no_end_expected():
    return counted(data.range(3), experimental.INFINITE_CARDINALITY)


def unknown_count_expected():
    return counted(data.range(3), experimental.UNKNOWN_CARDINALITY)


def parallel_batches():
    """The op is ParallelBatchDataset."""
    return data.range(7).batch(3, num_parallel_calls=2)


def parallel_batches_without_remainder():
    return data.range(7).batch(3, drop_remainder=True, num_parallel_calls=2, deterministic=True)


if MAJOR > 1:
    for build in (
        parallel_batches,
        parallel_batches_without_remainder,
        counted_elements,
        too_few_elements,
        too_many_elements,
        no_end_expected,
        unknown_count_expected,
    ):
        case(build)


@pytest.mark.parametrize("name", CASES)
def test_elements_agree(name, cluster):
    for one_shot in (False, True):
        same(read(CASES[name], cluster.target(), one_shot), read(CASES[name], "", one_shot))


def refusal(name, build, target):
    """The class of the error, and its text, of a pipeline whose iterator cannot begin."""
    graph = tf.Graph()
    with graph.as_default(), tf.container(name), tf.Session(target, graph=graph) as session:
        iterator = tf.data.make_initializable_iterator(build())
        with pytest.raises(tf.errors.OpError) as error:
            session.run(iterator.initializer)
        return type(error.value), error.value.message


def refused_alike(name, build, cluster):
    name = name.replace("_", "-")
    ours, theirs = refusal(name, build, cluster.target()), refusal(name, build, "")
    assert ours[0] == theirs[0], (ours, theirs)
    assert theirs[1].split("\n")[0].split(" [[")[0].rstrip(".") in ours[1], (ours, theirs)


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused(name, cluster):
    refused_alike(name, REFUSED[name], cluster)


def test_a_sleep_ends_with_its_iterator(cluster):
    """A session that closes does not wait for a data set that sleeps for hours."""
    begin = time.monotonic()
    with tf.Graph().as_default(), tf.container("sleep-ends"):
        iterator = tf.data.make_initializable_iterator(
            raw("SleepDataset", data.range(4), sleep_microseconds=10**11)
        )
        following = iterator.get_next()
        with tf.Session(cluster.target()) as session:
            session.run(iterator.initializer)
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(following, options=tf.RunOptions(timeout_in_ms=200))
            ended = []

            def read_one():
                with pytest.raises(tf.errors.CancelledError):
                    session.run(following)
                ended.append(True)

            thread = threading.Thread(target=read_one)
            thread.start()
            time.sleep(0.2)
            session.run(iterator.initializer)
            thread.join(20)
            assert ended
    assert time.monotonic() - begin < 30


def test_a_branch_reads_its_input_once(cluster):
    for target in (cluster.target(), ""):
        seen = read(fastest_branch_that_repeats, target, False)
        assert seen[:6] == [[i] for i in range(5)] + ["InvalidArgumentError"]


def test_a_pool_limits_calls_and_keeps_elements(cluster):
    assert (
        read(pooled_map, cluster.target(), False)
        == [[2 * y] for x in range(40) for y in (max(x, 50), max(x, 50) + 1)][:60]
    )


def map_rows(rows, more, shapes):
    @tensorflow.function(input_signature=[tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.int64)])
    def body(x, y):
        return x * y, tf.fill([tf.cast(y, tf.int32)], tf.strings.as_string(x))

    return tf.raw_ops.MapDefun(
        arguments=[rows],
        captured_inputs=[more],
        f=body.get_concrete_function(),
        output_types=[tf.int64, tf.string],
        output_shapes=shapes,
    )


@pytest.mark.parametrize("count", (0, 1, 200))
@pytest.mark.parametrize("shapes", ([[], [2]], [None, None]))
def test_rows_of_calls(cluster, count, shapes):
    def values(target):
        with tf.Graph().as_default(), tf.Session(target) as session:
            try:
                return session.run(map_rows(np.arange(count), np.int64(2), shapes))
            except tf.errors.OpError as error:
                return type(error)

    ours, theirs = values(cluster.target()), values("")
    if count == 0 and shapes[0] is None:  # TensorFlow leaves the outputs without values
        assert [value.shape for value in ours] == [(0,), (0,)]
        return
    for x, y in zip(ours, theirs):
        np.testing.assert_array_equal(x, y)


def failed_rows(target, rows, more, shapes):
    with tf.Graph().as_default(), tf.Session(target) as session:
        rows = tf.placeholder_with_default(rows, None)
        with pytest.raises(tf.errors.OpError) as error:
            session.run(map_rows(rows, more, shapes))
        return type(error.value)


@pytest.mark.parametrize(
    "rows, more, shapes",
    [
        (np.int64(3), np.int64(2), [[], [2]]),
        (np.arange(3), np.int64(3), [[], [2]]),
        (np.arange(3), np.int64(-3), [[], [2]]),
    ],
)
def test_rows_that_fail(cluster, rows, more, shapes):
    ours = failed_rows(cluster.target(), rows, more, shapes)
    assert ours == failed_rows("", rows, more, shapes)


def test_the_device_of_an_iterator(cluster):
    def device(target):
        with tf.Graph().as_default(), tf.container("device"), tf.Session(target) as session:
            iterator = tf.data.make_initializable_iterator(data.range(3))
            session.run(iterator.initializer)
            return session.run(
                tf.raw_ops.IteratorGetDevice(resource=iterator._iterator_resource)
            ).decode()

    assert device("").endswith("/replica:0/task:0/device:CPU:0")
    assert device(cluster.target()) == "/job:worker/replica:0/task:0/device:CPU:0"
