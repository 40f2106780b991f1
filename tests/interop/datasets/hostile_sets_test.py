# SPDX-License-Identifier: Apache-2.0
"""Data sets whose nodes state what they do not give, and numbers at the end of their range."""

import numpy as np
import pytest

from interop.programs.models import tf
from interop.tools.cluster import Cluster

tf.disable_v2_behavior()

raw = tf.raw_ops


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def spec(*types):
    return {"output_types": list(types), "output_shapes": [tf.TensorShape(None)] * len(types)}


def read(cluster, dataset, of):
    """Two elements."""
    handle = raw.IteratorV2(shared_name="", container="", **of)
    make = raw.MakeIterator(dataset=dataset, iterator=handle)
    following = raw.IteratorGetNext(iterator=handle, **of)
    with tf.Session(cluster.target()) as session:
        session.run(make)
        return [session.run(following) for _ in range(2)]


def one_element(*parts):
    parts = [tf.constant(part) for part in parts]
    return raw.TensorDataset(components=parts, output_shapes=[part.shape for part in parts])


def numbers():
    return raw.RangeDataset(start=0, stop=10, step=1, **spec(tf.int64))


def a_step_runs(cluster):
    with tf.Graph().as_default():
        assert len(read(cluster, numbers(), spec(tf.int64))) == 2


def test_elements_of_another_type_than_the_data_set_says(cluster):
    """The next data set takes the numbers for strings, which they are not."""
    with tf.Graph().as_default():
        numbers_as_texts = raw.UnbatchDataset(
            input_dataset=one_element(np.full([2, 1], 1 << 40, np.int64)), **spec(tf.string)
        )
        parsed = raw.ParseExampleDataset(
            input_dataset=numbers_as_texts, num_parallel_calls=1, dense_defaults=[],
            sparse_keys=["a"], dense_keys=[], sparse_types=[tf.int64], dense_shapes=[],
            **spec(tf.variant),
        )  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match="component 0"):
            read(cluster, parsed, spec(tf.variant))
    a_step_runs(cluster)


def test_more_replicas_than_a_number_counts(cluster):
    with tf.Graph().as_default():
        batches = raw.RebatchDataset(
            input_dataset=one_element(np.arange(4, dtype=np.float32)),
            num_replicas=np.int64((1 << 63) - 1),
            **spec(tf.float32),
        )
        first, second = read(cluster, batches, spec(tf.float32))
        assert first[0].tolist() == [0] and second[0].tolist() == [1]
