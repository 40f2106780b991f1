# SPDX-License-Identifier: Apache-2.0
"""Losses whose sum over the replicas is the loss of the whole batch."""

from .. import math
from ..graph.convert import convert_to_tensor
from ..ops import array as arrays
from . import contexts
from .strategy import loss_reduction


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """Divides the losses of examples by the size of the batch of all replicas.

    Args:
        per_example_loss: The losses, a tensor with the batch along dimension 0.
        sample_weight: How much each example counts, a tensor. None: all the same.
        global_batch_size: Size of the batch of all replicas together. None: that of this replica
            times the number of replicas.

    Returns:
        A scalar.

    Example:
        >>> sl.Session().run(sl.nn.compute_average_loss([1.0, 2.0, 3.0], global_batch_size=6))
        1.0
    """
    losses = convert_to_tensor(per_example_loss)
    kind = losses.dtype
    if sample_weight is not None:
        weights = arrays.cast(sample_weight, kind)
        for _ in range(losses.shape.ndims - weights.shape.ndims):
            weights = arrays.expand_dims(weights, -1)
        losses = losses * weights
    if global_batch_size is None:
        replicas = contexts.get_strategy().num_replicas_in_sync
        global_batch_size = arrays.shape(losses)[0] * replicas
    return math.reduce_sum(losses) / arrays.cast(global_batch_size, kind)


def scale_regularization_loss(regularization_loss):
    """Divides a loss of the variables by the number of replicas.

    Args:
        regularization_loss: The loss, a tensor or a list of tensors, which are added up.

    Returns:
        A scalar.

    Raises:
        RuntimeError: It is called outside of replicas, in the scope of a strategy.
    """
    if contexts.has_strategy() and contexts.in_cross_replica_context():
        raise RuntimeError(
            "You are calling `scale_regularization_loss` in cross replica context, while it was "
            "expected to be called in replica context."
        )
    count = contexts.get_strategy().num_replicas_in_sync
    return math.reduce_sum(regularization_loss) / float(count)


def get_loss_reduction():
    """Returns how the losses of the replicas of an Estimator are combined.

    Returns:
        ReduceOp.SUM; while an Estimator trains ReduceOp.MEAN, unless its last loss was a sum.
    """
    return loss_reduction(contexts.get_strategy())
