# SPDX-License-Identifier: Apache-2.0
"""Losses of embeddings: those of one class are near each other, others far apart."""

from ... import dtypes
from ...ops import array as arrays
from ...ops import math
from ...ops.array.diagonals import eye
from ...ops.debug.checks import Print
from ...ops.math.products import matmul
from ...ops.nn.cross_entropy import softmax_cross_entropy_with_logits_v2


def contrastive_loss(labels, embeddings_anchor, embeddings_positive, margin=1.0):
    """Computes the contrastive loss of pairs (Hadsell et al., 2006).

    Args:
        labels: Whether each pair is of one class, an integer tensor [batch] of 0 and 1.
        embeddings_anchor: The first ones, a float tensor [batch, size].
        embeddings_positive: The second ones, a tensor of that shape.
        margin: How far others are apart at least, a float.

    Returns:
        A scalar.
    """
    squares = math.squared_difference(embeddings_anchor, embeddings_positive)
    distances = math.sqrt(math.reduce_sum(squares, 1))
    same = arrays.cast(labels, distances.dtype)
    apart = math.square(math.maximum(margin - distances, 0.0))
    return math.reduce_mean(
        same * math.square(distances) + (1.0 - same) * apart, name="contrastive_loss"
    )


def _squared_distances(embeddings):
    squares = math.reduce_sum(math.square(embeddings), axis=[1], keepdims=True)
    products = matmul(embeddings, embeddings, transpose_b=True)
    found = math.maximum(squares + arrays.transpose(squares) - 2.0 * products, 0.0)
    return found * (1.0 - _diagonal(found))


def _diagonal(square):
    return eye(arrays.shape(square)[0])


def _same_labels(labels):
    labels = arrays.reshape(labels, [-1, 1])
    return math.equal(labels, arrays.transpose(labels))


def triplet_semihard_loss(labels, embeddings, margin=1.0):
    """Computes the triplet loss with semi-hard negatives (Schroff et al., 2015).

    A pair of one class is compared with the nearest embedding of another class that is farther than
    the pair is; without one, with the farthest of another class.

    Args:
        labels: Classes, an integer tensor [batch].
        embeddings: A float tensor [batch, size], of length 1 each.
        margin: How much farther others are, a float.

    Returns:
        A scalar.
    """
    distances, same = _squared_distances(embeddings), _same_labels(labels)
    others = arrays.cast(math.logical_not(same), dtypes.float32)
    to_others = arrays.expand_dims(distances, 1)  # [anchor, 1, negative]
    farther = arrays.cast(
        math.greater(to_others, arrays.expand_dims(distances, 2)), dtypes.float32
    ) * arrays.expand_dims(others, 1)
    most = math.reduce_max(distances, 1, keepdims=True)
    least = math.reduce_min(distances, 1, keepdims=True)
    above = arrays.expand_dims(most, 2)
    nearest = math.reduce_min((to_others - above) * farther, 2) + most
    farthest = math.reduce_max((distances - least) * others, 1, keepdims=True) + least
    found = arrays.where(
        math.greater(math.reduce_sum(farther, 2), 0.0),
        nearest, farthest + arrays.zeros_like(distances),
    )  # fmt: skip
    pairs = arrays.cast(same, dtypes.float32) - _diagonal(distances)
    losses = math.maximum((margin + distances - found) * pairs, 0.0)
    return math.truediv(
        math.reduce_sum(losses), math.reduce_sum(pairs), name="triplet_semihard_loss"
    )


def npairs_loss(labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002,
                print_losses=False):  # fmt: skip
    """Computes the N-pairs loss (Sohn, 2016).

    Args:
        labels: Classes of the pairs, an integer tensor [pairs].
        embeddings_anchor: The first ones, a float tensor [pairs, size].
        embeddings_positive: The second ones, a tensor of that shape.
        reg_lambda: Factor of the lengths of the embeddings, a float.
        print_losses: Whether steps print both parts. A bool.

    Returns:
        A scalar.
    """
    lengths = [
        math.reduce_mean(math.reduce_sum(math.square(one), 1))
        for one in (embeddings_anchor, embeddings_positive)
    ]
    length = math.multiply(0.25 * reg_lambda, lengths[0] + lengths[1], name="l2loss")
    logits = matmul(embeddings_anchor, embeddings_positive, transpose_b=True)
    same = arrays.cast(_same_labels(labels), dtypes.float32)
    same = same / math.reduce_sum(same, 1, keepdims=True)
    losses = softmax_cross_entropy_with_logits_v2(labels=arrays.stop_gradient(same), logits=logits)
    entropy = math.reduce_mean(losses, name="xentropy")
    if print_losses:
        entropy = Print(entropy, ["cross entropy:", entropy, "l2loss:", length])
    return length + entropy


__all__ = ["contrastive_loss", "npairs_loss", "triplet_semihard_loss"]
