# SPDX-License-Identifier: Apache-2.0
"""The elements of graphs: operations, and the tensors that they return."""

import numpy as np

from .. import dtypes, errors, messages
from . import origins
from .defaults import session_or_default
from .op_defs import op_def_of
from .registry import attr_type
from .state import state_of
from .tensor_shape import TensorShape, dims_of


class Operation:
    """A node of a graph. Functions of the package make operations; programs do not call the class.

    Args:
        graph: The Graph that it belongs to.
        node_id: Its number in the graph, an int.
    """

    def __init__(self, graph, node_id):
        self.graph = graph
        self._id = node_id
        self._core = state_of(graph).core
        self.name, self.type, types = self._core.brief(node_id)
        self._groups = self._device = None  # known once they were asked for
        self.outputs = outputs = []
        for index, number in enumerate(types):
            outputs.append(Tensor(self, index, number))

    @property
    def device(self):
        """The device that the program requested, a str; "" if placement is free."""
        if self._device is None:
            self._device = self._core.describe(self._id)["device"]
        return self._device

    @property
    def inputs(self):
        """The tensors that it takes, a list."""
        return [tensor_of(self.graph, i) for i in self._core.describe(self._id)["inputs"]]

    @property
    def control_inputs(self):
        """The operations that run before it without giving it a tensor, a list."""
        found = self._core.describe(self._id)["control_inputs"]
        return [operation_of(self.graph, i) for i in found]

    def values(self):
        """Returns its outputs.

        Returns:
            A tuple of tensors.
        """
        return tuple(self.outputs)

    def colocation_groups(self):
        """Returns the names of the operations that it shares a device with.

        Returns:
            A list of bytes "loc:@name"; without a group, its own name.
        """
        if self._groups is None:
            try:
                self._groups = self.get_attr("_class")
            except ValueError:
                self._groups = [b"loc:@" + self.name.encode()]
        return list(self._groups)

    def get_attr(self, name):
        """Returns the value of an attribute.

        Args:
            name: Name of the attribute, a str.

        Returns:
            The value. Strings are bytes, dtypes DTypes, shapes TensorShapeProtos, tensors
            TensorProtos and functions NameAttrLists.

        Raises:
            ValueError: The operation has no such attribute.

        Example:
            >>> sl.matmul([[1.0]], [[2.0]]).op.get_attr("transpose_a")
            False
        """
        value, kind = attr_of(self, name), attr_type(self.type, name)
        convert = _AS_GIVEN.get(kind.removeprefix("list(").rstrip(")"))
        if convert is None:
            return value
        if kind.startswith("list("):
            return [convert(self, v) for v in value]
        return convert(self, value)

    @property
    def op_def(self):
        """The signature of its op, an OpDef."""
        return op_def_of(self.type)

    @property
    def traceback(self):
        """The program's frames in which it was made, outermost first.

        Returns:
          A list of traceback.FrameSummary: (file, line, function, text), without the package's own
          frames, 8 at most. Empty where it is not known.
        """
        return origins.frames(state_of(self.graph).made_at(self._id))

    @property
    def node_def(self):
        """Its description, a NodeDef."""
        nodes = self.graph.as_graph_def().node
        return next(node for node in nodes if node.name == self.name)

    def run(self, feed_dict=None, session=None):
        """Runs the operation in a session.

        Args:
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            session: The session to run in. None: the default session.

        Raises:
            ValueError: There is no session.
            errors.OpError: The step fails.
        """
        session = session_or_default(session, self.graph, "execute operation", "run")
        session.run(self, feed_dict)

    def __repr__(self):
        return f"<sluice.Operation '{self.name}' type={self.type}>"

    def __str__(self):
        return str(self.node_def)


def attr_of(op, name):
    """The value of an attribute of an Operation as the runtime has it: dtypes are numbers, shapes
    lists with -1 for unknown sizes (or None), tensors arrays, and functions names.

    Raises:
        ValueError: The operation has no such attribute.
    """
    try:
        return op._core.attr(op._id, name)
    except errors.InvalidArgumentError as e:
        raise ValueError(e.message) from None


_tensor_proto = []  # the function that makes a TensorProto


def set_tensor_proto(function):
    """Says how a TensorProto is made.

    Args:
        function: A function of an array and a dtype.
    """
    _tensor_proto[:] = [function]


def _tensor_given(op, value):
    return _tensor_proto[0](np.asarray(value), op.outputs[0].dtype if op.outputs else None)


# A type of attributes -> the function of an Operation and a value that gives what a program gets.
_AS_GIVEN = {
    "type": lambda op, value: dtypes.as_dtype(value),
    "shape": lambda op, value: TensorShape(value).as_proto(),
    "tensor": _tensor_given,
    "func": lambda op, value: messages.NameAttrList(name=value),
}


class Tensor:
    """The output of an operation: a value that each step computes. Programs do not call the class.

    Args:
        op: The Operation that computes it.
        index: Which of the operation's outputs it is, an int.
        type_number: Number of its dtype, an int; above 100 for a reference.
    """

    __array_priority__ = 100
    OVERLOADABLE_OPERATORS = {
        f"__{name}__"
        for name in """
            abs add and div eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow radd
            rand rdiv rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor sub truediv xor
        """.split()
    }

    def __init__(self, op, index, type_number):
        self.op = op
        self.value_index = index
        self._is_ref = type_number > 100
        self.dtype = dtypes.BY_NUMBER[type_number]

    @property
    def graph(self):
        """The Graph that it belongs to."""
        return self.op.graph

    @property
    def name(self):
        """Its name, "<operation>:<output>"."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self):
        """The device that the program requested for its operation, a str."""
        return self.op.device

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        return TensorShape(known_sizes(self))

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

        Example:
            >>> x = sl.placeholder(sl.float32, [None, None])
            >>> x.set_shape([None, 3])
            >>> x.shape.as_list()
            [None, 3]
        """
        self.op._core.set_shape(ids_of([self])[0], dims_of(self.shape.merge_with(shape)))

    def consumers(self):
        """Returns the operations that take the tensor.

        Returns:
            A list of Operations: each as often as it takes the tensor.
        """
        every = self.graph.get_operations()
        return [op for op in every for tensor in op.inputs if tensor is self]

    def eval(self, feed_dict=None, session=None):
        """Computes the value in a session.

        Args:
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            session: The session to run in. None: the default session.

        Returns:
            An array.

        Raises:
            ValueError: There is no session.
            errors.OpError: The step fails.

        Example:
            >>> with sl.Session():
            ...     print(sl.constant(3).eval())
            3
        """
        return session_or_default(session, self.graph).run(self, feed_dict)

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError(
            f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array: use functions of "
            "tensors in place of NumPy's, or the value that a session gives"
        )

    def __iter__(self):
        raise TypeError(
            "iterating over `tf.Tensor` is not allowed in Graph execution:"
            f" unstack() gives the parts of {self.name}"
        )

    def __len__(self):
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape`"
            " rather than `len(x)` for shape information."
        )

    def __bool__(self):
        raise TypeError(
            "using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution: of"
            f" {self.name}, tf.cond() makes the choice, and & is `and`"
        )

    __nonzero__ = __bool__

    def __repr__(self):
        return f"<sluice.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self):
        shape = f", shape={self.shape}" if self.shape.ndims is not None else ""
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'


class IndexedSlices:
    """Some rows of a tensor: values[i] belongs to row indices[i]. A row may be repeated.

    Gradients of gather() and of embedding look-ups have this form.

    Args:
        values: A tensor [n, ...].
        indices: An int32 or int64 tensor [n].
        dense_shape: The shape of the whole tensor, a vector. None: it is not known.

    Example:
        >>> slices = sl.IndexedSlices(sl.constant([[1.0, 2.0]]), sl.constant([3]))
        >>> slices.dtype
        sluice.float32
    """

    def __init__(self, values, indices, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape

    @property
    def dtype(self):
        """The dtype of the values."""
        return self.values.dtype

    @property
    def device(self):
        """The device that the program requested for the values, a str."""
        return self.values.device

    @property
    def op(self):
        """The Operation that computes the values."""
        return self.values.op

    @property
    def name(self):
        """The name of the values."""
        return self.values.name

    @property
    def graph(self):
        """The Graph that they belong to."""
        return self.values.graph

    def consumers(self):
        """Returns the operations that take the values.

        Returns:
            A list of Operations.
        """
        return self.values.consumers()

    def __repr__(self):
        return f"<sluice.IndexedSlices of {self.values.name} at {self.indices.name}>"

    def __str__(self):
        dense_shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{dense_shape})"


class IndexedSlicesValue(tuple):
    """The value that a run returns for IndexedSlices: a tuple of arrays.

    Args:
        values: An array [n, ...].
        indices: An array [n].
        dense_shape: The shape of the whole, an array. None: it is not known.
    """

    _fields = ("values", "indices", "dense_shape")

    def __new__(cls, values, indices, dense_shape=None):
        return super().__new__(cls, (values, indices, dense_shape))

    @property
    def values(self):
        """The rows, an array [n, ...]."""
        return self[0]

    @property
    def indices(self):
        """The numbers of the rows, an array [n]."""
        return self[1]

    @property
    def dense_shape(self):
        """The shape of the whole, an array or None."""
        return self[2]


def new_operation(graph, node_id, grouped):
    """The Operation of a node that was just added.

    Args:
        graph: The Graph that has the node.
        node_id: The node's id, an int.
        grouped: Whether the node has the attribute _class. A bool.
    """
    op = state_of(graph).ops[node_id] = Operation(graph, node_id)
    op._device = ""
    if not grouped:
        op._groups = [b"loc:@" + op.name.encode()]
    return op


def operation_of(graph, node_id):
    """The Operation of a node, by its id."""
    ops = state_of(graph).ops
    if node_id not in ops:
        ops[node_id] = Operation(graph, node_id)
    return ops[node_id]


def tensor_of(graph, tensor_id):
    """The Tensor of a pair: id of a node, number of the output."""
    op = operation_of(graph, tensor_id[0])
    if tensor_id[1] >= len(op.outputs):  # gradients made the op return more
        types = op._core.describe(op._id)["output_types"]
        op.outputs += [Tensor(op, i, types[i]) for i in range(len(op.outputs), len(types))]
    return op.outputs[tensor_id[1]]


def id_of(op):
    """The id of an Operation in its graph, an int."""
    return op._id


def ids_of(tensors):
    """Of each tensor the pair: id of its operation, number of the output."""
    return [(t.op._id, t.value_index) for t in tensors]


def known_sizes(tensor):
    """The static shape of a tensor as a list with -1 for unknown sizes, or None."""
    op = tensor.op
    return op._core.shape((op._id, tensor.value_index))


def is_ref(tensor):
    """Whether a tensor is the reference of a variable."""
    return tensor._is_ref


def references(tensors):
    """The operations of those tensors that are references."""
    return [t.op for t in tensors if t._is_ref]


def groups_of(ops):
    """The names of the groups that operations are colocated in, a sorted list."""
    names = set()
    for op in ops:
        names.update(op.colocation_groups())
    return sorted(names)


def set_device(op, name):
    """Requests a device for an Operation."""
    if name != op.device:
        op._core.set_device(op._id, name)
        op._device = name


def add_control_input(op, before):
    """Lets an Operation run after another."""
    op._core.add_control_input(op._id, before._id)
