# SPDX-License-Identifier: Apache-2.0
"""Data sets whose ops only TensorFlow 2 has, and a table of the pairs of a data set."""

import numpy as np
import pytest
import tensorflow

from interop.datasets.reading import read, same

tf = tensorflow.compat.v1
data = tf.data.Dataset

pytestmark = pytest.mark.skipif(
    tensorflow.__version__.startswith("1"), reason="1.15 does not have the ops"
)


def raw(op, like, **args):
    """The raw op, whose elements are as those of `like`."""
    from tensorflow.python.data.ops import dataset_ops

    handle = getattr(tf.raw_ops, op)(
        output_types=tensorflow.nest.flatten(tf.data.get_output_types(like)),
        output_shapes=tensorflow.nest.flatten(tf.data.get_output_shapes(like)),
        **args,
    )
    return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, like.element_spec))


def variant(made):
    return made._variant_tensor


def of_number(function):
    from tensorflow.python.framework import function as functions

    return functions.Defun(tf.int64)(function)


def listed_elements():
    tensors = [tf.constant(v) for v in (1, "a", 2, "b", 3, "c")]
    return raw("ListDataset", data.from_tensors((1, "a")), tensors=tensors)


def random_numbers(rerandomize):
    made = raw(
        "RandomDatasetV2", data.range(1), seed=np.int64(3), seed2=np.int64(4),
        seed_generator=tf.raw_ops.DummySeedGenerator(), rerandomize_each_iteration=rerandomize,
    )  # fmt: skip
    return made.take(4).repeat(3)


def same_random_numbers():
    return random_numbers(False)


def other_random_numbers():
    return random_numbers(True)


def interleaved():
    return raw(
        "ParallelInterleaveDatasetV3", data.range(1), input_dataset=variant(data.range(5)),
        other_arguments=[], f=of_number(lambda x: variant(data.range(x))),
        cycle_length=np.int64(3), block_length=np.int64(2), num_parallel_calls=np.int64(2),
    )  # fmt: skip


def rewritten():
    made = data.range(5).map(lambda x: x + 1).batch(2)
    return raw(
        "OptimizeDatasetV2", made, input_dataset=variant(made),
        optimizations_enabled=["map_fusion"], optimizations_disabled=["noop_elimination"],
        optimizations_default=["map_and_batch_fusion", "noop_elimination"],
    )  # fmt: skip


@pytest.mark.parametrize(
    "build", [listed_elements, same_random_numbers, other_random_numbers, interleaved, rewritten]
)
def test_elements(build, target):
    same(read(build, target, False), read(build, "", False))


def test_an_iterator_in_a_function(target):
    @tensorflow.function
    def total():
        iterator = iter(data.range(5).map(lambda x: x * x))
        return sum(next(iterator) for _ in range(5))

    with tf.Graph().as_default():
        result = total()
        with tf.Session(target) as session:
            assert [session.run(result) for _ in range(2)] == [30, 30]


def test_an_iterator_over_devices_without_a_deleter(target):
    with tf.Graph().as_default(), tf.Session(target) as session:
        kinds = {"output_types": [tf.int64], "output_shapes": [[]]}
        iterator = tf.raw_ops.AnonymousMultiDeviceIteratorV3(devices=["/cpu:0"], **kinds)
        begun = tf.raw_ops.MultiDeviceIteratorInit(
            dataset=variant(data.range(3, 9)), multi_device_iterator=iterator, max_buffer_size=1
        )
        following = tf.raw_ops.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=iterator, shard_num=0, incarnation_id=begun, **kinds
        )
        assert session.run(following) == [3]


def of_two(endless, stop):
    def build():
        made = [data.range(4), data.range(5).repeat(-1 if endless else 1)]
        return raw(
            "DirectedInterleaveDataset", data.range(1), stop_on_empty_dataset=stop,
            selector_input_dataset=variant(data.range(2)), data_input_datasets=[*map(variant, made)]
        )  # fmt: skip

    return build


def of_inner(calls):
    return (
        lambda: tensorflow.data.Dataset.range(5)
        .repeat()
        .interleave(lambda x: data.from_tensors(x), cycle_length=2, num_parallel_calls=calls)
    )


def of_rows(drop):
    def build():
        batches = data.range(5).batch(2, drop_remainder=drop)
        return raw("UnbatchDataset", data.range(1), input_dataset=variant(batches))

    return build


@pytest.mark.parametrize(
    "build",
    [
        of_two(True, True),
        of_two(True, False),
        of_two(False, False),
        of_inner(2),
        of_inner(None),
        of_rows(True),
        of_rows(False),
    ],
)
def test_cardinality(target, build):
    counts = []
    for place in (target, ""):
        with tf.Graph().as_default(), tf.Session(place) as session:
            count = tf.raw_ops.DatasetCardinality(input_dataset=variant(build()))
            counts.append(session.run(count))
    assert counts[0] == counts[1]


def filtered():
    return raw(
        "ParallelFilterDataset", data.range(1), input_dataset=variant(data.range(9)),
        other_arguments=[], predicate=of_number(lambda x: tf.equal(x % 2, 0)),
        num_parallel_calls=np.int64(2),
    )  # fmt: skip


def test_parallel_filter(target):
    """TensorFlow's own op cannot be written as a graph, so its iterator does not begin."""
    assert read(filtered, target, False)[:-1] == [[0], [2], [4], [6], [8]]


def written(path):
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(5):
            writer.write(b"record %d" % i)
    return path


@pytest.mark.parametrize("records", [0, 3, 5, 9])
def test_records_from_an_offset(records, target, tmp_path):
    path = written(str(tmp_path / "records"))
    size = 16 + len("record 0")

    def build():
        from tensorflow.python.data.ops import dataset_ops

        handle = tf.raw_ops.TFRecordDatasetV2(
            filenames=[path, path], compression_type="", buffer_size=np.int64(100),
            byte_offsets=np.int64([records * size, size]),
        )  # fmt: skip
        spec = tensorflow.TensorSpec([], tf.string)
        return dataset_ops.DatasetV1Adapter(dataset_ops._VariantDataset(handle, spec))

    # TensorFlow's own op cannot be written as a graph, so its iterator does not begin.
    numbers = [*range(records, 5), *range(1, 5)]
    assert read(build, target, False)[:-1] == [[b"record %d" % i] for i in numbers]


def test_an_element_as_one_variant(target):
    kept = (np.int64([[1, 2]]), np.float32(2.5), np.array([b"a", b"bb"]))
    kinds = {"output_types": [tf.int64, tf.float32, tf.string], "output_shapes": [[1, 2], [], [2]]}
    with tf.Graph().as_default(), tf.Session(target) as session:
        made = tf.raw_ops.CompressElement(components=kept)
        again = session.run(tf.raw_ops.UncompressElement(compressed=made, **kinds))
        for value, expected in zip(again, kept):
            np.testing.assert_array_equal(value, expected)
        other = tf.raw_ops.UncompressElement(compressed=variant(data.range(3)), **kinds)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not contain a compressed"):
            session.run(other)


def test_fingerprints(target):
    def number(made):
        with tf.Graph().as_default(), tf.Session(target) as session:
            return session.run(tf.raw_ops.DatasetFingerprint(input_dataset=variant(made())))

    three, again, four = (number(lambda n=n: data.range(n).batch(2)) for n in (3, 3, 4))
    assert three == again != four


def test_the_options_of_all_stages(target):
    inner, outer = tensorflow.data.Options(), tensorflow.data.Options()
    inner.threading.private_threadpool_size, inner.deterministic = 3, True
    outer.deterministic = False
    with tf.Graph().as_default(), tf.Session(target) as session:
        made = data.range(3).with_options(inner).batch(2).with_options(outer)
        text = session.run(tf.raw_ops.GetOptions(input_dataset=variant(made)))
    from tensorflow.core.framework import dataset_options_pb2

    options = dataset_options_pb2.Options.FromString(text)
    assert not options.deterministic
    assert options.threading_options.private_threadpool_size == 3


def looked_up(target):
    pairs = data.from_tensor_slices((["a", "b", "c"], np.int64([5, 6, 7])))
    handle = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    begin = tf.raw_ops.InitializeTableFromDataset(table_handle=handle, dataset=variant(pairs))
    found = tf.raw_ops.LookupTableFindV2(
        table_handle=handle, keys=["c", "a", "?"], default_value=np.int64(-1)
    )
    with tf.Session(target) as session:
        session.run(begin)
        session.run(begin)
        return session.run([found, tf.raw_ops.LookupTableSizeV2(table_handle=handle)])


def test_table_of_a_data_set(target):
    with tf.Graph().as_default():
        values, size = looked_up(target)
    assert values.tolist() == [7, 5, -1]
    assert size == 3


JOBS = {"worker": 1}
