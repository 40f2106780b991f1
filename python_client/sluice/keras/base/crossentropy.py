# SPDX-License-Identifier: Apache-2.0
"""Cross entropies. Behind a softmax or a sigmoid they are computed of its input, which is exact
where probabilities are near 0."""

from ... import dtypes, math, nn
from ...graph.convert import convert_to_tensor
from ...graph.seeds import count_more_nodes
from ...ops import array as arrays
from ...ops import gradient_counts
from ...ops.math.rounding import clip_by_value
from . import settings


def _logits(output, activation):
    """What the activation that made `output` took; None if another operation made it."""
    while output.op.type == "Identity":
        output = output.op.inputs[0]
    return output.op.inputs[0] if output.op.type == activation else None


def _clipped(output):
    count_more_nodes(1)  # TensorFlow has more, here and below, which decide later seeds
    return clip_by_value(output, settings.epsilon(), 1.0 - settings.epsilon())


def binary_crossentropy(target, output, from_logits=False):
    """Computes the cross entropy of labels that are 0 or 1.

    Args:
        target: The labels, a tensor.
        output: The predictions, a tensor of the same shape.
        from_logits: Whether predictions are logits, not probabilities. A bool.

    Returns:
        A tensor of the shape of output.
    """
    logits = output if from_logits else _logits(output, "Sigmoid")
    if logits is not None:
        return nn.sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
    output, least = _clipped(output), settings.epsilon()
    return -(target * math.log(output + least) + (1 - target) * math.log(1 - output + least))


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """Computes the cross entropy of labels that are one-hot vectors.

    Args:
        target: The labels, a tensor.
        output: The predictions, a tensor of the same shape.
        from_logits: Whether predictions are logits, not probabilities. A bool.
        axis: The dimension of classes, an int.

    Returns:
        A tensor without that dimension.
    """
    logits = output if from_logits else _logits(output, "Softmax")
    if logits is not None:
        return nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)
    output = _clipped(output / math.reduce_sum(output, axis, True))
    return -math.reduce_sum(target * math.log(output), axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """Computes the cross entropy of labels that are integers.

    Args:
        target: The labels, a tensor.
        output: The predictions, a tensor with a dimension of classes more.
        from_logits: Whether predictions are logits, not probabilities. A bool.
        axis: The dimension of classes, an int.

    Returns:
        A tensor without that dimension.
    """
    output = convert_to_tensor(output)
    logits = output if from_logits else _logits(output, "Softmax")
    logits = math.log(_clipped(output)) if logits is None else logits
    rank = logits.shape.ndims
    if axis not in (-1, rank - 1):
        axis %= rank
        logits = arrays.transpose(logits, [d for d in range(rank) if d != axis] + [axis])
    labels = arrays.cast(arrays.reshape(target, [-1]), dtypes.int64)
    count_more_nodes(8 if rank < 3 else 5)
    if rank < 3:
        found = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        gradient_counts.count_more_of(found.op, 2)
        return found
    sizes = arrays.shape(logits)
    flat = arrays.reshape(logits, [-1, logits.shape.as_list()[-1] or sizes[-1]])
    found = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=flat)
    return arrays.reshape(found, sizes[:-1])
