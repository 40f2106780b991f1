# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph as TensorFlow's Defun makes them, perhaps with gradients of their own."""

import functools

from ... import nest
from ...graph.elements import Tensor, id_of
from ...graph.state import state_of
from .functions import TensorSpec, Traced


def Defun(*input_types, func_name=None, grad_func=None, python_grad_func=None,  # noqa: N802
          shape_func=None, **kwargs):  # fmt: skip
    """Makes a decorator: the decorated function becomes a function of the graph.

    Args:
        *input_types: Dtypes of the arguments, which may have any shape. None: those of a call.
        func_name: Name of the function in the graph, a str. None: that of the Python function.
        grad_func: The gradient, what Defun() made of a function of the arguments and of the
            gradients of the results. None: it follows from the operations.
        python_grad_func: The gradient, a function of the Operation of a call and of the gradients
            of its outputs. None: the same.
        shape_func: A function of the Operation of a call that returns the shapes of its outputs.
        **kwargs: Accepted. They have no effect: out_names, noinline, capture_by_value and others.

    Returns:
        A decorator.

    Raises:
        ValueError: There are two gradients.
    """
    del kwargs
    if grad_func is not None and python_grad_func is not None:
        raise ValueError("Gradient defined twice: by grad_func and by python_grad_func")
    gradient = python_grad_func
    if grad_func is not None:
        gradient = functools.partial(_by_function, grad_func)

    def decorate(func):
        signature = [TensorSpec(None, dtype) for dtype in input_types] or None
        traced = Traced(func, signature, func_name or func.__name__)
        return _Defined(traced, gradient, shape_func) if gradient or shape_func else traced

    return decorate


def _by_function(grad_func, op, *grads):
    return grad_func(*op.inputs, *grads)


class _Defined:
    """A function of the graph whose calls have a gradient or shapes that the program says."""

    def __init__(self, traced, gradient, shape_func):
        self._traced, self._gradient, self._shape_func = traced, gradient, shape_func
        self.name = self.__name__ = traced.name
        self.__doc__, self.__wrapped__ = traced.__doc__, traced.__wrapped__

    def __call__(self, *args, **kwargs):
        result = self._traced(*args, **kwargs)
        op = next(t.op for t in nest.flatten(result) if isinstance(t, Tensor))
        if self._gradient is not None:
            state_of(op.graph).overridden[id_of(op)] = self._gradient
        if self._shape_func is not None:
            for output, shape in zip(op.outputs, self._shape_func(op)):
                output.set_shape(shape)
        return result


__all__ = ["Defun"]
