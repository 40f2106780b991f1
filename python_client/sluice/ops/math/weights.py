# SPDX-License-Identifier: Apache-2.0
"""Weights and labels that fit values in all but their shapes."""

import numpy as np

from ...dtypes import int32
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.seeds import counted_as
from ...graph.tensor_shape import as_shape
from .. import array as arrays
from .. import raw_ops
from .arithmetic import maximum, multiply
from .comparison import equal, logical_and, logical_or
from .reductions import reduce_all

# How many nodes TensorFlow makes to check weights, which decide later seeds: if both shapes are
# known or the weights are one number, and else. A number of Python is one more.
_CHECKS_OF_KNOWN, _CHECKS = 5, 63
_UNFIT = "weights can not be broadcast to values."


def without_last(labels, predictions, more=0):
    """The two, one of them without a last dimension of 1 that it has too many: predictions have
    `more` dimensions than labels."""
    with name_scope("remove_squeezable_dimensions"):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        difference = _difference(predictions, labels)
        if isinstance(difference, int):
            if difference == more + 1:
                predictions = arrays.squeeze(predictions, [-1])
            elif difference == more - 1:
                labels = arrays.squeeze(labels, [-1])
            return labels, predictions
        predictions = _squeezed_if(equal(difference, more + 1), predictions)
        return _squeezed_if(equal(difference, more - 1), labels), predictions


def weights_beside(values, weights, widen=False):
    """weights without a last dimension of 1 that values do not have; None stays None. With `widen`
    they get one that only values have."""
    if weights is None:
        return None
    weights = convert_to_tensor(weights)
    if weights.shape.ndims == 0:
        return weights
    difference = _difference(weights, values)
    if not isinstance(difference, int):
        weights = _squeezed_if(equal(difference, 1), weights)
        if not widen:
            return weights
        ones = arrays.ones([arrays.cast(equal(difference, -1), int32)], int32)
        return arrays.reshape(weights, arrays.concat([arrays.shape(weights), ones], 0))
    if difference == 1:
        return arrays.squeeze(weights, [-1])
    return arrays.expand_dims(weights, -1) if widen and difference == -1 else weights


def _difference(one, other):
    """How many dimensions one tensor has more than another: an int, or a scalar tensor."""
    if None in (one.shape.ndims, other.shape.ndims):
        return arrays.rank(one) - arrays.rank(other)
    return one.shape.ndims - other.shape.ndims


def _squeezed_if(condition, tensor):
    """The tensor, without its last dimension if a bool scalar is true and that dimension is 1."""
    if tensor.shape.ndims is not None and tensor.shape.as_list()[-1:] not in ([None], [1]):
        return tensor
    shape = arrays.shape(tensor)
    end = arrays.rank(tensor) - arrays.cast(condition, int32)
    return arrays.reshape(tensor, shape[:end])


def checked_weights(weights, values):
    """weights, if they can be repeated to the shape of values. ValueError: they cannot; where a
    rank is known in run() only, it is an InvalidArgumentError there."""
    shapes = [getattr(v, "shape", None) for v in (weights, values)]
    shape, whole = (np.shape(w) if s is None else s for w, s in zip((weights, values), shapes))
    shape, whole = as_shape(shape), as_shape(whole)
    known = shape.ndims == 0 or shape.is_fully_defined() and whole.is_fully_defined()
    with counted_as((_CHECKS_OF_KNOWN if known else _CHECKS) + (not hasattr(weights, "graph"))):
        return _checked(weights, values, shape, whole)


def _checked(weights, values, shape, whole):
    if shape.ndims == 0:
        return weights
    if None in (shape.ndims, whole.ndims):
        return _checked_in_run(weights, values)
    if shape.ndims != whole.ndims:
        raise ValueError(
            f"{_UNFIT} values.rank={whole.ndims}. weights.rank={shape.ndims}. values.shape={whole}."
            f" weights.shape={shape}."
        )
    for number, (w, v) in enumerate(zip(shape.as_list(), whole.as_list())):
        if w not in (1, v) and None not in (w, v):
            sizes = [str(s.as_list()).replace(",", "") for s in (whole, shape)]
            raise ValueError(
                f"{_UNFIT} Mismatch at dim {number}. values.shape={sizes[0]}"
                f" weights.shape={sizes[1]}."
            )
    return weights


def _checked_in_run(weights, values):
    with name_scope("check_weights"):
        weights = convert_to_tensor(weights)
        ranks = arrays.rank(weights), arrays.rank(values)
        shape, whole = arrays.shape(weights), arrays.shape(values)
        # A scalar has no sizes: it is compared with none.
        whole = whole[maximum(ranks[1] - ranks[0], 0) :]
        same = logical_or(equal(ranks[0], 0), equal(ranks[0], ranks[1]))
        fit = reduce_all(logical_or(equal(shape, 1), equal(shape, whole)))
        check = raw_ops.Assert(
            condition=logical_and(same, fit),
            data=[constant(_UNFIT), constant("weights.shape="), constant(weights.name), shape,
                  constant("values.shape="), arrays.shape(values)],
        )  # fmt: skip
        with control_dependencies([check]):
            return arrays.identity(weights)


def broadcast_weights(weights, values):
    """weights, repeated to the shape of values."""
    with name_scope("broadcast_weights") as scope:
        weights = convert_to_tensor(weights, values.dtype, "weights")
        known = weights.shape.is_fully_defined() and values.shape.is_fully_defined()
        if known and weights.shape == values.shape:
            return weights
        weights = checked_weights(weights, values)
        return multiply(weights, arrays.ones_like(values), scope)
