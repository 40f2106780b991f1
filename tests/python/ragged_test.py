# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors: what TensorFlow's tell otherwise, and messages."""

import harness
import numpy as np
import sluice as sl


def test_rows_of_other_lengths_are_refused():
    x = sl.ragged.constant([[1], [2, 3]])
    lengths = sl.placeholder_with_default(np.int64([2, 1]), [2])
    y = sl.RaggedTensor.from_row_lengths([1, 2, 3], lengths)
    total = x + y
    with sl.Session() as session:
        harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(total), "assert_equal")
    harness.raises(ValueError, lambda: x + sl.ragged.constant([[[1]]]), "ragged ranks")


def test_a_gap_in_a_row_is_refused():
    gap = sl.SparseTensor([[0, 1]], [7], [1, 2])
    with sl.Session() as session:
        x = sl.RaggedTensor.from_sparse(gap)
        harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(x))


def test_values():
    value = sl.ragged.constant_value([[[1], []], [[2, 3]]])
    assert value.to_list() == [[[1], []], [[2, 3]]] and value.ragged_rank == 2
    assert value.shape == (2, None, None)
    assert value == sl.ragged.constant_value([[[1], []], [[2, 3]]])
    assert "[[1], []]" in repr(value)


def test_what_is_not_there():
    x = sl.ragged.constant([[1], [2, 3]])
    harness.raises(TypeError, lambda: list(x), "iterated")
    harness.raises(NotImplementedError, lambda: x[:, 0], "rows")
    harness.raises(NotImplementedError, lambda: x[::2], "step")
