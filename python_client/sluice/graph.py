"""Graphs, and the scopes that new operations are made in."""

import bisect
import contextlib
import re

from . import _sluice, errors, origins
from .defaults import _default, _graphs
from .device_spec import DeviceSpec, merge
from .elements import IndexedSlices, Operation, Tensor, _attr_types


def _collection_names():
    own = """
        GLOBAL_VARIABLES=variables METRIC_VARIABLES TRAINABLE_VARIABLES LOCAL_VARIABLES
        MODEL_VARIABLES MOVING_AVERAGE_VARIABLES SUMMARIES QUEUE_RUNNERS
        TABLE_INITIALIZERS=table_initializer RESOURCES LOCAL_RESOURCES COND_CONTEXT WHILE_CONTEXT
        GLOBAL_STEP TRAIN_OP UPDATE_OPS LOSSES REGULARIZATION_LOSSES SAVERS INIT_OP LOCAL_INIT_OP
        READY_OP READY_FOR_LOCAL_INIT_OP SUMMARY_OP SAVEABLE_OBJECTS ASSET_FILEPATHS=asset_filepaths
        WEIGHTS BIASES ACTIVATIONS CONCATENATED_VARIABLES EVAL_STEP
    """
    for entry in own.split():
        name, _, value = entry.partition("=")
        yield name, value or name.lower()
    yield "VARIABLES", "variables"


GraphKeys = type(
    "GraphKeys", (), {"__doc__": "Names of the standard collections.", **dict(_collection_names())}
)


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
        self._container = ""
        self._together = None  # the name of a variable that new ops stand beside
        self._collections = {}
        self._made_elsewhere = []  # (first id, id after the last, stack), ascending
        self._functions = {}  # name -> the graph of its body
        self._finalized = False
        self._made_by_bodies, self._retraced = set(), set()  # variables: see control_flow.py
        self._unfeedable, self._unfetchable = set(), set()
        self.seed = None

    # ---- operations

    def _op(self, node_id):
        if node_id not in self._ops:
            op = self._ops[node_id] = Operation(self, node_id)
            op._made_at = self._made_at(node_id)
        return self._ops[node_id]

    def _tensor(self, tensor_id):
        op = self._op(tensor_id[0])
        if tensor_id[1] >= len(op.outputs):  # gradients made the op return more
            types = self._core.describe(op._id)["output_types"]
            op.outputs += [Tensor(op, i, types[i]) for i in range(len(op.outputs), len(types))]
        return op.outputs[tensor_id[1]]

    def create_op(self, op_type, inputs, attrs=None, name=None):
        """Adds an operation in the current scopes. `inputs` are tensors of this graph."""
        if self._finalized:
            raise RuntimeError("the graph is finalized: nothing can be added")
        attrs = dict(attrs or {})
        if self._container and (op_type, "container") in _attr_types():
            attrs["container"] = attrs.get("container") or self._container
        name = name or op_type
        full = name[:-1] if name.endswith("/") else self.unique_name(name)
        for tensor in inputs:
            if tensor.graph is not self:
                raise ValueError(f"{tensor.name} is of another graph than the new {op_type}")
        together = self._colocation + _bound_to(inputs)
        if together and "_class" not in attrs:
            attrs["_class"] = sorted({"loc:@" + op.name for op in together})
        elif self._together:
            attrs.setdefault("_class", ["loc:@" + self._together])
        controls = ()
        if self._control:
            controls = {op._id for group in self._control for op in group}
            controls = sorted(controls - {t.op._id for t in inputs})
        ids = [(t.op._id, t.value_index) for t in inputs]
        node = self._core.add_node(op_type, ids, attrs, full, "", controls)
        op = self._ops[node] = Operation(self, node)
        op._made_at = origins.stack()
        self._apply_device(op, together)
        return op

    def _made_here(self, first):
        """Operations from id `first` on, which create_op did not make, get the caller's line."""
        self._made_elsewhere.append((first, self._core.num_ids(), origins.stack()))

    def _made_at(self, node_id):
        """The stack of an operation that create_op did not make."""
        at = bisect.bisect_right(self._made_elsewhere, node_id, key=lambda made: made[0]) - 1
        if at < 0:
            return ()
        first, end, stack = self._made_elsewhere[at]
        return stack if node_id < end else ()

    def _bodies_of(self, op):
        """The graphs of the functions that an operation calls, by the names that the runtime gives
        its parts: "then" in "cond>then>Log"."""
        found = {}
        for key, part in _PARTS.items():
            try:
                names = self._core.attr(op._id, key)
            except errors.InvalidArgumentError:
                continue
            if isinstance(names, list):
                found.update({f"{part}{i}": name for i, name in enumerate(names)})
            else:
                found[part] = names
        return {part: self._functions[n] for part, n in found.items() if n in self._functions}

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

    @property
    def version(self):
        """It grows with every operation."""
        return self._core.num_ids()

    @property
    def finalized(self):
        return self._finalized

    def finalize(self):
        """From now on nothing can be added: RuntimeError."""
        self._finalized = True

    def _unsafe_unfinalize(self):
        self._finalized = False

    def prevent_feeding(self, tensor):
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor):
        return tensor not in self._unfeedable

    def prevent_fetching(self, op):
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op):
        return getattr(tensor_or_op, "op", tensor_or_op) not in self._unfetchable

    def get_name_scope(self):
        return self._scope.rstrip("/")

    def get_operations(self):
        return [self._op(i) for i in range(self._core.num_ids()) if self._core.has(i)]

    def get_operation_by_name(self, name):
        """KeyError: there is none of that name."""
        if not isinstance(name, str):
            raise TypeError(f"the name of an operation is a str, not {name!r}")
        node = self._core.find(name)
        if node < 0:
            raise KeyError(f'the graph has no operation "{name}"')
        return self._op(node)

    def get_tensor_by_name(self, name):
        """The tensor "<operation>:<output>". ValueError: not of that form; KeyError: not there."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a tensor is a str, not {name!r}")
        op, colon, index = name.partition(":")
        if not colon or not index.isdigit():
            raise ValueError(f'"{name}" is no name of a tensor: they are "<operation>:<output>"')
        outputs = self.get_operation_by_name(op).outputs
        if int(index) >= len(outputs):
            raise KeyError(f'"{name}": the operation has {len(outputs)} outputs')
        return outputs[int(index)]

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """The Operation or Tensor that an object, or a name, stands for."""
        if isinstance(obj, str):
            by_name = self.get_tensor_by_name if ":" in obj else self.get_operation_by_name
            obj = by_name(obj)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        allowed = (Tensor,) * allow_tensor + (Operation,) * allow_operation
        if not isinstance(obj, allowed):
            what = " or ".join(c.__name__ for c in allowed)
            raise TypeError(f"{obj!r} is no {what}, nor the name of one")
        if obj.graph is not self:
            raise ValueError(f"{obj!r} is of another graph, {obj.graph!r}: this one is {self!r}")
        return obj

    def as_graph_def(self, from_version=None, add_shapes=False):
        """The graph as a GraphDef. from_version: only what was added after the graph had this
        `version`. add_shapes: what is known of outputs' shapes, as the attribute _output_shapes."""
        from . import messages

        graph_def = messages.GraphDef.FromString(self._core.serialize())
        if from_version:
            kept = [n for n in graph_def.node if self._core.find(n.name) >= from_version]
            kept = [type(n).FromString(n.SerializeToString()) for n in kept]
            del graph_def.node[:]
            graph_def.node.extend(kept)
        for node in graph_def.node if add_shapes else ():
            shapes = node.attr["_output_shapes"].list.shape
            for tensor in self.get_operation_by_name(node.name).outputs:
                dims = tensor.shape._dims
                proto = shapes.add(unknown_rank=dims is None)
                for dim in dims or ():
                    proto.dim.add(size=-1 if dim is None else dim)
        return graph_def

    # ---- collections

    def add_to_collection(self, name, value):
        if self._finalized:
            raise RuntimeError("the graph is finalized: nothing can be added")
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        for name in {names} if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name, scope=None):
        """A copy of a collection. scope: a pattern that names of its items must begin with."""
        items = list(self._collections.get(name, ()))
        if scope is None:
            return items
        return [i for i in items if hasattr(i, "name") and re.match(scope, i.name)]

    def get_collection_ref(self, name):
        """The collection itself: a list."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self):
        return [key for key in self._collections if isinstance(key, str) and key[:1] != "_"]

    @property
    def collections(self):
        return self.get_all_collection_keys()

    def clear_collection(self, name):
        self._collections.pop(name, None)

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
        """A context in which it is the default graph."""
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
            first = r"[A-Za-z0-9.]" if not self._scope else r"[A-Za-z0-9_.\-/>]"
            if not re.fullmatch(first + r"[A-Za-z0-9_.\-/>]*", name):
                raise ValueError(f'"{name}" is no valid name of a scope')
            scope = self.unique_name(name) + "/"
        with self._with("_scope", scope):
            yield scope

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return self._with("_control", [])
        ops = []
        for item in control_inputs:
            element = item.op if isinstance(item, IndexedSlices) else self.as_graph_element(item)
            ops.append(element.op if isinstance(element, Tensor) else element)
        return self._with("_control", [*self._control, ops])

    def container(self, container_name):
        """The container of stateful operations made inside: what Session.reset() can empty."""
        return self._with("_container", container_name)

    @contextlib.contextmanager
    def colocate_with(self, op, ignore_existing=False):
        if op is not None:
            op = op if isinstance(op, Operation) else self.as_graph_element(op).op
        kept = [] if ignore_existing or op is None else self._colocation
        with self._with("_devices", self._devices if op is None else []):
            with self._with("_colocation", kept + ([op] if op is not None else [])):
                yield


# The attributes that hold functions, and how the runtime calls what it makes of them.
_PARTS = {
    "f": "", "then_branch": "then", "else_branch": "else", "cond": "cond", "body": "body",
    "branches": "branch_",
}  # fmt: skip


def _bound_to(inputs):
    """Producers that an op must stand beside: of references and of variables' handles."""
    return [t.op for t in inputs if t._is_ref or t.op.type == "VarHandleOp"]


# ---- defaults, per thread

_global_graph = Graph()


def get_default_graph():
    """The innermost `with graph.as_default():`, or the program's own graph."""
    return _graphs()[-1] if _graphs() else _global_graph


def reset_default_graph():
    """Makes a new default graph. AssertionError inside of `with graph.as_default():`."""
    global _global_graph
    if _graphs():
        raise AssertionError("do not reset the default graph inside of another's context")
    _global_graph = Graph()


def device(device_name_or_function):
    """Devices of the operations made inside: a name (parts left open are taken from outer scopes),
    a function of the operation that gives a name, or None to drop the outer scopes."""
    return get_default_graph().device(device_name_or_function)


@contextlib.contextmanager
def op_scope(values, name, default_name=None):
    """name_scope() with its arguments in an older order."""
    with name_scope(name, default_name, values) as scope:
        yield scope


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


def container(container_name):
    """The container of stateful operations made inside."""
    return get_default_graph().container(container_name)


def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    """A copy of the default graph's collection. scope: a pattern that names must begin with."""
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    return get_default_graph().get_collection_ref(key)


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
