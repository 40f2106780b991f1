# SPDX-License-Identifier: Apache-2.0
"""What a Saver saves: variables, pieces of variables, and tables."""

from ..graph.convert import convert_to_tensor, is_resource_variable
from ..graph.default_graph import device, get_default_graph
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.state.partitioned import PartitionedVariable


class SavedVariable:
    """A variable, the name it is saved under, and which piece it is of what has that name."""

    def __init__(self, name, piece, variable):
        self.name, self.piece, self.variable = name, piece, variable
        self.op, self.device = variable.op, variable.device
        # Of each tensor: name, piece, dtype.
        self.entries = [(name, piece, variable.dtype.base_dtype)]

    def tensors(self):
        """The tensors that are saved; a reference variable is read without a copy."""
        return [_value(self.variable)]

    def restore(self, values, reshape):
        """Adds the operation that assigns what was read."""
        (value,), variable = values, self.variable
        shape = variable.shape
        if reshape and shape.is_fully_defined():
            value = arrays.reshape(value, shape.as_list())
        if is_resource_variable(variable):
            with device(variable.device):
                return variable.assign(_checked(value, shape), read_value=False)
        known = shape.is_fully_defined() and not reshape
        return raw_ops.Assign(ref=variable, value=value, validate_shape=known).op


class SavedTable:
    """A table, or what else of the collection SAVEABLE_OBJECTS has tensors of its own."""

    piece = ""

    def __init__(self, name, saveable):
        self.name, self._saveable = name, saveable
        self.op, self.device = saveable.op, saveable.device
        self.entries = [(key, "", tensor.dtype.base_dtype) for key, tensor in saveable.tensors]

    def tensors(self):
        """The tensors that are saved."""
        return [tensor for _, tensor in self._saveable.tensors]

    def restore(self, values, reshape):
        """Adds the operation that takes over what was read."""
        del reshape
        return self._saveable.restore(values)


class SavedObject:
    """An object whose specs say what is saved, as a SaveableObject has them."""

    piece = ""

    def __init__(self, name, saveable):
        self.name, self._saveable = name, saveable
        self._tensors = [spec.tensor for spec in saveable.specs]
        self.op, self.device = self._tensors[0].op, self._tensors[0].device
        self.entries = [
            (spec.name, spec.slice_spec, tensor.dtype.base_dtype)
            for spec, tensor in zip(saveable.specs, self._tensors)
        ]

    def tensors(self):
        """The tensors that are saved."""
        return self._tensors

    def restore(self, values, reshape):
        """Adds the operation that takes over what was read."""
        shapes = [tensor.shape for tensor in self._tensors] if reshape else None
        return self._saveable.restore(values, shapes)


def all_of(var_list):
    """What a program gave to a Saver, sorted by name.

    Args:
        var_list: A list of variables, or a dict: name -> variable. None: all that can be saved.

    Returns:
        A list of SavedVariables, SavedTables and SavedObjects.

    Raises:
        TypeError: An item cannot be saved.
        ValueError: Two items have one name, or one item has two names.
    """
    if var_list is None:
        graph = get_default_graph()
        var_list = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
        var_list += graph.get_collection(GraphKeys.SAVEABLE_OBJECTS)
    names = var_list if isinstance(var_list, dict) else {}
    pairs = names.items() if names else ((None, v) for v in var_list)
    saved = []
    for name, item in pairs:
        parts = list(item) if isinstance(item, (PartitionedVariable, list, tuple)) else [item]
        saved += [_saved(name, part) for part in parts]
    seen, ops = set(), set()
    for one in saved:
        if (one.name, one.piece) in seen:
            raise ValueError(f"At least two variables have the same name: {one.name}")
        seen.add((one.name, one.piece))
        if one.op in ops:
            raise ValueError(f"The same saveable will be restored with two names: {one.name}")
        ops.add(one.op)
    return sorted(saved, key=lambda s: (s.name, s.op.name))


def _saved(name, item):
    if hasattr(item, "specs") and hasattr(item, "restore"):
        return SavedObject(name or item.name, item)
    if hasattr(item, "tensors") and hasattr(item, "restore"):
        return SavedTable(name or item.name, item)
    if not hasattr(item, "_save_slice_info"):
        raise TypeError(f"Variable to save is not a Variable: {item!r}")
    piece = item._save_slice_info
    own = item.op.name if piece is None else piece.full_name
    return SavedVariable(name or own, "" if piece is None else piece.spec, item)


def _checked(value, shape):
    """A value from a file; InvalidArgumentError where it is not of the variable's shape, which
    AssignVariableOp does not look at."""
    if shape.ndims is None:
        return arrays.identity(value)
    return raw_ops.EnsureShape(input=value, shape=shape.as_list(), name="Identity")


def _value(variable):
    if hasattr(variable, "saved_value"):  # of components that differ
        return variable.saved_value()
    piece = variable._save_slice_info is not None
    if not is_resource_variable(variable):
        return convert_to_tensor(variable, as_ref=not piece)
    if piece:
        with device(variable.device):
            value = variable.read_value()
            with device("/device:CPU:0"):
                return arrays.identity(value)
    read = variable._as_graph_element()
    return read if read.op.type == "ReadVariableOp" else variable.value()
