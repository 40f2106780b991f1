"""Graphs, operations and tensors, and the scopes that new operations are made in."""

import contextlib
import re
import threading

import numpy as np

from . import _sluice, dtypes
from .device_spec import DeviceSpec, merge


class TensorShape:
    """A static shape: sizes, None where one is not known; `ndims` is None for an unknown rank."""

    def __init__(self, dims):
        self._dims = (
            None if dims is None else [None if d is None or d < 0 else int(d) for d in dims]
        )

    @property
    def ndims(self):
        return None if self._dims is None else len(self._dims)

    rank = ndims

    def as_list(self):
        if self._dims is None:
            raise ValueError("as_list() of a shape of unknown rank")
        return list(self._dims)

    def is_fully_defined(self):
        return self._dims is not None and None not in self._dims

    def num_elements(self):
        return int(np.prod(self._dims, dtype=np.int64)) if self.is_fully_defined() else None

    def __len__(self):
        return len(self.as_list())

    def __iter__(self):
        return iter(self.as_list())

    def __getitem__(self, key):
        return self.as_list()[key]

    def __eq__(self, other):
        other = other._dims if isinstance(other, TensorShape) else other
        return self._dims == (None if other is None else list(other))

    def __repr__(self):
        if self._dims is None:
            return "<unknown>"
        return "(" + ", ".join("?" if d is None else str(d) for d in self._dims) + ")"


class Operation:
    """A node of a graph."""

    def __init__(self, graph, node_id):
        self.graph = graph
        self._id = node_id
        info = graph._core.describe(node_id)
        self.name = info["name"]
        self.type = info["op"]
        self.outputs = [Tensor(self, i, t) for i, t in enumerate(info["output_types"])]

    @property
    def device(self):
        """The requested device, "" where placement is free."""
        return self.graph._core.describe(self._id)["device"]

    @property
    def inputs(self):
        return [self.graph._tensor(i) for i in self.graph._core.describe(self._id)["inputs"]]

    @property
    def control_inputs(self):
        return [self.graph._op(i) for i in self.graph._core.describe(self._id)["control_inputs"]]

    def get_attr(self, name):
        """The value of an attribute; strings as bytes, types as DType numbers."""
        return self.graph._core.attr(self._id, name)

    def run(self, feed_dict=None, session=None):
        _session(session).run(self, feed_dict)

    def __repr__(self):
        return f"<sluice.Operation '{self.name}' type={self.type}>"


class Tensor:
    """An output of an operation."""

    __array_priority__ = 100

    def __init__(self, op, index, type_number):
        self.op = op
        self.value_index = index
        self._is_ref = type_number > 100
        self.dtype = dtypes.as_dtype(type_number)

    @property
    def graph(self):
        return self.op.graph

    @property
    def name(self):
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self):
        return self.op.device

    @property
    def shape(self):
        return TensorShape(self.graph._core.shape(self._id))

    def get_shape(self):
        return self.shape

    @property
    def _id(self):
        return (self.op._id, self.value_index)

    def eval(self, feed_dict=None, session=None):
        """The value as a NumPy array, computed in the given or the default session."""
        return _session(session).run(self, feed_dict)

    def __iter__(self):
        raise TypeError(f"tensor {self.name} cannot be iterated over; unstack() gives its parts")

    def __bool__(self):
        raise TypeError(f"tensor {self.name} has no truth value while the graph is built")

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return f"<sluice.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


class IndexedSlices:
    """Rows of a tensor: values[i] belongs to row indices[i]; rows may repeat."""

    def __init__(self, values, indices, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def device(self):
        return self.values.device


class GraphKeys:
    """Names of the standard collections."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    GLOBAL_STEP = "global_step"
    LOSSES = "losses"
    TRAIN_OP = "train_op"
    LOCAL_INIT_OP = "local_init_op"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    SAVERS = "savers"
    SUMMARIES = "summaries"
    UPDATE_OPS = "update_ops"
    QUEUE_RUNNERS = "queue_runners"


class Graph:
    """Operations under construction. One thread at a time may add to it.

    Raises errors.InvalidArgumentError when inputs or attributes do not fit an op.
    """

    def __init__(self):
        self._core = _sluice.Graph()
        self._ops = {}
        self._names = {}
        self._scope = ""
        self._devices = []
        self._colocation = []
        self._control = []
        self._collections = {}
        self.seed = None

    # ---- operations

    def _op(self, node_id):
        if node_id not in self._ops:
            self._ops[node_id] = Operation(self, node_id)
        return self._ops[node_id]

    def _tensor(self, tensor_id):
        op = self._op(tensor_id[0])
        if tensor_id[1] >= len(op.outputs):  # gradients made the op return more
            types = self._core.describe(op._id)["output_types"]
            op.outputs += [Tensor(op, i, types[i]) for i in range(len(op.outputs), len(types))]
        return op.outputs[tensor_id[1]]

    def create_op(self, op_type, inputs, attrs=None, name=None):
        """Adds an operation in the current scopes. `inputs` are tensors of this graph."""
        attrs = dict(attrs or {})
        name = name or op_type
        full = name[:-1] if name.endswith("/") else self.unique_name(name)
        for tensor in inputs:
            if tensor.graph is not self:
                raise ValueError(f"{tensor.name} is of another graph than the new {op_type}")
        together = self._colocation + _bound_to(inputs)
        if together and "_class" not in attrs:
            attrs["_class"] = sorted({"loc:@" + op.name for op in together})
        controls = {op._id for group in self._control for op in group}
        controls -= {t.op._id for t in inputs}
        node = self._core.add_node(
            op_type, [t._id for t in inputs], attrs, full, "", sorted(controls)
        )
        op = self._op(node)
        self._apply_device(op, together)
        return op

    def home_of(self, tensors):
        """The graph in which an op of these inputs is made while this one is the default."""
        return tensors[0].graph if tensors else self

    def _apply_device(self, op, together=()):
        if together:
            self._core.set_device(op._id, together[-1].device)
            return
        for entry in reversed(self._devices):
            if entry is None:
                break
            device = entry(op) if callable(entry) else merge(op.device, entry)
            self._core.set_device(op._id, device or "")

    def unique_name(self, name, mark_as_used=True):
        """`name` in the current name scope, with _1, _2, ... where it is taken."""
        name = self._scope + name
        key = name.lower()
        count = self._names.get(key, 0)
        if not mark_as_used and count == 0:
            return name
        if mark_as_used:
            self._names[key] = count + 1
        if count == 0:
            return name
        unique = f"{name}_{count}"
        while unique.lower() in self._names:
            count += 1
            unique = f"{name}_{count}"
        if mark_as_used:
            self._names[key] = count + 1
            self._names[unique.lower()] = 1
        return unique

    def get_operations(self):
        return [self._op(i) for i in range(self._core.num_ids()) if self._core.has(i)]

    def get_operation_by_name(self, name):
        node = self._core.find(name)
        if node < 0:
            raise KeyError(f'the graph has no operation "{name}"')
        return self._op(node)

    def get_tensor_by_name(self, name):
        op, _, index = name.partition(":")
        return self.get_operation_by_name(op).outputs[int(index or 0)]

    def as_graph_element(self, obj):
        """The Operation or Tensor that an object, or a name, stands for."""
        if isinstance(obj, str):
            by_name = self.get_tensor_by_name if ":" in obj else self.get_operation_by_name
            return by_name(obj)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if not isinstance(obj, (Operation, Tensor)):
            raise TypeError(f"{obj!r} is neither a tensor, nor an operation, nor a name of one")
        if obj.graph is not self:
            raise ValueError(f"{obj!r} is of another graph")
        return obj

    def as_graph_def(self):
        """The graph as the bytes of a GraphDef."""
        return self._core.serialize()

    # ---- collections

    def add_to_collection(self, name, value):
        self._collections.setdefault(name, []).append(value)

    def get_collection(self, name):
        return list(self._collections.get(name, ()))

    def get_collection_ref(self, name):
        return self._collections.setdefault(name, [])

    # ---- scopes

    @contextlib.contextmanager
    def _with(self, field, value):
        before = getattr(self, field)
        setattr(self, field, value)
        try:
            yield
        finally:
            setattr(self, field, before)

    def as_default(self):
        return _default(_graphs(), self)

    def device(self, device_name_or_function):
        if isinstance(device_name_or_function, DeviceSpec):
            device_name_or_function = device_name_or_function.to_string()
        if isinstance(device_name_or_function, str):
            DeviceSpec.from_string(device_name_or_function)
        return self._with("_devices", [*self._devices, device_name_or_function])

    @contextlib.contextmanager
    def name_scope(self, name):
        if not name:
            scope = ""
        elif name.endswith("/"):
            scope = name
        else:
            if not re.fullmatch(r"[A-Za-z0-9_.\-/>]+", name):
                raise ValueError(f'"{name}" is no valid name of a scope')
            scope = self.unique_name(name) + "/"
        with self._with("_scope", scope):
            yield scope

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return self._with("_control", [])
        ops = []
        for item in control_inputs:
            element = self.as_graph_element(item)
            ops.append(element.op if isinstance(element, Tensor) else element)
        return self._with("_control", [*self._control, ops])

    @contextlib.contextmanager
    def colocate_with(self, op, ignore_existing=False):
        if op is not None:
            op = op if isinstance(op, Operation) else self.as_graph_element(op).op
        kept = [] if ignore_existing or op is None else self._colocation
        with self._with("_devices", self._devices if op is None else []):
            with self._with("_colocation", kept + ([op] if op is not None else [])):
                yield


def _bound_to(inputs):
    """Producers that an op must stand beside: of references and of variables' handles."""
    return [t.op for t in inputs if t._is_ref or t.op.type == "VarHandleOp"]


# ---- defaults, per thread

_local = threading.local()
_global_graph = Graph()


def _graphs():
    if not hasattr(_local, "graphs"):
        _local.graphs = []
    return _local.graphs


def _sessions():
    if not hasattr(_local, "sessions"):
        _local.sessions = []
    return _local.sessions


@contextlib.contextmanager
def _default(stack, item):
    stack.append(item)
    try:
        yield item
    finally:
        stack.remove(item)


def _session(session):
    if session is not None:
        return session
    if not _sessions():
        raise ValueError("no session: give one, or enter a `with Session():`")
    return _sessions()[-1]


def get_default_session():
    return _sessions()[-1] if _sessions() else None


def get_default_graph():
    """The innermost `with graph.as_default():`, or the program's own graph."""
    return _graphs()[-1] if _graphs() else _global_graph


def reset_default_graph():
    """Makes a new default graph."""
    global _global_graph
    _global_graph = Graph()


def device(device_name_or_function):
    """Devices of the operations made inside: a name (parts left open are taken from outer scopes),
    a function of the operation that gives a name, or None to drop the outer scopes."""
    return get_default_graph().device(device_name_or_function)


@contextlib.contextmanager
def name_scope(name, default_name=None, values=None):
    """Prefixes the names of the operations made inside; made unique, "name/" enters again."""
    with get_default_graph().name_scope(name if name is not None else default_name) as scope:
        yield scope


def control_dependencies(control_inputs):
    """Operations made inside run after these; None drops outer ones."""
    return get_default_graph().control_dependencies(control_inputs)


def colocate_with(op, ignore_existing=False):
    """Operations made inside stand on the device of `op`."""
    return get_default_graph().colocate_with(op, ignore_existing)


def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


def get_collection(name):
    return get_default_graph().get_collection(name)


def set_random_seed(seed):
    """The graph's seed: random operations made from now on draw the same numbers in every
    session."""
    get_default_graph().seed = seed


def get_seed(op_seed):
    """The two seeds of a random operation, from the graph's and its own."""
    graph = get_default_graph()
    if graph.seed is not None:
        seeds = (graph.seed, graph._core.num_ids() if op_seed is None else op_seed)
    elif op_seed is not None:
        seeds = (87654321, op_seed)
    else:
        return 0, 0
    seeds = (seeds[0] % 2**31, seeds[1] % 2**31)
    return (0, 2**31 - 1) if seeds == (0, 0) else seeds
