# SPDX-License-Identifier: Apache-2.0
"""The seeds of random operations.

An operation without a seed of its own takes the number of nodes before it as its seed, if its graph
has one. So that programs draw the numbers that TensorFlow 1.15 draws, nodes are counted as they are
there: where a function makes others, it says how many TensorFlow makes.
"""

import contextlib
import weakref

from .default_graph import get_default_graph


def set_random_seed(seed):
    """Sets the seed of the default graph. Random operations made from now on draw the same numbers
    in every session.

    Args:
        seed: The seed, an int.

    Example:
        >>> sl.set_random_seed(1)
        >>> x = sl.random_uniform([])
        >>> sl.Session().run(x) == sl.Session().run(x)
        True
    """
    get_default_graph().seed = seed


_more_nodes = weakref.WeakKeyDictionary()  # a graph -> how many get_seed() adds to its nodes
# The body of a conditional or a loop -> how many it adds to those around it.
_before = weakref.WeakKeyDictionary()
_in_the_making = weakref.WeakKeyDictionary()  # a graph -> the body in it that is being made


def count_more_nodes(number, graph=None):
    """Lets get_seed() count more nodes than a graph has: TensorFlow has more.

    Args:
        number: How many nodes more, an int.
        graph: The Graph. None: the default graph.
    """
    graph = graph or get_default_graph()
    _more_nodes[graph] = _more_nodes.get(graph, 0) + number


@contextlib.contextmanager
def counted_behind(body, number):
    """Lets get_seed() count the nodes of a body, inside of a `with` in which it is made, behind
    those of the graph around it, which has it in itself in TensorFlow.

    Args:
        body: The body of a conditional or a loop, a Graph with the attribute `outer`.
        number: How many nodes are between, an int.
    """
    _before[body], _in_the_making[body.outer] = number, body
    try:
        yield
    finally:
        _in_the_making.pop(body.outer, None)


@contextlib.contextmanager
def counted_as(number):
    """Lets get_seed() count the nodes that are made in the default graph inside of a `with`.

    Args:
        number: How many nodes TensorFlow makes there, an int.
    """
    graph = get_default_graph()
    before = counted_nodes(graph)
    yield
    count_more_nodes(number - (counted_nodes(graph) - before), graph)


def counted_nodes(graph):
    """Returns how many nodes get_seed() counts in a graph alone.

    Args:
        graph: The Graph.

    Returns:
        An int.
    """
    return graph.version + _more_nodes.get(graph, 0)


def _counted_in_all(graph):
    """The nodes of a graph, of those around it, and of the bodies in it that are being made:
    variables of bodies are in the outermost graph."""
    while graph in _before:
        graph = graph.outer
    number = counted_nodes(graph)
    while graph in _in_the_making:
        graph = _in_the_making[graph]
        number += _before[graph] + counted_nodes(graph)
    return number


def get_seed(op_seed):
    """Returns the two seeds of a random operation.

    Args:
        op_seed: The operation's own seed, an int or None.

    Returns:
        A tuple of two ints, which are both 0 if neither the graph nor the operation has a seed.
    """
    graph = get_default_graph()
    if graph.seed is not None:
        seeds = (graph.seed, _counted_in_all(graph) if op_seed is None else op_seed)
    elif op_seed is not None:
        seeds = (87654321, op_seed)
    else:
        return 0, 0
    seeds = (seeds[0] % 2**31, seeds[1] % 2**31)
    return (0, 2**31 - 1) if seeds == (0, 0) else seeds
