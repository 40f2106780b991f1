"""Variables of both kinds.

Long because: the docstring of each function stands beside it.
"""

import contextlib

import numpy as np

from ... import messages
from ...graph.convert import constant, convert_to_tensor
from ...graph.defaults import _session
from ...graph.graph import (
    GraphKeys,
    colocate_with,
    control_dependencies,
    device,
    get_collection,
    get_default_graph,
    name_scope,
)
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math, raw_ops
from ..control_flow import control_flow
from ..linalg.operators import overload_operators

_resources_by_default = [False]


def enable_resource_variables():
    """Makes resource variables the default kind."""
    _resources_by_default[0] = True


def disable_resource_variables():
    """Makes reference variables the default kind, as they are at first."""
    _resources_by_default[0] = False


def resource_variables_enabled():
    """Tests whether resource variables are the default kind.

    Returns:
        A bool.
    """
    return _resources_by_default[0]


def _chosen_kind(use_resource):
    """Is a variable a resource? What is said of itself counts, then its scope, then the default."""
    from .variable_scope import get_variable_scope

    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    return resource_variables_enabled() if use_resource is None else bool(use_resource)


class VariableSynchronization:
    """How copies of a variable are synchronised. It is accepted, as in 1.x, and has no effect."""

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation:
    """How updates of copies of a variable are combined. It is accepted, as in 1.x, and has no
    effect.
    """

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


class SaveSliceInfo:
    """Which piece of a larger variable a variable is. The Saver saves it as such.

    Args:
        full_name: Name of the whole variable, a str.
        full_shape: Shape of the whole variable, a list of ints.
        var_offset: Where the piece starts in each dimension, a list of ints.
        var_shape: Shape of the piece, a list of ints.
    """

    def __init__(self, full_name, full_shape, var_offset, var_shape):
        self.full_name, self.full_shape = full_name, list(full_shape)
        self.var_offset, self.var_shape = list(var_offset), list(var_shape)

    @property
    def spec(self):
        """The piece as checkpoints write it, a str."""
        sizes = "".join(f"{d} " for d in self.full_shape)
        return sizes + ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape))


class Variable:
    """A tensor that keeps its value between runs.

    A run that uses it before its `initializer` ran fails with FailedPreconditionError.

    Args:
        initial_value: A value, a tensor, or a function without arguments that returns one.
        trainable: Whether optimizers change it by default. A bool. None: True.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        validate_shape: Whether the shape of the initial value must be known, and stays. A bool.
        caching_device: Device that keeps values that were read, a str. None: no caching.
        name: Name of the variable, a str. None: "Variable".
        variable_def: What to_proto() returned, instead of all other arguments.
        dtype: Dtype of the variable. None: that of the initial value.
        expected_shape: Older name of shape.
        import_scope: Name scope to put in front of names, a str. None: none.
        constraint: A function of the value that optimizers apply after an update. None: none.
        use_resource: True: a resource variable; False: a reference variable. None: the default
            kind.
        synchronization: Accepted. It has no effect.
        aggregation: Accepted. It has no effect.
        shape: Shape of the variable. None: that of the initial value.

    Raises:
        ValueError: There is no initial value, or its shape is not known.

    Example:
        >>> v = sl.Variable([1.0, 2.0], name="v")
        >>> v
        <sluice.Variable 'v:0' shape=(2,) dtype=float32>
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     session.run(v.assign_add([1.0, 1.0]))
        ...     print(session.run(v))
        array([2., 3.], dtype=float32)
        [2. 3.]
    """

    SaveSliceInfo = SaveSliceInfo

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True,
                 caching_device=None, name=None, variable_def=None, dtype=None,
                 expected_shape=None, import_scope=None, constraint=None, use_resource=None,
                 synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE, shape=None):  # fmt: skip
        self._graph = graph = get_default_graph()
        self._save_slice_info, self.constraint = None, constraint
        self.synchronization, self.aggregation = synchronization, aggregation
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("initial_value and variable_def cannot both be given")
            self._find(messages.take(messages.VariableDef, variable_def), import_scope)
            return
        if initial_value is None:
            raise ValueError("initial_value must be given")
        self.trainable = trainable is None or bool(trainable)
        self._is_resource = _chosen_kind(use_resource)
        with control_dependencies(None), name_scope(name, "Variable") as scope:
            value = _initial(graph, initial_value, dtype, scope, self._is_resource)
            expected_shape = shape if shape is not None else expected_shape
            dims = TensorShape(expected_shape) if expected_shape is not None else value.shape
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"the initial value {value} must have a known shape")
            self.dtype, self.initial_value = value.dtype, value
            dims = dims if validate_shape or shape is not None else TensorShape(None)
            attrs = {"dtype": int(value.dtype), "shape": dims._dims}
            make = self._make_resource if self._is_resource else self._make_reference
            made_here = self._is_resource or callable(initial_value)
            with graph._with(_together=scope[:-1] if made_here else None):
                self._make_node(graph, attrs, scope)
            make(scope, value, validate_shape, caching_device)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if self.trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        graph.add_to_collections(collections, self)

    def _make_node(self, graph, attrs, scope):
        kind = "VariableV2"
        if self._is_resource:
            kind = "VarHandleOp"
            attrs.update(shared_name=scope[:-1], container=graph._container)
        self.handle = graph.create_op(kind, [], attrs, scope).outputs[0]

    def _make_reference(self, scope, value, validate_shape, caching_device):
        self.initializer = raw_ops.Assign(
            ref=self, value=value, validate_shape=validate_shape, name=scope + "Assign/"
        ).op
        with self._caching(caching_device):
            self._snapshot = raw_ops.Identity(input=self.handle, name=scope + "read/")

    def _make_resource(self, scope, value, validate_shape, caching_device):
        with self._at_home():
            self.initializer = raw_ops.AssignVariableOp(
                resource=self.handle, value=value, name=scope + "Assign/"
            )
        with device(self.device):
            self._snapshot = self._read(scope + "Read/ReadVariableOp/")
        if caching_device is not None:
            with self._caching(caching_device):
                self._snapshot = arrays.identity(self._snapshot)

    @contextlib.contextmanager
    def _at_home(self):
        """Operations made inside have the device of the variable, whatever the scopes say."""
        with colocate_with(None, ignore_existing=True), device(self.device):
            yield

    def _caching(self, caching_device):
        if caching_device is None:
            return colocate_with(self.op, ignore_existing=True)
        if callable(caching_device):
            caching_device = caching_device(self.op)
        return device(caching_device)

    def _find(self, definition, import_scope):
        """Looks itself up in a graph that has it already."""

        def element(name):
            return self._graph.as_graph_element(f"{import_scope}/{name}" if import_scope else name)

        self.trainable, self._is_resource = definition.trainable, definition.is_resource
        self.handle = element(definition.variable_name)
        self.initializer = element(definition.initializer_name)
        self._snapshot = element(definition.snapshot_name)
        initial = definition.initial_value_name
        self.initial_value = element(initial) if initial else self.initializer.inputs[1]
        self.dtype = self._snapshot.dtype
        if definition.HasField("save_slice_info_def"):
            d = definition.save_slice_info_def
            self._save_slice_info = SaveSliceInfo(
                d.full_name, d.full_shape, d.var_offset, d.var_shape
            )

    def to_proto(self, export_scope=None):
        """Converts the variable to a protocol message, with which it can be found again.

        Args:
            export_scope: Name scope to export without its own name, a str. None: everything.

        Returns:
            A VariableDef; None if it is not within export_scope.
        """
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(prefix):
            return None
        definition = messages.VariableDef(
            variable_name=self.name[len(prefix):],
            initial_value_name=self.initial_value.name[len(prefix):],
            initializer_name=self.initializer.name[len(prefix):],
            snapshot_name=self._snapshot.name[len(prefix):],
            is_resource=self._is_resource, trainable=self.trainable,
        )  # fmt: skip
        if self._save_slice_info is not None:
            info = self._save_slice_info
            definition.save_slice_info_def.MergeFrom(messages.SaveSliceInfoDef(
                full_name=info.full_name, full_shape=info.full_shape, var_offset=info.var_offset,
                var_shape=info.var_shape,
            ))  # fmt: skip
        return definition

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        """Finds the variable that a message of to_proto() describes.

        Args:
            variable_def: The VariableDef.
            import_scope: Name scope to put in front of names, a str. None: none.

        Returns:
            A Variable.

        Raises:
            KeyError: The graph has no such variable.
        """
        return Variable(variable_def=variable_def, import_scope=import_scope)

    @property
    def name(self):
        """The name, "<operation>:0"."""
        return self.op.name + ":0"

    @property
    def op(self):
        """The Operation of the variable."""
        return self.handle.op

    @property
    def graph(self):
        """The Graph that it belongs to."""
        return self._graph

    @property
    def device(self):
        """The device that the program requested, a str."""
        return self.op.device

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        return TensorShape(self._graph._core.attr(self.op._id, "shape"))

    def get_shape(self):
        """Returns the static shape.

        Returns:
            A TensorShape.
        """
        return self.shape

    def set_shape(self, shape):
        """Adds what the program knows of the static shape.

        Args:
            shape: A TensorShape, or what makes one.

        Raises:
            ValueError: The shape contradicts what is known.
        """
        self.handle.set_shape(shape)
        self._snapshot.set_shape(shape)

    def value(self):
        """Returns the value. Of a resource variable it is read when the operation that uses it
        runs.

        Returns:
            A tensor.
        """
        if not self._is_resource or self._snapshot.op.type != "ReadVariableOp":
            return self._snapshot
        with self._at_home():
            return self._read()

    def read_value(self):
        """Returns the value, read after the current control dependencies.

        Returns:
            A tensor.
        """
        if not self._is_resource:
            return arrays.identity(self.handle, "read")
        with name_scope("Read"), device(self.device):
            value = self._read()
        return arrays.identity(value)

    def _read(self, name=None):
        value = raw_ops.ReadVariableOp(resource=self.handle, dtype=self.dtype, name=name)
        if value.shape.ndims is None:  # in the body of a loop or conditional
            value.set_shape(self.shape)
        return value

    def _ref(self):
        return self.handle

    def _get_save_slice_info(self):
        return self._save_slice_info

    def _as_tensor(self, as_ref=False):
        return self.handle if as_ref else self.value()

    def _as_graph_element(self):
        return self._snapshot

    def eval(self, session=None):
        """Reads the value in a session.

        Args:
            session: The session to run in. None: the default session.

        Returns:
            An array.

        Raises:
            ValueError: There is no session.
            errors.FailedPreconditionError: The variable is not initialised.
        """
        return self._snapshot.eval(session=session)

    def load(self, value, session=None):
        """Sets the value without adding to the graph.

        Args:
            value: An array.
            session: The session to run in. None: the default session.

        Raises:
            ValueError: There is no session.
        """
        _session(session).run(self.initializer, {self.initializer.inputs[1]: value})

    def initialized_value(self):
        """Returns the value or, if there is none yet, the initial value. It is for initial values
        of other variables.

        Returns:
            A tensor.
        """
        ready = is_variable_initialized(self)
        if self._is_resource:
            return control_flow.cond(ready, self._read, lambda: self.initial_value)
        with name_scope(None, "cond"), colocate_with(None, ignore_existing=True):
            has = raw_ops.RefSwitch(data=self.handle, pred=ready)[1]
            lacks = raw_ops.Switch(data=self.initial_value, pred=ready)[0]
            return raw_ops.Merge(inputs=[arrays.identity(has), lacks])[0]

    def is_initialized(self, name=None):
        """Tests whether the variable has a value.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A bool scalar.
        """
        return is_variable_initialized(self, name)

    def _update(self, reference_op, resource_op, value, use_locking, name, read_value):
        if not self._is_resource:
            result = raw_ops.apply_op(
                reference_op, name, ref=self, value=value, use_locking=use_locking
            )
            return result if read_value else result.op
        value = convert_to_tensor(value, self.dtype)
        if resource_op == "AssignVariableOp":  # the op takes any shape
            self.shape.assert_is_compatible_with(value.shape)
        op = raw_ops.apply_op(resource_op, name, resource=self.handle, value=value)
        if not read_value:
            return op
        with control_dependencies([op]):
            return self._read()

    def assign(self, value, use_locking=None, name=None, read_value=True):
        """Sets the value.

        Args:
            value: The new value, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.

        Example:
            >>> v = sl.Variable(1)
            >>> with sl.Session() as session:
            ...     session.run(v.initializer)
            ...     print(session.run(v.assign(7)))
            7
        """
        return self._update("Assign", "AssignVariableOp", value, use_locking, name, read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        """Adds to the value.

        Args:
            delta: What to add or subtract, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.
        """
        return self._update(
            "AssignAdd", "AssignAddVariableOp", delta, use_locking, name, read_value
        )

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        """Subtracts from the value.

        Args:
            delta: What to add or subtract, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.
        """
        return self._update(
            "AssignSub", "AssignSubVariableOp", delta, use_locking, name, read_value
        )

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        """Adds to rows.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_add(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        """Subtracts from rows.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_sub(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Replaces rows.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        """Multiplies rows.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_mul(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        """Divides rows.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_div(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        """Takes the maximum of rows and updates.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_max(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        """Takes the minimum of rows and updates.

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return scatter_min(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Replaces rows of each batch: see the function batch_scatter_update().

        Args:
            sparse_delta: IndexedSlices: the rows and their numbers.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return batch_scatter_update(
            self, sparse_delta.indices, sparse_delta.values, use_locking, name
        )

    def scatter_nd_update(self, indices, updates, name=None):
        """Replaces slices.

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            updates: A tensor with the updates, one for each index.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return _scatter_nd("ScatterNdUpdate", self, indices, updates, name, True)

    def scatter_nd_add(self, indices, updates, name=None):
        """Adds to slices.

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            updates: A tensor with the updates, one for each index.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return _scatter_nd("ScatterNdAdd", self, indices, updates, name, True)

    def scatter_nd_sub(self, indices, updates, name=None):
        """Subtracts from slices.

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            updates: A tensor with the updates, one for each index.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The new value, a tensor.
        """
        return _scatter_nd("ScatterNdSub", self, indices, updates, name, True)

    def sparse_read(self, indices, name=None):
        """Reads rows. Of a resource variable no other rows are read.

        Args:
            indices: An int32 or int64 tensor of row numbers.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        return arrays.gather(self, indices, name=name)

    def gather_nd(self, indices, name=None):
        """Reads slices: see the function gather_nd().

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        return arrays.gather_nd(self, indices, name=name)

    def count_up_to(self, limit):
        """Returns the value and adds 1 to it.

        Args:
            limit: The value at which it fails, an int.

        Returns:
            A scalar.

        Raises:
            errors.OutOfRangeError: In run(): the limit is reached.
        """
        return count_up_to(self, limit)

    def __iter__(self):
        raise TypeError(f"variable {self.name} cannot be iterated over")

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return f"<sluice.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


overload_operators(Variable)


def _initial(graph, initial_value, dtype, scope, resource):
    """The initial value as a tensor; one that is made here stands beside the variable."""
    made = callable(initial_value)
    if not made and not resource:
        return convert_to_tensor(initial_value, dtype, name="initial_value")
    with graph._with(_together=scope[:-1]), device(None), graph.name_scope("Initializer"):
        initial_value = initial_value() if made else initial_value
        return convert_to_tensor(initial_value, dtype, name="initial_value")


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Sets the value of a variable.

    Args:
        ref: The variable.
        value: The new value, a tensor or a value of the variable's dtype.
        validate_shape: Whether a value of another shape is refused. A bool. None: True.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Example:
        >>> v = sl.Variable(1)
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(sl.assign(v, 5)))
        5
    """
    if validate_shape is False and not ref._is_resource:
        return raw_ops.Assign(ref=ref, value=value, validate_shape=False, name=name)
    return ref.assign(value, use_locking, name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to the value of a variable.

    Args:
        ref: The variable.
        value: The new value, a tensor or a value of the variable's dtype.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Example:
        >>> v = sl.Variable(1)
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(sl.assign_add(v, 5)))
        6
    """
    return ref.assign_add(value, use_locking, None if ref._is_resource else name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from the value of a variable.

    Args:
        ref: The variable.
        value: The new value, a tensor or a value of the variable's dtype.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.
    """
    return ref.assign_sub(value, use_locking, None if ref._is_resource else name)


def _scatter(op, doc):
    def function(ref, indices, updates, use_locking=op == "ScatterUpdate", name=None):
        if not ref._is_resource:
            return raw_ops.apply_op(
                op, name, ref=ref, indices=indices, updates=updates, use_locking=use_locking
            )
        done = raw_ops.apply_op(
            "Resource" + op, name, resource=ref.handle, indices=indices,
            updates=convert_to_tensor(updates, ref.dtype),
        )  # fmt: skip
        with control_dependencies([done]):
            return ref._read()

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
    if not ref._is_resource:
        return raw_ops.apply_op(
            op, name, ref=ref, indices=indices, updates=updates, use_locking=use_locking
        )
    updates = convert_to_tensor(updates, ref.dtype)
    done = raw_ops.apply_op("Resource" + op, name, ref=ref.handle, indices=indices, updates=updates)
    with control_dependencies([done]):
        return ref._read()


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
    lead = list(arrays._batch_places(places, indices.shape.ndims - 1))
    return scatter_nd_update(ref, arrays.concat([*lead, places], -1), updates, use_locking, name)


def count_up_to(ref, limit, name=None):
    """Returns the value of a variable and adds 1 to it.

    Args:
        ref: An int32 or int64 variable.
        limit: The value at which it fails, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar.

    Raises:
        errors.OutOfRangeError: In run(): the limit is reached.
    """
    if ref._is_resource:
        return raw_ops.ResourceCountUpTo(resource=ref.handle, limit=limit, T=ref.dtype, name=name)
    return raw_ops.CountUpTo(ref=ref, limit=limit, name=name)


def global_variables(scope=None):
    """Returns the variables of the default graph that tasks share.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables():
    """Returns the variables of the default graph that tasks share. Older form of
    global_variables().

    Returns:
        A list of variables.
    """
    return global_variables()


def model_variables(scope=None):
    """Returns the variables that a model requires to run.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    """Returns the variables that have a moving average.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def local_variables(scope=None):
    """Returns the variables of the default graph that belong to one task, such as counters.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def local_variables_initializer():
    """Adds an operation that gives every local variable its initial value.

    Returns:
        The Operation.
    """
    return variables_initializer(local_variables())


def trainable_variables(scope=None):
    """Returns the variables that optimizers change by default.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.

    Example:
        >>> v, w = sl.Variable(1.0, name="v"), sl.Variable(2.0, trainable=False)
        >>> [variable.op.name for variable in sl.trainable_variables()]
        ['v']
    """
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def initialize_all_variables():
    """Adds an operation that initialises global variables. Older form of
    global_variables_initializer().

    Returns:
        The Operation.
    """
    return global_variables_initializer()


def variables_initializer(var_list, name="init"):
    """Adds an operation that gives variables their initial values.

    Args:
        var_list: A list of variables.
        name: Name of the operation, a str.

    Returns:
        The Operation.
    """
    return arrays.group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer():
    """Adds an operation that gives every global variable its initial value.

    Returns:
        The Operation.

    Example:
        >>> v = sl.Variable(3)
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     print(session.run(v))
        3
    """
    return variables_initializer(global_variables())


def is_variable_initialized(variable, name=None):
    """Tests whether a variable has a value.

    Args:
        variable: The variable.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    if variable._is_resource:
        return raw_ops.VarIsInitializedOp(resource=variable.handle, name=name)
    return raw_ops.IsVariableInitialized(ref=variable, name=name)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """Returns the names of the variables that have no value.

    Args:
        var_list: A list of variables. None: all global and local ones.
        name: Name of the operation, a str.

    Returns:
        A string vector.
    """
    var_list = global_variables() + local_variables() if var_list is None else list(var_list)
    with name_scope(name):
        if not var_list:
            return constant(np.array([], np.object_))
        flags = []
        for v in var_list:
            with colocate_with(v.op, ignore_existing=True):
                flags.append(is_variable_initialized(v))
        with device("/cpu:0"):
            missing = math.logical_not(arrays.stack(flags))
            return arrays.boolean_mask(constant([v.op.name for v in var_list]), missing)


def assert_variables_initialized(var_list=None):
    """Returns a tensor that fails while a variable has no value.

    Args:
        var_list: A list of variables. None: all global and local ones.

    Returns:
        A tensor; None if there are no variables.

    Raises:
        errors.FailedPreconditionError: In run(): a variable has no value.
    """
    var_list = global_variables() + local_variables() if var_list is None else list(var_list)
    if not var_list:
        return None
    ranks = [arrays.rank(v._as_tensor()) for v in var_list]
    return arrays.stack(ranks)
