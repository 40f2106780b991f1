# SPDX-License-Identifier: Apache-2.0
"""Raw operations as TensorFlow's sources have them: names in snake case, arguments by place.

    from sluice.python.training import training_ops

    training_ops.resource_apply_adam(var.handle, m.handle, v.handle, power1, power2, rate, ...)
"""

import functools
import inspect
import re

from .. import raw_ops
from ..graph.convert import is_resource_variable
from ..ops.raw_ops import definition, inferred_attrs
from ..ops.state.resource_variables import ResourceVariable

_EMPTY = inspect.Parameter.empty
_MADE_OF_OPS = re.compile(r"ops\.\w+_ops|training\.(gen_)?training_ops")
_ONLY_OPS = re.compile(r"ops\.gen_\w+_ops|training\.(gen_)?training_ops")


def _snake(op_type):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", op_type).lower()


@functools.lru_cache(maxsize=None)
def _types():
    """The types of all operations by their names in snake case."""
    return {_snake(op_type): op_type for op_type in raw_ops.__all__}


def has_first(path):
    """Whether the names of a module, such as "ops.gen_nn_ops", are raw operations only."""
    return _ONLY_OPS.fullmatch(path) is not None


@functools.lru_cache(maxsize=None)
def _positional(op_type):
    raw = getattr(raw_ops, op_type)
    following = inferred_attrs(definition(op_type))
    parameters = [
        p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for p in raw.__signature__.parameters.values()
        if p.name not in following
    ]
    # TensorFlow puts arguments that must be given first; this sort keeps the order among equals.
    signature = inspect.Signature(sorted(parameters, key=lambda p: p.default is not _EMPTY))

    def function(*args, **kwargs):
        return raw(**signature.bind(*args, **kwargs).arguments)

    function.__name__ = function.__qualname__ = _snake(op_type)
    function.__doc__, function.__signature__ = raw.__doc__, signature
    return function


def find(path, name):
    """The function of an operation.

    Args:
        path: The path of the module, a str such as "ops.gen_nn_ops".
        name: The name of the function, a str such as "conv2d".

    Returns:
        The function. None: the module has no operations, or none of this name.
    """
    if _MADE_OF_OPS.fullmatch(path) is None or name not in _types():
        return None
    return _positional(_types()[name])


OF_RESOURCES = {
    "BaseResourceVariable": ResourceVariable, "ResourceVariable": ResourceVariable,
    "is_resource_variable": is_resource_variable,
}  # fmt: skip
