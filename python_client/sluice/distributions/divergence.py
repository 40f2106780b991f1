# SPDX-License-Identifier: Apache-2.0
"""Kullback-Leibler divergences, by the classes of two distributions."""

from ..graph.default_graph import control_dependencies, name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.debug.checks import Assert

_functions = {}  # (class, class) -> function


class RegisterKL:
    """A decorator that registers the function for two classes of distributions.

    The function is called with the two distributions and the argument `name`.

    Args:
        dist_cls_a: The class of the first distribution.
        dist_cls_b: The class of the second one.
    """

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _functions:
            a, b = (cls.__name__ for cls in self._key)
            raise ValueError(
                f"KL({a} || {b}) has already been registered to: {_functions[self._key]}"
            )
        _functions[self._key] = kl_fn
        return kl_fn


def _function(a, b):
    """The registered function whose classes are nearest to those of two distributions."""
    best = None
    for i, first in enumerate(type(a).__mro__):
        for j, second in enumerate(type(b).__mro__):
            if (first, second) in _functions and (best is None or i + j < best[0]):
                best = i + j, _functions[first, second]
    if best is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type"
            f" {type(a).__name__} and distribution_b type {type(b).__name__}"
        )
    return best[1]


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """Computes the Kullback-Leibler divergence KL(a || b): the mean of log p_a(x) / p_b(x) under a.

    Args:
        distribution_a: A Distribution.
        distribution_b: A Distribution. A function for the two classes is registered.
        allow_nan_stats: Whether the result may be NaN. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the batch shape.

    Raises:
        NotImplementedError: No function is registered.
        errors.InvalidArgumentError: In run(): the result is NaN, which allow_nan_stats forbids.
    """
    function = _function(distribution_a, distribution_b)
    with name_scope("KullbackLeibler"):
        found = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return found
        text = f"the divergence of {distribution_a.name} and {distribution_b.name} is NaN"
        fine = math.logical_not(math.reduce_any(math.is_nan(found)))
        with control_dependencies([Assert(fine, [text, found])]):
            return arrays.identity(found)
