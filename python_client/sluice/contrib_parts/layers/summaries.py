# SPDX-License-Identifier: Apache-2.0
"""Summaries of tensors of a model."""

import re

from ...graph.default_graph import get_default_graph
from ...graph.keys import GraphKeys
from ...ops import array as arrays
from ...ops import math
from ...training import summary


def _scalar(tensor, tag=None):
    tensor.shape.assert_has_rank(0)
    return summary.scalar(tag or f"{tensor.op.name}_summary", tensor)


def _histogram(tensor, tag=None):
    return summary.histogram(tag or f"{tensor.op.name}_summary", tensor)


def _share(chosen):
    return math.reduce_mean(arrays.cast(chosen, "float32"))


def summarize_activation(op):
    """Summarises the output of an activation: a histogram, and how much of it is at a bound.

    Args:
        op: The output, a tensor.

    Returns:
        The summary of the histogram, a string scalar.
    """
    kind, name = op.op.type, op.op.name
    if kind in ("Relu", "Softplus", "Relu6"):
        given = op.op.inputs[0]
        _scalar(_share(given < arrays.cast(0.0, given.dtype)), f"{name}/zeros")
    if kind == "Relu6":
        _scalar(_share(given > arrays.cast(6.0, given.dtype)), f"{name}/sixes")
    return _histogram(op, f"{name}/activation")


def summarize_tensor(tensor, tag=None):
    """Summarises a tensor: a scalar by its value, another one by a histogram.

    Args:
        tensor: The tensor.
        tag: Name of the summary, a str. None: the tensor's, with "_summary".

    Returns:
        A string scalar. None: the tensor is of strings or bools.
    """
    if tensor.dtype.name.split("_")[0] in ("string", "bool"):
        return None
    return _scalar(tensor, tag) if tensor.shape.ndims == 0 else _histogram(tensor, tag)


def summarize_tensors(tensors, summarizer=summarize_tensor):
    """Summarises tensors.

    Args:
        tensors: The tensors, a list.
        summarizer: A function of a tensor that returns its summary.

    Returns:
        A list.
    """
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    """Summarises the tensors or variables of a collection.

    Args:
        collection: Name of the collection, a str.
        name_filter: A regular expression that the beginning of a name fits, a str. None: any.
        summarizer: A function of a tensor that returns its summary.

    Returns:
        A list.
    """
    found = get_default_graph().get_collection(collection)
    chosen = [one for one in found if name_filter is None or re.match(name_filter, one.op.name)]
    return summarize_tensors(chosen, summarizer)


def summarize_activations(name_filter=None, summarizer=summarize_activation):
    """Summarises the tensors of the collection ACTIVATIONS.

    Args:
        name_filter: A regular expression that the beginning of a name fits, a str. None: any.
        summarizer: A function of a tensor that returns its summary.

    Returns:
        A list.
    """
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


__all__ = """
    summarize_activation summarize_activations summarize_collection summarize_tensor
    summarize_tensors
""".split()
