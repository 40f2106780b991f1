# SPDX-License-Identifier: Apache-2.0
"""Updates of rows and slices of variables."""

from ...graph.convert import convert_to_tensor, is_resource_variable
from ...graph.default_graph import control_dependencies
from ...graph.elements import IndexedSlices
from .. import array as arrays
from .. import raw_ops
from ..array.places import batch_places
from .reading import read_resource


def _scatter(op, doc):
    def function(ref, indices, updates, use_locking=op == "ScatterUpdate", name=None):
        if not is_resource_variable(ref):
            return raw_ops.apply_op(
                op, name, ref=ref, indices=indices, updates=updates, use_locking=use_locking
            )
        done = raw_ops.apply_op(
            "Resource" + op, name, resource=ref.handle, indices=indices,
            updates=convert_to_tensor(updates, ref.dtype),
        )  # fmt: skip
        with control_dependencies([done]):
            return read_resource(ref)

    function.__name__ = function.__qualname__ = "scatter_" + op[len("Scatter") :].lower()
    function.__doc__ = f"""{doc}

    Args:
        ref: The variable, [rows, ...].
        indices: An int32 or int64 tensor [...] of row numbers, which may be repeated.
        updates: A tensor: the shape of indices, then that of a row.
        use_locking: Whether the update takes the variable's lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value of the variable, a tensor.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return function


scatter_update = _scatter("ScatterUpdate", "Replaces rows of a variable.")


scatter_add = _scatter("ScatterAdd", "Adds to rows of a variable.")


scatter_sub = _scatter("ScatterSub", "Subtracts from rows of a variable.")


scatter_mul = _scatter("ScatterMul", "Multiplies rows of a variable.")


scatter_div = _scatter("ScatterDiv", "Divides rows of a variable.")


scatter_max = _scatter(
    "ScatterMax", "Raises elements of rows of a variable to at least the updates."
)


scatter_min = _scatter(
    "ScatterMin", "Lowers elements of rows of a variable to at most the updates."
)


def _scatter_nd(op, ref, indices, updates, name, use_locking):
    if not is_resource_variable(ref):
        return raw_ops.apply_op(
            op, name, ref=ref, indices=indices, updates=updates, use_locking=use_locking
        )
    updates = convert_to_tensor(updates, ref.dtype)
    done = raw_ops.apply_op("Resource" + op, name, ref=ref.handle, indices=indices, updates=updates)
    with control_dependencies([done]):
        return read_resource(ref)


def scatter_nd_update(ref, indices, updates, use_locking=True, name=None):
    """Replaces slices of a variable.

    Args:
        ref: The variable.
        indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
        updates: A tensor with the updates, one for each index.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return _scatter_nd("ScatterNdUpdate", ref, indices, updates, name, use_locking)


def scatter_nd_add(ref, indices, updates, use_locking=False, name=None):
    """Adds to slices of a variable.

    Args:
        ref: The variable.
        indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
        updates: A tensor with the updates, one for each index.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return _scatter_nd("ScatterNdAdd", ref, indices, updates, name, use_locking)


def scatter_nd_sub(ref, indices, updates, use_locking=False, name=None):
    """Subtracts from slices of a variable.

    Args:
        ref: The variable.
        indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
        updates: A tensor with the updates, one for each index.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return _scatter_nd("ScatterNdSub", ref, indices, updates, name, use_locking)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Replaces rows of each batch: ref[b, indices[b, i]] = updates[b, i] for every b.

    Args:
        ref: The variable.
        indices: An int32 or int64 tensor [batch..., n] of row numbers.
        updates: A tensor [batch..., n, ...].
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    indices = convert_to_tensor(indices)
    places = arrays.expand_dims(indices, -1)
    lead = list(batch_places(places, indices.shape.ndims - 1))
    return scatter_nd_update(ref, arrays.concat([*lead, places], -1), updates, use_locking, name)


def by_rows(function, summary):
    """Makes the method of Variable that updates rows.

    Args:
        function: The function of this module that does it.
        summary: The first line of the method's docstring, a str.

    Returns:
        The method.
    """

    def method(self, sparse_delta, use_locking=False, name=None):
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
        return function(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    return _method(
        method, function, f"""{summary}

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.

        Raises:
            TypeError: sparse_delta is something else.
        """
    )  # fmt: skip


def by_indices(function, summary):
    """Makes the method of Variable that updates slices.

    Args:
        function: The function of this module that does it.
        summary: The first line of the method's docstring, a str.

    Returns:
        The method.
    """

    def method(self, indices, updates, name=None):
        return function(self, indices, updates, True, name)

    return _method(
        method, function, f"""{summary}

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            updates: A tensor with the updates, one for each index.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
    )  # fmt: skip


def _method(method, function, doc):
    method.__name__, method.__module__ = function.__name__, __package__ + ".variables"
    method.__qualname__ = f"Variable.{function.__name__}"
    method.__doc__ = doc
    return method
