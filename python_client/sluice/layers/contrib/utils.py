# SPDX-License-Identifier: Apache-2.0
"""What layers of programs use of contrib's own layers: outputs by their names, and sizes."""

import collections

from ...graph.default_graph import get_default_graph
from ...graph.static_values import static_value
from ...graph.tensor_shape import dimension_value
from ...ops.state.variables import Variable
from .. import choices


def constant_value(value_or_tensor_or_var, dtype=None):
    """Returns what is known of a value: None of a variable, and of a tensor of steps only.

    Raises:
        ValueError: It is None, or a tensor or variable of another dtype.
    """
    if value_or_tensor_or_var is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not hasattr(value_or_tensor_or_var, "graph"):
        return value_or_tensor_or_var
    if dtype and value_or_tensor_or_var.dtype != dtype:
        raise ValueError(f"It has the wrong type {value_or_tensor_or_var.dtype} instead of {dtype}")
    if isinstance(value_or_tensor_or_var, Variable):
        return None
    return static_value(value_or_tensor_or_var)


def smart_cond(pred, fn1, fn2, name=None):
    """Calls one function where the condition is known, else adds both as branches."""
    value = constant_value(pred)
    return choices.smart_cond(pred if value is None else bool(value), fn1, fn2, name)


def static_cond(pred, fn1, fn2):
    """Calls one of two functions of a condition that is known."""
    return choices.smart_cond(bool(pred), fn1, fn2)


def get_tensor_aliases(tensor):
    """Returns the names that a tensor has as the output of layers."""
    found = list(getattr(tensor, "aliases", None) or [])
    if found:
        return found
    name = tensor.name[:-2] if tensor.name[-2:] == ":0" else tensor.name
    return [name]


def append_tensor_alias(tensor, alias):
    """Gives a tensor one more name."""
    alias = alias[:-1] if alias[-1:] == "/" else alias
    tensor.aliases = [*getattr(tensor, "aliases", ()), alias]
    return tensor


def gather_tensors_aliases(tensors):
    """Returns the names of several tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def collect_named_outputs(collections, alias, outputs):
    """Gives the output of a layer a name, and adds it to collections."""
    if collections:
        append_tensor_alias(outputs, alias)
        get_default_graph().add_to_collections(collections, outputs)
    return outputs


def convert_collection_to_dict(collection, clear_collection=False):
    """Returns the outputs of a collection by their names, an OrderedDict."""
    found = collections.OrderedDict(
        (alias, tensor)
        for tensor in get_default_graph().get_collection(collection)
        for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        get_default_graph().clear_collection(collection)
    return found


def get_variable_collections(variables_collections, name):
    """Returns the collections of a variable, where they may depend on its name."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


def _dimension(shape, index, min_rank):
    if shape.ndims is None:
        raise ValueError(f"dims of shape must be known but is {shape.dims}")
    if shape.ndims < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {shape.ndims}")
    value = dimension_value(shape[index])
    if value is None:
        raise ValueError(f"dimension {index} shape must be known but is None")
    return value


def channel_dimension(shape, data_format, min_rank=1):
    """Returns how many channels images of a shape have, an int."""
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape, min_rank=1):
    """Returns the last size of a shape, an int."""
    return _dimension(shape, -1, min_rank)


def two_element_tuple(int_or_tuple):
    """Returns two ints for one or two."""
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n, value):
    """Returns n ints for one or n.

    Raises:
        ValueError: n is not a positive int, or they are not n positive ints.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"n must be a positive int: {n}")
    if isinstance(value, int):
        found = (value,) * n
    else:
        found = tuple(int(getattr(one, "value", one)) for one in value)
    if len(found) != n or any(one <= 0 for one in found):
        raise ValueError(f"value must be an integer or a sequence of {n} positive: {value}")
    return found


NamedOutputs = collections.namedtuple("NamedOutputs", ["name", "outputs"])
