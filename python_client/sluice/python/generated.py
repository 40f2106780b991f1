# SPDX-License-Identifier: Apache-2.0
"""The functions of modules such as gen_array_ops: an op by its name in lower case.

    from sluice.python.ops import gen_nn_ops
    gen_nn_ops.relu_grad(gradients, features)
"""

import functools
import inspect
import re

from ..ops import raw_ops

# A capital begins a word behind a small letter and before one: BatchMatMulV2, batch_mat_mul_v2.
_WORD = re.compile("(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])")


def lower_name(op_type):
    """Returns the name of an op's function, as "conv2d_backprop_input" of "Conv2DBackpropInput"."""
    return _WORD.sub("_", op_type).lower()


@functools.lru_cache(None)
def _ops():
    return {lower_name(op_type): op_type for op_type in raw_ops.__all__}


@functools.lru_cache(None)
def function_of(name):
    """Finds the function that adds an op.

    Args:
        name: The op's name in lower case, a str.

    Returns:
        A function of the op's inputs and attributes, by position or by name; None: there is no such
        op.
    """
    if name not in _ops():
        return None
    op_type = _ops()[name]
    by_name = getattr(raw_ops, op_type)
    inferred = raw_ops.inferred_attrs(raw_ops.definition(op_type))
    given = [p for p in by_name.__signature__.parameters.values() if p.name not in inferred]
    needed = [p for p in given if p.default is inspect.Parameter.empty]
    order = [p.name for p in [*needed, *(p for p in given if p not in needed)]]

    @functools.wraps(by_name)
    def function(*args, **kwargs):
        if len(args) > len(order):
            raise TypeError(f"{name}() takes {len(order)} arguments, not {len(args)}")
        positional = dict(zip(order, args))
        for twice in positional.keys() & kwargs.keys():
            raise TypeError(f"{name}() has two values for the argument {twice!r}")
        return by_name(**positional, **kwargs)

    function.__name__ = function.__qualname__ = name
    del function.__signature__
    return function
