# SPDX-License-Identifier: Apache-2.0
"""The loss of sequences of classes."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits


def _check(logits, targets, weights, averages, sums):
    if len(logits.shape) != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.shape) != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.shape) != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")
    for over, average, summed in zip(("timesteps", "batch"), averages, sums):
        if average and summed:
            raise ValueError(
                f"average_across_{over} and sum_over_{over} cannot be set to True at same time."
            )


def sequence_loss(logits, targets, weights, average_across_timesteps=True,
                  average_across_batch=True, sum_over_timesteps=False, sum_over_batch=False,
                  softmax_loss_function=None, name=None):  # fmt: skip
    """Computes the weighted cross entropy of sequences.

    Args:
        logits: Unnormalised logarithms of probabilities, a tensor [batch, time, classes].
        targets: The true classes, an integer tensor [batch, time].
        weights: The weight of each step, a floating-point tensor [batch, time].
        average_across_timesteps: Whether the sum over time is divided by the weights. A bool.
        average_across_batch: Whether the sum over the batch is divided by the weights. A bool.
        sum_over_timesteps: Whether the sum over time is divided by the number of weights that are
            not zero. A bool.
        sum_over_batch: Whether the sum over the batch is divided by that number. A bool.
        softmax_loss_function: A function of (labels, logits) that returns the loss of each step.
            None: the cross entropy.
        name: Name of the operations, a str. None: "sequence_loss".

    Returns:
        A scalar; a vector if it is reduced over one dimension, or a tensor [batch, time].

    Raises:
        ValueError: A tensor has another rank, or both an average and a sum are asked for.
    """
    averages = average_across_timesteps, average_across_batch
    sums = sum_over_timesteps, sum_over_batch
    logits, targets, weights = (convert_to_tensor(x) for x in (logits, targets, weights))
    _check(logits, targets, weights, averages, sums)
    loss_of = softmax_loss_function or sparse_softmax_cross_entropy_with_logits
    with name_scope(name, "sequence_loss"):
        rows = arrays.reshape(logits, [-1, arrays.shape(logits)[2]])
        loss = loss_of(labels=arrays.reshape(targets, [-1]), logits=rows)
        loss = loss * arrays.reshape(weights, [-1])
        if all(averages):
            return math.divide_no_nan(math.reduce_sum(loss), math.reduce_sum(weights))
        if all(sums):
            return math.divide_no_nan(math.reduce_sum(loss), _count(weights, None, loss.dtype))
        loss = arrays.reshape(loss, arrays.shape(logits)[:2])
        if any(averages):
            axis = [0] if average_across_batch else [1]
            return math.divide_no_nan(
                math.reduce_sum(loss, axis), math.reduce_sum(weights, axis)
            )
        if any(sums):
            axis = [0] if sum_over_batch else [1]
            return math.divide_no_nan(
                math.reduce_sum(loss, axis), _count(weights, axis, loss.dtype)
            )
        return loss


def _count(weights, axis, dtype):
    return arrays.cast(math.count_nonzero(weights, axis, dtype=dtypes.int64), dtype)
