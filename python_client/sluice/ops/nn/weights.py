# SPDX-License-Identifier: Apache-2.0
"""Weights and labels that fit values in all but their shapes."""

import numpy as np

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import as_shape
from .. import array as arrays
from .. import math


def without_last(labels, predictions, more=0):
    """The two, one of them without a last dimension of 1 that it has too many: predictions have
    `more` dimensions than labels."""
    with name_scope("remove_squeezable_dimensions"):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        ranks = predictions.shape.ndims, labels.shape.ndims
        if None in ranks:
            return labels, predictions
        if ranks[0] - ranks[1] == more + 1:
            predictions = arrays.squeeze(predictions, [-1])
        elif ranks[0] - ranks[1] == more - 1:
            labels = arrays.squeeze(labels, [-1])
        return labels, predictions


def weights_beside(values, weights):
    """weights without a last dimension of 1 that values do not have; None stays None."""
    if weights is None:
        return None
    weights = convert_to_tensor(weights)
    ranks = weights.shape.ndims, values.shape.ndims
    if None not in ranks and ranks[0] - ranks[1] == 1:
        return arrays.squeeze(weights, [-1])
    return weights


def check_weights(weights, values):
    """ValueError: weights cannot be repeated to the shape of values."""
    shapes = [getattr(v, "shape", None) for v in (weights, values)]
    shape, whole = (np.shape(w) if s is None else s for w, s in zip((weights, values), shapes))
    shape, whole = as_shape(shape), as_shape(whole)
    if shape.ndims in (None, 0) or whole.ndims is None:
        return
    fits = shape.ndims == whole.ndims and all(
        w == 1 or None in (w, v) or w == v for w, v in zip(shape.as_list(), whole.as_list())
    )
    if not fits:
        raise ValueError(
            f"weights of shape {shape} cannot be broadcast to values of shape {whole}: each of "
            "their sizes must be 1 or that of the values"
        )


def broadcast_weights(weights, values):
    """weights, repeated to the shape of values."""
    with name_scope("broadcast_weights") as scope:
        weights = convert_to_tensor(weights, values.dtype, "weights")
        known = weights.shape.is_fully_defined() and values.shape.is_fully_defined()
        if known and weights.shape == values.shape:
            return weights
        check_weights(weights, values)
        return math.multiply(weights, arrays.ones_like(values), scope)
