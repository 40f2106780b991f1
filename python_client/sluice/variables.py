"""Variables of both kinds."""

import numpy as np

from . import arrays, dtypes, math, raw_ops
from .convert import constant, convert_to_tensor
from .graph import (
    GraphKeys,
    colocate_with,
    control_dependencies,
    get_collection,
    get_default_graph,
    name_scope,
)
from .initializers import glorot_uniform
from .operators import overload_operators


class Variable:
    """A tensor that keeps its value between runs.

    initial_value: a value, a tensor, or a function of no arguments that gives one; its shape is
    the variable's.
    use_resource: False (the default) makes a reference variable, True a resource variable.
    Runs that use it before `initializer` ran raise errors.FailedPreconditionError.
    """

    def __init__(self, initial_value, trainable=True, collections=None, name=None, dtype=None,
                 use_resource=False):  # fmt: skip
        self._graph = graph = get_default_graph()
        self._is_resource = bool(use_resource)
        with control_dependencies(None), name_scope(name, "Variable") as scope:
            with graph.name_scope("Initializer"):
                value = initial_value() if callable(initial_value) else initial_value
                value = convert_to_tensor(value, dtype)
            if not value.shape.is_fully_defined():
                raise ValueError(f"the initial value {value} must have a known shape")
            self.dtype, self.shape, self.initial_value = value.dtype, value.shape, value
            attrs = {"dtype": int(value.dtype), "shape": value.shape.as_list()}
            if use_resource:
                attrs["shared_name"] = scope[:-1]
                self._make_resource(graph, attrs, scope, value)
            else:
                self._make_reference(graph, attrs, scope, value)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        for collection in collections:
            graph.add_to_collection(collection, self)

    def _make_reference(self, graph, attrs, scope, value):
        self.handle = graph.create_op("VariableV2", [], attrs, scope).outputs[0]
        self.initializer = raw_ops.Assign(ref=self, value=value, name=scope + "Assign/").op
        self._snapshot = raw_ops.Identity(input=self._as_tensor(True), name=scope + "read/")

    def _make_resource(self, graph, attrs, scope, value):
        self.handle = graph.create_op("VarHandleOp", [], attrs, scope).outputs[0]
        self.initializer = raw_ops.AssignVariableOp(
            resource=self.handle, value=value, name=scope + "Assign/"
        )
        self._snapshot = self._read(scope + "Read/")

    def _read(self, name=None):
        return raw_ops.ReadVariableOp(resource=self.handle, dtype=self.dtype, name=name)

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

    def get_shape(self):
        return self.shape

    def value(self):
        """The value as a tensor: of a resource variable, as it is when the new read runs."""
        return self._read() if self._is_resource else self._snapshot

    read_value = value

    def _as_tensor(self, as_ref=False):
        return self.handle if as_ref else self.value()

    def _as_graph_element(self):
        return self._snapshot

    def eval(self, feed_dict=None, session=None):
        return self._snapshot.eval(feed_dict, session)

    def _update(self, reference_op, resource_op, value, name):
        value = convert_to_tensor(value, self.dtype)
        if not self._is_resource:
            return raw_ops.apply_op(reference_op, name, ref=self, value=value)
        op = raw_ops.apply_op(resource_op, name, resource=self.handle, value=value)
        with control_dependencies([op]):
            return self._read()

    def assign(self, value, name=None):
        """Sets the value; the result is the new one."""
        return self._update("Assign", "AssignVariableOp", value, name)

    def assign_add(self, delta, name=None):
        return self._update("AssignAdd", "AssignAddVariableOp", delta, name)

    def assign_sub(self, delta, name=None):
        return self._update("AssignSub", "AssignSubVariableOp", delta, name)

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return f"<sluice.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


overload_operators(Variable)


def assign(ref, value, name=None):
    return ref.assign(value, name)


def assign_add(ref, value, name=None):
    return ref.assign_add(value, name)


def assign_sub(ref, value, name=None):
    return ref.assign_sub(value, name)


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
    function.__doc__ = f"{doc}; the result is the variable's new value. Indices may repeat."
    return function


scatter_update = _scatter("ScatterUpdate", "Rows `indices` of a variable set to `updates`")
scatter_add = _scatter("ScatterAdd", "`updates` added to rows `indices` of a variable")
scatter_sub = _scatter("ScatterSub", "`updates` subtracted from rows `indices` of a variable")
scatter_mul = _scatter("ScatterMul", "Rows `indices` of a variable multiplied by `updates`")
scatter_div = _scatter("ScatterDiv", "Rows `indices` of a variable divided by `updates`")
scatter_max = _scatter("ScatterMax", "Rows `indices` of a variable at least `updates`")
scatter_min = _scatter("ScatterMin", "Rows `indices` of a variable at most `updates`")


def count_up_to(ref, limit, name=None):
    """An int32 or int64 variable's value, to which 1 is added; at `limit`: OutOfRangeError."""
    if ref._is_resource:
        return raw_ops.ResourceCountUpTo(resource=ref.handle, limit=limit, T=ref.dtype, name=name)
    return raw_ops.CountUpTo(ref=ref, limit=limit, name=name)


def get_variable(name, shape=None, dtype=dtypes.float32, initializer=None, trainable=True,
                 use_resource=False):  # fmt: skip
    """The variable of this name in the current name scope, made when it is not there.

    initializer: a function of (shape, dtype), or a value; default: glorot_uniform().
    ValueError when the one that is there has another shape or dtype.
    """
    graph = get_default_graph()
    store = graph._collections.setdefault("_variables_by_name", {})
    full = graph._scope + name
    if full in store:
        found = store[full]
        if shape is not None and found.shape != list(shape) or found.dtype != dtype:
            raise ValueError(f"variable {full} is there already: {found}")
        return found
    if initializer is None:
        initializer = glorot_uniform()
    if callable(initializer):

        def value():
            return initializer(list(shape), dtype)
    else:
        value = constant(initializer, dtype, shape=shape)
    store[full] = Variable(value, trainable, name=name, dtype=dtype, use_resource=use_resource)
    return store[full]


def global_variables():
    """Every variable of the default graph that tasks share."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES)


def local_variables():
    """The variables of the default graph that belong to one task: counters, metrics."""
    return get_collection(GraphKeys.LOCAL_VARIABLES)


def local_variables_initializer():
    """An operation that gives every local variable its initial value."""
    return variables_initializer(local_variables())


def trainable_variables():
    """The variables that optimizers change by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES)


def variables_initializer(var_list, name="init"):
    """An operation that gives these variables their initial values."""
    return arrays.group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer():
    """An operation that gives every global variable its initial value."""
    return variables_initializer(global_variables())


def is_variable_initialized(variable):
    """A boolean tensor: has the variable a value?"""
    if variable._is_resource:
        return raw_ops.VarIsInitializedOp(resource=variable.handle)
    return raw_ops.IsVariableInitialized(ref=variable)


def report_uninitialized_variables(var_list=None):
    """A string vector: the names of the variables without a value."""
    var_list = global_variables() if var_list is None else list(var_list)
    if not var_list:
        return constant(np.array([], np.object_))
    flags = []
    for v in var_list:
        with colocate_with(v.op):
            flags.append(is_variable_initialized(v))
    missing = math.logical_not(arrays.stack(flags))
    places = arrays.squeeze(raw_ops.Where(input=missing), [1])
    return arrays.gather(constant([v.op.name for v in var_list]), places)
