"""What graphs are made of: operations, and the tensors they give."""

import functools

from . import _sluice, dtypes, origins
from .defaults import _session
from .tensor_shape import TensorShape


class Operation:
    """A node of a graph."""

    def __init__(self, graph, node_id):
        self.graph = graph
        self._id = node_id
        self.name, self.type, types = graph._core.brief(node_id)
        self._made_at = ()  # see origins.stack()
        self.outputs = [Tensor(self, i, t) for i, t in enumerate(types)]

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

    def values(self):
        return tuple(self.outputs)

    def colocation_groups(self):
        """The names of those it stands beside, as b"loc:@name"; its own where there are none."""
        try:
            return self.get_attr("_class")
        except ValueError:
            return [b"loc:@" + self.name.encode()]

    def get_attr(self, name):
        """The value of an attribute; strings as bytes, types as DTypes. ValueError: it has none of
        that name."""
        from . import errors

        try:
            value = self.graph._core.attr(self._id, name)
        except errors.InvalidArgumentError as e:
            raise ValueError(e.message) from None
        if "type" in _attr_types().get((self.type, name), ""):
            many = isinstance(value, list)
            return [dtypes.as_dtype(v) for v in value] if many else dtypes.as_dtype(value)
        return value

    @property
    def traceback(self):
        """The program's frames in which it was made, outermost first.

        Returns:
          A list of traceback.FrameSummary: (file, line, function, text), without the package's own
          frames, 8 at most. Empty where it is not known.
        """
        return origins.frames(self._made_at)

    @property
    def node_def(self):
        """What a GraphDef says of it."""
        nodes = self.graph.as_graph_def().node
        return next(node for node in nodes if node.name == self.name)

    def run(self, feed_dict=None, session=None):
        """Runs it in the given or the default session."""
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

    def set_shape(self, shape):
        """What the program knows of the shape besides. ValueError: it cannot be."""
        self.graph._core.set_shape(self._id, self.shape.merge_with(shape)._dims)

    def consumers(self):
        """The operations that take it."""
        return [op for op in self.graph.get_operations() if self in op.inputs]

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

    @property
    def op(self):
        return self.values.op

    @property
    def name(self):
        return self.values.name

    @property
    def graph(self):
        return self.values.graph

    def consumers(self):
        """The operations that take the values."""
        return self.values.consumers()

    def __repr__(self):
        return f"<sluice.IndexedSlices of {self.values.name} at {self.indices.name}>"


class IndexedSlicesValue(tuple):
    """What a run gives for IndexedSlices: arrays `values`, `indices`, `dense_shape`."""

    _fields = ("values", "indices", "dense_shape")

    def __new__(cls, values, indices, dense_shape=None):
        return super().__new__(cls, (values, indices, dense_shape))

    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])
    dense_shape = property(lambda self: self[2])


@functools.lru_cache(None)
def _attr_types():
    """(op, attribute) -> its type, of all ops."""
    return {(op["name"], a["name"]): a["type"] for op in _sluice.ops() for a in op["attrs"]}
