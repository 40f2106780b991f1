# SPDX-License-Identifier: Apache-2.0
"""Data sets whose elements have RaggedTensors."""

import numpy as np

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True


def _lists(found):
    """Elements with RaggedTensors as lists."""
    if isinstance(found, (list, tuple)):
        return [_lists(one) for one in found]
    return found.to_list() if hasattr(found, "to_list") else found


def ragged_elements(tf):
    data = tf.data.Dataset
    rows = tf.ragged.constant([[1, 2], [3], [], [4, 5, 6]])
    deep = tf.ragged.constant([[[1], [2, 3]], [], [[4]]])
    whole = data.from_tensors(rows)
    slices = data.from_tensor_slices(rows)
    both = data.from_tensor_slices((deep, [10, 20, 30]))
    made = data.range(1, 4).map(lambda n: tf.RaggedTensor.from_row_lengths(tf.range(n), [0, n]))
    return [
        _lists(elements(tf, whole.repeat(2))),
        _lists(elements(tf, slices.batch(3))),
        _lists(elements(tf, both)),
        _lists(elements(tf, both.map(lambda r, n: r.flat_values + n))),
        _lists(elements(tf, made)),
        _lists(elements(tf, made.batch(2))),
        _lists(elements(tf, data.from_tensors(deep).unbatch())),
        _lists(elements(tf, both.filter(lambda r, n: n > 10))),
        slices.batch(3).output_shapes.as_list(),
        whole.output_types.name,
        outcome(slices.map, lambda r: r),
    ]


def ragged_specs(tf):
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    other = tf.data.experimental.RaggedTensorStructure(tf.int32, [4, None], 1)
    value = tf.ragged.constant_value([[1], [2, 3]], dtype=np.int32)
    return [
        spec.is_compatible_with(other),
        spec.is_compatible_with(tf.RaggedTensorSpec([None, None], tf.float32)),
        _lists(elements(tf, tf.data.Dataset.from_tensors(value))),
        outcome(tf.RaggedTensorSpec, None, tf.int32),
        outcome(tf.RaggedTensorSpec, [2], tf.int32, 1),
    ]
