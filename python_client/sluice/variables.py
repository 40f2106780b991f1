"""Variables of both kinds."""

import numpy as np

from . import arrays, control_flow, math, messages, raw_ops
from .convert import constant, convert_to_tensor
from .defaults import _session
from .graph import (
    GraphKeys,
    colocate_with,
    control_dependencies,
    device,
    get_collection,
    get_default_graph,
    name_scope,
)
from .operators import overload_operators
from .tensor_shape import TensorShape

_resources_by_default = [False]


def enable_resource_variables():
    """Makes resource variables where use_resource is not given."""
    _resources_by_default[0] = True


def disable_resource_variables():
    """Makes reference variables where use_resource is not given: so it is at first."""
    _resources_by_default[0] = False


def resource_variables_enabled():
    return _resources_by_default[0]


class VariableSynchronization:
    """Accepted, as in 1.x, for strategies that make several copies of a variable."""

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation:
    """Accepted, as in 1.x, for strategies that make several copies of a variable."""

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


class SaveSliceInfo:
    """Which piece of a larger variable a variable is: the Saver saves it as such."""

    def __init__(self, full_name, full_shape, var_offset, var_shape):
        self.full_name, self.full_shape = full_name, list(full_shape)
        self.var_offset, self.var_shape = list(var_offset), list(var_shape)

    @property
    def spec(self):
        """As checkpoints write it: sizes of the whole, then begin,length of each dimension."""
        sizes = "".join(f"{d} " for d in self.full_shape)
        return sizes + ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape))


class Variable:
    """A tensor that keeps its value between runs.

    initial_value: a value, a tensor, or a function of no arguments that gives one; its shape is
    the variable's, which validate_shape=False leaves open. use_resource: False (the default) makes
    a reference variable, True a resource variable. caching_device: where reads are kept.
    constraint: a function of the value that optimizers apply after an update.
    variable_def: what to_proto() gave, in place of all else.
    Runs that use it before `initializer` ran raise errors.FailedPreconditionError.
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
        self._is_resource = bool(
            resource_variables_enabled() if use_resource is None else use_resource
        )
        with control_dependencies(None), name_scope(name, "Variable") as scope:
            value = _initial(graph, initial_value, dtype, scope)
            expected_shape = shape if shape is not None else expected_shape
            dims = TensorShape(expected_shape) if expected_shape is not None else value.shape
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"the initial value {value} must have a known shape")
            self.dtype, self.initial_value = value.dtype, value
            dims = dims if validate_shape or shape is not None else TensorShape(None)
            attrs = {"dtype": int(value.dtype), "shape": dims._dims}
            make = self._make_resource if self._is_resource else self._make_reference
            make(graph, attrs, scope, value, validate_shape, caching_device)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if self.trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        graph.add_to_collections(collections, self)

    def _make_reference(self, graph, attrs, scope, value, validate_shape, caching_device):
        self.handle = graph.create_op("VariableV2", [], attrs, scope).outputs[0]
        self.initializer = raw_ops.Assign(
            ref=self, value=value, validate_shape=validate_shape, name=scope + "Assign/"
        ).op
        with self._caching(caching_device):
            self._snapshot = raw_ops.Identity(input=self.handle, name=scope + "read/")

    def _make_resource(self, graph, attrs, scope, value, validate_shape, caching_device):
        attrs.update(shared_name=scope[:-1], container=graph._container)
        self.handle = graph.create_op("VarHandleOp", [], attrs, scope).outputs[0]
        self.initializer = raw_ops.AssignVariableOp(
            resource=self.handle, value=value, name=scope + "Assign/"
        )
        self._snapshot = self._read(scope + "Read/ReadVariableOp/")
        if caching_device is not None:
            with self._caching(caching_device):
                self._snapshot = arrays.identity(self._snapshot)

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
        """A VariableDef, by which another Python object finds this variable; None when it is not
        of the scope."""
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
        """The variable that to_proto() described."""
        return Variable(variable_def=variable_def, import_scope=import_scope)

    @property
    def name(self):
        return self.op.name + ":0"

    @property
    def op(self):
        return self.handle.op

    @property
    def graph(self):
        return self._graph

    @property
    def device(self):
        return self.op.device

    @property
    def shape(self):
        return TensorShape(self._graph._core.attr(self.op._id, "shape"))

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """What the program knows of the shape besides."""
        self.handle.set_shape(shape)
        self._snapshot.set_shape(shape)

    def value(self):
        """The value as a tensor: of a resource variable, as it is when the new read runs."""
        cached = self._snapshot.op.type != "ReadVariableOp"
        return self._snapshot if not self._is_resource or cached else self._read()

    def read_value(self):
        """The value as a tensor, read anew: after what it depends on."""
        return self._read() if self._is_resource else arrays.identity(self.handle, "read")

    def _read(self, name=None):
        value = raw_ops.ReadVariableOp(resource=self.handle, dtype=self.dtype, name=name or "Read")
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
        """The value, an array, in the given or the default session."""
        return self._snapshot.eval(session=session)

    def load(self, value, session=None):
        """Sets the value to an array, without adding to the graph."""
        _session(session).run(self.initializer, {self.initializer.inputs[1]: value})

    def initialized_value(self):
        """The value, or where it has none yet the initial value, as a tensor: for the initial
        values of other variables."""
        ready = is_variable_initialized(self)
        if self._is_resource:
            return control_flow.cond(ready, self._read, lambda: self.initial_value)
        with name_scope(None, "cond"), colocate_with(None, ignore_existing=True):
            has = raw_ops.RefSwitch(data=self.handle, pred=ready)[1]
            lacks = raw_ops.Switch(data=self.initial_value, pred=ready)[0]
            return raw_ops.Merge(inputs=[arrays.identity(has), lacks])[0]

    def is_initialized(self, name=None):
        return is_variable_initialized(self, name)

    def _update(self, reference_op, resource_op, value, use_locking, name, read_value):
        value = convert_to_tensor(value, self.dtype)
        if not self._is_resource:
            result = raw_ops.apply_op(
                reference_op, name, ref=self, value=value, use_locking=use_locking
            )
            return result if read_value else result.op
        op = raw_ops.apply_op(resource_op, name, resource=self.handle, value=value)
        if not read_value:
            return op
        with control_dependencies([op]):
            return self._read()

    def assign(self, value, use_locking=None, name=None, read_value=True):
        """Sets the value; the result is the new one, without read_value the operation."""
        return self._update("Assign", "AssignVariableOp", value, use_locking, name, read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        """Adds to the value; the result as of assign()."""
        return self._update(
            "AssignAdd", "AssignAddVariableOp", delta, use_locking, name, read_value
        )

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        """Subtracts from the value; the result as of assign()."""
        return self._update(
            "AssignSub", "AssignSubVariableOp", delta, use_locking, name, read_value
        )

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        """Adds IndexedSlices."""
        return scatter_add(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        """Subtracts IndexedSlices."""
        return scatter_sub(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Sets the rows of IndexedSlices."""
        return scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        """Multiplies by IndexedSlices."""
        return scatter_mul(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        """Divides by IndexedSlices."""
        return scatter_div(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        """Makes the rows of IndexedSlices at least these."""
        return scatter_max(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        """Makes the rows of IndexedSlices at most these."""
        return scatter_min(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Sets IndexedSlices, in each batch its own: see the function of that name."""
        return batch_scatter_update(
            self, sparse_delta.indices, sparse_delta.values, use_locking, name
        )

    def scatter_nd_update(self, indices, updates, name=None):
        """Sets slices; the result is the new value."""
        return _scatter_nd("ScatterNdUpdate", self, indices, updates, name)

    def scatter_nd_add(self, indices, updates, name=None):
        """Adds to slices; the result is the new value."""
        return _scatter_nd("ScatterNdAdd", self, indices, updates, name)

    def scatter_nd_sub(self, indices, updates, name=None):
        """Subtracts from slices; the result is the new value."""
        return _scatter_nd("ScatterNdSub", self, indices, updates, name)

    def sparse_read(self, indices, name=None):
        """The rows `indices`: of a resource variable without reading the others."""
        return arrays.gather(self, indices, name=name)

    def gather_nd(self, indices, name=None):
        """Slices of the value: see the function gather_nd."""
        return arrays.gather_nd(self, indices, name=name)

    def count_up_to(self, limit):
        return count_up_to(self, limit)

    def __iter__(self):
        raise TypeError(f"variable {self.name} cannot be iterated over")

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return f"<sluice.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


overload_operators(Variable)


def _initial(graph, initial_value, dtype, scope):
    """The initial value as a tensor; one that is made here stands beside the variable."""
    if not callable(initial_value):
        return convert_to_tensor(initial_value, dtype, name="initial_value")
    with graph._with("_together", scope[:-1]), device(None), graph.name_scope("Initializer"):
        value = convert_to_tensor(initial_value(), dtype, name="initial_value")
    return value


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Sets a variable's value; the result is the new one."""
    if validate_shape is False and not ref._is_resource:
        value = convert_to_tensor(value, ref.dtype)
        return raw_ops.Assign(ref=ref, value=value, validate_shape=False, name=name)
    return ref.assign(value, use_locking, name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to a variable's value; the result is the new one."""
    return ref.assign_add(value, use_locking, name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from a variable's value; the result is the new one."""
    return ref.assign_sub(value, use_locking, name)


def _scatter(op, doc):
    def function(ref, indices, updates, use_locking=False, name=None):
        updates = convert_to_tensor(updates, ref.dtype)
        if not ref._is_resource:
            return raw_ops.apply_op(
                op, name, ref=ref, indices=indices, updates=updates, use_locking=use_locking
            )
        done = raw_ops.apply_op(
            "Resource" + op, resource=ref.handle, indices=indices, updates=updates
        )
        with control_dependencies([done]):
            return ref._read(name)

    function.__name__ = op
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


def _scatter_nd(op, ref, indices, updates, name):
    updates = convert_to_tensor(updates, ref.dtype)
    if not ref._is_resource:
        return raw_ops.apply_op(op, name, ref=ref, indices=indices, updates=updates)
    done = raw_ops.apply_op("Resource" + op, ref=ref.handle, indices=indices, updates=updates)
    with control_dependencies([done]):
        return ref._read(name)


def scatter_nd_update(ref, indices, updates, use_locking=True, name=None):
    """Slices of a variable set to updates; the result is its new value."""
    return _scatter_nd("ScatterNdUpdate", ref, indices, updates, name)


def scatter_nd_add(ref, indices, updates, use_locking=False, name=None):
    """Updates added to slices of a variable; the result is its new value."""
    return _scatter_nd("ScatterNdAdd", ref, indices, updates, name)


def scatter_nd_sub(ref, indices, updates, use_locking=False, name=None):
    """Updates subtracted from slices of a variable; the result is its new value."""
    return _scatter_nd("ScatterNdSub", ref, indices, updates, name)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """ref[b, indices[b, i]] = updates[b, i] for every b of the leading dimensions, those of
    `indices` but the last; the result is the variable's new value."""
    indices = convert_to_tensor(indices)
    places = arrays.expand_dims(indices, -1)
    lead = list(arrays._batch_places(places, indices.shape.ndims - 1))
    return scatter_nd_update(ref, arrays.concat([*lead, places], -1), updates, use_locking, name)


def count_up_to(ref, limit, name=None):
    """An int32 or int64 variable's value, to which 1 is added; at `limit`: OutOfRangeError."""
    if ref._is_resource:
        return raw_ops.ResourceCountUpTo(resource=ref.handle, limit=limit, T=ref.dtype, name=name)
    return raw_ops.CountUpTo(ref=ref, limit=limit, name=name)


def global_variables(scope=None):
    """Every variable of the default graph that tasks share."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables():
    return global_variables()


def model_variables(scope=None):
    """The variables that a model needs to run."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    """The variables that have a moving average."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def local_variables(scope=None):
    """The variables of the default graph that belong to one task: counters, metrics."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def local_variables_initializer():
    """An operation that gives every local variable its initial value."""
    return variables_initializer(local_variables())


def trainable_variables(scope=None):
    """The variables that optimizers change by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def initialize_all_variables():
    return global_variables_initializer()


def variables_initializer(var_list, name="init"):
    """An operation that gives these variables their initial values."""
    return arrays.group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer():
    """An operation that gives every global variable its initial value."""
    return variables_initializer(global_variables())


def is_variable_initialized(variable, name=None):
    """A boolean tensor: has the variable a value?"""
    if variable._is_resource:
        return raw_ops.VarIsInitializedOp(resource=variable.handle, name=name)
    return raw_ops.IsVariableInitialized(ref=variable, name=name)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """A string vector: the names of the variables without a value; all global and local ones."""
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
    """A tensor whose run fails with FailedPreconditionError while one of them has no value."""
    var_list = global_variables() + local_variables() if var_list is None else list(var_list)
    if not var_list:
        return None
    ranks = [arrays.rank(v._as_tensor()) for v in var_list]
    return arrays.stack(ranks)
