# SPDX-License-Identifier: Apache-2.0
"""Python functions of tensors as operations. Each call has a session."""

import numpy as np

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.graph import Graph
from ..ops.functions.py_func import add_call, dtype_of
from .session import Session


class _OneCall(Graph):
    """The graph of one call. Its tensors have numpy()."""

    session = None

    def create_op(self, op_type, inputs, attrs=None, name=None):
        op = super().create_op(op_type, inputs, attrs, name)
        for tensor in op.outputs:
            tensor.numpy = lambda tensor=tensor: self.session.run(tensor)
        return op


def _call(func, arrays, types):
    graph = _OneCall()
    with graph.as_default(), Session(graph=graph) as graph.session:
        found = func(*[constant(a, dtype=dtype_of(np.asarray(a))) for a in arrays])
        if found is None:
            return []
        found = found if isinstance(found, (list, tuple)) else [found]
        return graph.session.run([convert_to_tensor(v, t) for v, t in zip(found, types)])


def py_function(func, inp, Tout, name=None):  # noqa: N803
    """Calls a Python function of tensors in each step.

    Each call has a graph of its own, in which the arguments are constants; its tensors have the
    method numpy(). The results are computed when the function returns. No gradient flows through
    it. Where the function runs is said at py_func().

    Args:
        func: A function that takes as many tensors as `inp` has. It returns a tensor or a list of
            tensors.
        inp: A list of tensors.
        Tout: The dtypes of the results, a list; or one dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors of unknown shape; of one dtype, a tensor; the Operation without results.

    Raises:
        ValueError: func is not a function.
        TypeError: inp is not a list.

    Example:
        >>> def f(x):
        ...     return x * x if x.numpy() > 0 else -x
        >>> y = sl.py_function(f, [sl.constant(3.0)], sl.float32)
        >>> sl.Session().run(y)
        9.0
    """
    if not callable(func):
        raise ValueError(f"func must be callable, it is of type {type(func)}")
    several = isinstance(Tout, (list, tuple))
    types = [dtypes.as_dtype(t).base_dtype for t in (Tout if several else [Tout])]
    return add_call("EagerPyFunc", lambda *arrays: _call(func, arrays, types), inp, Tout, name)


__all__ = ["py_function"]
