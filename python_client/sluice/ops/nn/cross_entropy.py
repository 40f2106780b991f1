# SPDX-License-Identifier: Apache-2.0
"""Losses of logits and labels, element by element or row by row."""

import numpy as np

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import counted_as
from .. import array as arrays
from .. import math, raw_ops
from ..array import cast
from ..building import given, thin, with_names
from .activations import relu

l2_loss = thin(
    "L2Loss",
    "t",
    """Computes half the sum of squares, sum(t^2) / 2.

    Returns:
        A scalar of the dtype of `t`.

    Example:
        >>> sl.Session().run(sl.nn.l2_loss([3.0, 4.0]))
        12.5
    """,
)


# How many nodes TensorFlow makes, which decide later seeds: of logits that are flattened, with the
# classes last or elsewhere; of class numbers whose sizes are checked, and of such that are known.
_FLAT, _MOVED, _CLASSES, _CLASSES_OF_KNOWN = 31, 53, 34, 18


def _check_named(function, sentinel, labels, logits):
    """The order of labels and logits changed between versions: they are given by name."""
    if sentinel is not None:
        raise ValueError(f"call {function} with named arguments: labels=..., logits=...")
    if labels is None or logits is None:
        raise ValueError(f"{function} needs both labels and logits")


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=None,
                                      name=None, axis=None):  # fmt: skip
    """Computes the cross entropy of logits and probabilities, without a gradient to the labels.

    Args:
        labels: A real tensor of the shape of logits: probabilities.
        logits: A tensor [..., classes] of any floating-point dtype.
        dim: Older name of axis.
        name: Name of the operation, a str. None: a default name.
        axis: The dimension of classes, an int. None: the last one.

    Returns:
        A tensor without the dimension of classes.

    Raises:
        ValueError: The arguments are not given by name, or both dim and axis are given.

    Example:
        >>> loss = sl.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0]], logits=[[50.0, 0]])
        >>> sl.Session().run(loss)
        array([0.], dtype=float32)
    """
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    labels = arrays.stop_gradient(convert_to_tensor(labels))
    return softmax_cross_entropy_with_logits_v2(labels, logits, given(axis, dim), name)


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """Computes the cross entropy of logits and probabilities.

    Args:
        labels: A real tensor of the shape of logits: probabilities.
        logits: A tensor [..., classes] of any floating-point dtype.
        axis: The dimension of classes, an int. None: the last one.
        name: Name of the operation, a str. None: a default name.
        dim: Older name of axis.

    Returns:
        A tensor without the dimension of classes.

    Raises:
        ValueError: Both dim and axis are given.
    """
    axis = given(axis, dim)
    with name_scope(name, "softmax_cross_entropy_with_logits") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = cast(convert_to_tensor(labels, name="labels"), logits.dtype)
        return _softmax_cross_entropy(labels, logits, -1 if axis is None else axis, scope)


def _softmax_cross_entropy(labels, logits, axis, name):
    rank = logits.shape.ndims
    last = rank is None or axis % rank == rank - 1
    with counted_as(_FLAT if last else _MOVED):
        return _of_rows(labels, logits, axis, name)


def _of_rows(labels, logits, axis, name):
    rank = logits.shape.ndims
    if rank is None or rank == 2 and axis in (-1, 1):
        return raw_ops.SoftmaxCrossEntropyWithLogits(features=logits, labels=labels, name=name)[0]
    order = [d for d in range(rank) if d != axis % rank] + [axis % rank]
    logits, labels = arrays.transpose(logits, order), arrays.transpose(labels, order)
    sizes = arrays.shape(logits)
    classes = sizes[rank - 1]
    flat = [arrays.reshape(v, arrays.stack([-1, classes])) for v in (logits, labels)]
    loss = raw_ops.SoftmaxCrossEntropyWithLogits(features=flat[0], labels=flat[1])[0]
    return arrays.reshape(loss, sizes[:-1], name)


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the cross entropy of logits and class numbers.

    Args:
        labels: An int32 or int64 tensor [...] of class numbers.
        logits: A tensor [..., classes] of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [...].

    Example:
        >>> loss = sl.nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=[[50.0, 0.0]])
        >>> sl.Session().run(loss)
        array([0.], dtype=float32)
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    op = "SparseSoftmaxCrossEntropyWithLogits"
    with name_scope(name, op):
        logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
        _check_class_numbers(labels, logits)
        if logits.shape.ndims == 2:
            arrays.shape(labels)  # TensorFlow makes it, too
            return raw_ops.apply_op(op, features=logits, labels=labels, name=name or op)[0]
        known = logits.shape.is_fully_defined() and labels.shape.is_fully_defined()
        with counted_as(_CLASSES_OF_KNOWN if known else _CLASSES):
            sizes = arrays.shape(labels)
            if logits.shape.ndims is None:
                return raw_ops.apply_op(op, features=logits, labels=labels, name=name or op)[0]
            flat = arrays.reshape(logits, arrays.stack([-1, arrays.shape(logits)[-1]]))
            labels = arrays.reshape(labels, [-1])
            loss = raw_ops.apply_op(op, features=flat, labels=labels, name=name or op)[0]
            return arrays.reshape(loss, sizes)


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """Computes the cross entropy of independent logits: -labels log(sigmoid(x)) - (1 - labels)
    log(1 - sigmoid(x)).

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor of any floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of logits.
    """
    _check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _check_one_shape(labels, logits)
        zeros = arrays.zeros_like(logits)
        positive = logits >= zeros
        above = arrays.where(positive, logits, zeros)
        below = arrays.where(positive, -logits, logits)  # -|logits|
        return math.add(above - logits * labels, math.log1p(math.exp(below)), scope)


def _check_one_shape(labels, logits):
    if not labels.shape.is_compatible_with(logits.shape):
        raise ValueError(
            f"logits {logits.name} and labels {labels.name} must have one shape, but have "
            f"{logits.shape} and {labels.shape}"
        )


def _check_class_numbers(labels, logits):
    """The shapes of sparse_softmax_cross_entropy_with_logits()."""
    if logits.shape.ndims == 0:
        raise ValueError(f"the logits {logits.name} must not be a scalar")
    if logits.shape.ndims is not None and not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ValueError(
            f"labels {labels.name} must have the shape of the logits without the last dimension, "
            f"{logits.shape[:-1]}, but have {labels.shape}; one-hot labels are for "
            "softmax_cross_entropy_with_logits"
        )


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None,
                                       targets=None):  # fmt: skip
    """Computes sigmoid_cross_entropy_with_logits() with a weight for positive labels.

    Args:
        labels: A tensor of the shape and dtype of logits: probabilities.
        logits: A tensor of any floating-point dtype.
        pos_weight: Factor of the term of positive labels, a number or a tensor.
        name: Name of the operation, a str. None: a default name.
        targets: Older name of labels.

    Returns:
        A tensor of the shape of logits.
    """
    logits, labels = convert_to_tensor(logits), convert_to_tensor(given(labels, targets))
    _check_one_shape(labels, logits)
    weight = 1 + (pos_weight - 1) * convert_to_tensor(labels, logits.dtype)
    rest = math.log1p(math.exp(-math.abs(logits))) + relu(-logits)
    return math.add((1 - convert_to_tensor(labels, logits.dtype)) * logits, weight * rest, name)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """Computes the Poisson loss e^log_input - log_input * targets.

    Args:
        targets: A tensor of the shape and dtype of log_input.
        log_input: A tensor of any floating-point dtype: the logarithm of the expected value.
        compute_full_loss: Whether Stirling's formula for log(targets!) is added. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of log_input.
    """
    log_input = convert_to_tensor(log_input)
    targets = convert_to_tensor(targets, log_input.dtype)
    loss = math.exp(log_input) - log_input * targets
    if compute_full_loss:
        inner = (targets >= 0) & (targets <= 1)
        full = targets * math.log(targets) - targets + 0.5 * math.log(2 * np.pi * targets)
        loss += raw_ops.SelectV2(condition=inner, t=arrays.zeros_like(targets), e=full)
    return arrays.identity(loss, name)


__all__ = with_names(globals())
