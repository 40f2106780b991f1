"""Variables of both kinds, and their initialisers."""

import math

import numpy as np

from . import dtypes, ops, raw_ops
from .convert import constant, convert_to_tensor
from .graph import (
    GraphKeys,
    colocate_with,
    control_dependencies,
    get_collection,
    get_default_graph,
    name_scope,
)


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


ops.overload_operators(Variable)


def assign(ref, value, name=None):
    return ref.assign(value, name)


def assign_add(ref, value, name=None):
    return ref.assign_add(value, name)


def assign_sub(ref, value, name=None):
    return ref.assign_sub(value, name)


def get_variable(name, shape=None, dtype=dtypes.float32, initializer=None, trainable=True,
                 use_resource=False):  # fmt: skip
    """The variable of this name in the current name scope, made when it is not there.

    initializer: a function of (shape, dtype), or a value; default: glorot_uniform_initializer().
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
        initializer = glorot_uniform_initializer()
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


def trainable_variables():
    """The variables that optimizers change by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES)


def variables_initializer(var_list, name="init"):
    """An operation that gives these variables their initial values."""
    return ops.group(*[v.initializer for v in var_list], name=name)


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
    missing = ops.logical_not(ops.stack(flags))
    places = ops.squeeze(raw_ops.Where(input=missing), [1])
    return ops.gather(constant([v.op.name for v in var_list]), places)


def zeros_initializer():
    return lambda shape, dtype=dtypes.float32: ops.zeros(shape, dtype)


def ones_initializer():
    return lambda shape, dtype=dtypes.float32: ops.ones(shape, dtype)


def constant_initializer(value):
    return lambda shape, dtype=dtypes.float32: constant(value, dtype, shape=shape)


def truncated_normal_initializer(mean=0.0, stddev=1.0, seed=None):
    return lambda shape, dtype=dtypes.float32: ops.truncated_normal(
        shape, mean, stddev, dtype, seed
    )


def random_normal_initializer(mean=0.0, stddev=1.0, seed=None):
    return lambda shape, dtype=dtypes.float32: ops.random_normal(shape, mean, stddev, dtype, seed)


def random_uniform_initializer(minval=-0.05, maxval=0.05, seed=None):
    return lambda shape, dtype=dtypes.float32: ops.random_uniform(
        shape, minval, maxval, dtype, seed
    )


def glorot_uniform_initializer(seed=None):
    """Uniform within sqrt(6 / (inputs + outputs)) of zero (Glorot and Bengio, 2010)."""

    def initial(shape, dtype=dtypes.float32):
        field = math.prod(shape[:-2])
        inputs = shape[-2] * field if len(shape) > 1 else max(shape or [1])
        outputs = shape[-1] * field if shape else 1
        limit = math.sqrt(6 / max(1, inputs + outputs))
        return ops.random_uniform(shape, -limit, limit, dtype, seed)

    return initial


def he_normal_initializer(seed=None):
    """Truncated normal of variance 2 / inputs (He et al., 2015)."""

    def initial(shape, dtype=dtypes.float32):
        inputs = math.prod(shape[:-1]) or 1
        # The truncated normal's own deviation is 0.8796.
        return ops.truncated_normal(shape, 0.0, math.sqrt(2 / inputs) / 0.87962566, dtype, seed)

    return initial
