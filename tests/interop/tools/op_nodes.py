# SPDX-License-Identifier: Apache-2.0
"""The cases of cases/ as nodes of a graph, and how their answers are compared."""


import collections
import zlib

import numpy as np
import tensorflow
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.framework import kernels, op_def_library, op_def_registry

from interop import cases

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

BATCH = 60
MAJOR = int(tensorflow.__version__.split(".")[0])
RTOL = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float32": 1e-5,
    "float64": 1e-10,
    "complex64": 2e-5,
    "complex128": 1e-10,
}
ATOL = {
    "float16": 2e-3,
    "bfloat16": 1e-2,
    "float32": 1e-6,
    "float64": 1e-11,
    "complex64": 2e-6,
    "complex128": 1e-11,
}


def op_def(name):
    if hasattr(op_def_registry, "get"):
        return op_def_registry.get(name)
    return op_def_registry.get_registered_ops().get(name)


def inferred_attrs(definition):
    """The names of the attributes that follow from the inputs."""
    return (
        {a.type_attr for a in definition.input_arg}
        | {a.number_attr for a in definition.input_arg}
        | {a.type_list_attr for a in definition.input_arg}
    )


def make_op(name, inputs):
    """A new node; arguments and attributes by the names of the op's interface."""
    inferred = inferred_attrs(op_def(name))
    for attr in op_def(name).attr:
        if attr.name in inferred or attr.type in ("type", "list(type)"):
            continue
        if attr.HasField("default_value"):
            inputs.setdefault(attr.name, default_of(attr))
    if hasattr(op_def_library, "_apply_op_helper"):
        return op_def_library._apply_op_helper(name, **inputs)[2]
    library = op_def_library.OpDefLibrary()
    library.add_op_list(op_def_pb2.OpList(op=[op_def(name)]))
    return library._apply_op_helper(name, **inputs)[2]


def default_of(attr):
    """The Python value of an attribute's default."""
    value = attr.default_value
    kind = value.WhichOneof("value")
    if kind == "list":
        return [v for _, values in value.list.ListFields() for v in values]
    return getattr(value, kind)


def allows(constraint, value):
    values = value if isinstance(value, list) else [value]
    return all(
        not isinstance(v, tf.DType) or v.as_datatype_enum in constraint.allowed_values.list.type
        for v in values
    )


def has_kernel(operation):
    """True if this TensorFlow can run the node on a CPU."""
    for kernel in kernels.get_registered_kernels_for_op(operation.type).kernel:
        if (
            kernel.device_type == "CPU"
            and not kernel.label
            and all(allows(c, operation.get_attr(c.name)) for c in kernel.constraint)
        ):
            return True
    return False


def element_type(name):
    return object if name == "string" else tf.as_dtype(name).as_numpy_dtype


def age(graph, op):
    """Makes the graph one of the time when an op that is gone since could still be in it."""
    gone = op_def(op).deprecation.version
    if gone:
        old = tf.GraphDef()
        old.versions.producer = gone - 1
        with graph.as_default():
            tf.import_graph_def(old, name="")


class Node:
    """A case with one dtype, in a graph: its feeds and its outputs."""

    def __init__(self, case, dtype, index):
        self.case = case
        self.name = "%s<%s>#%d" % (case.op, dtype, index)
        self.feeds = {}
        rng = np.random.RandomState(zlib.crc32(self.name.encode()))
        definition = op_def(case.op)
        inputs = {}
        for arg, value in zip(definition.input_arg, case.inputs):
            values = value if isinstance(value, list) else [value]
            tensors = [self.feed(v, dtype, rng) for v in values]
            inputs[arg.name] = tensors if isinstance(value, list) else tensors[0]
        attrs = {
            name: tf.as_dtype(v)
            if name in ("Tout", "DstT", "type", "out_type", "output_type", "out_idx", "Tsplits")
            else v
            for name, v in case.attrs.items()
        }
        inputs.update(attrs)
        inferred = inferred_attrs(definition)
        for attr in definition.attr:
            if attr.HasField("default_value") and attr.name not in inferred:
                inputs.setdefault(attr.name, default_of(attr))
        self.operation = make_op(case.op, inputs)
        self.outputs = self.operation.outputs

    def feed(self, value, dtype, rng):
        dtype = value.dtype or dtype
        array = np.array(value.draw(rng, dtype))
        placeholder = tf.placeholder(
            tf.as_dtype(dtype), shape=array.shape if value.static else None
        )
        # Wrapping is meant: -128 fed as uint8 is 128.
        with np.errstate(all="ignore"):
            self.feeds[placeholder] = array.astype(element_type(dtype))
        return placeholder


def run(session, nodes):
    """The outputs of every node, or the exception that running it alone raises."""
    feeds = {}
    for node in nodes:
        feeds.update(node.feeds)
    try:
        return session.run([node.outputs for node in nodes], feeds)
    except tf.errors.OpError as error:
        if len(nodes) == 1:
            return [error]
        return [run(session, [node])[0] for node in nodes]


def code_of(error):
    return type(error).__name__.replace("Error", "")


CODES = {
    "DATA_LOSS": "DataLoss",
    "FAILED_PRECONDITION": "FailedPrecondition",
    "INTERNAL": "Internal",
    "INVALID_ARGUMENT": "InvalidArgument",
    "NOT_FOUND": "NotFound",
}


def said(error):
    """The message without the stack traces that a TensorFlow 2 client puts around it."""
    lines = (error.message or "").split("\n")
    for i, line in enumerate(lines):
        if line.startswith("Node:") and i + 1 < len(lines):
            return f"{code_of(error)}: {lines[i + 1]}"
    return "{}: {}".format(
        code_of(error),
        next((line for line in lines if line.strip() and not line.startswith("From /job")), ""),
    )


def difference(case, actual, expected):
    for i, (a, e) in enumerate(zip(actual, expected)):
        a, e = np.asarray(a), np.asarray(e)
        if a.dtype != e.dtype or a.shape != e.shape:
            return "output %d is %s%s, TensorFlow's %s%s" % (i, a.dtype, a.shape, e.dtype, e.shape)
        name = str(e.dtype)
        if name in RTOL:
            wide = np.complex128 if "complex" in name else np.float64
            close = np.isclose(
                a.astype(wide),
                e.astype(wide),
                rtol=case.rtol or RTOL[name],
                atol=case.atol or ATOL[name],
                equal_nan=True,
            )
        else:
            close = a == e
        if not np.all(close):
            at = tuple(np.argwhere(~np.atleast_1d(close))[0])
            return "output %d differs at %s: %r, TensorFlow's %r (%d of %d)" % (
                i,
                at,
                np.atleast_1d(a)[at],
                np.atleast_1d(e)[at],
                np.size(close) - np.sum(close),
                np.size(close),
            )
    return None


def chosen_cases(names):
    for family in cases.families():
        for case in family():
            if names and family.__name__ not in names and case.op not in names:
                continue
            if op_def(case.op) is None:
                continue  # a newer TensorFlow's
            for dtype in case.types:
                yield case, dtype


def numbered(cases):
    """(number, case): counted for each op by itself, so that a line more of one op leaves the
    values that others draw."""
    counts = collections.Counter()
    for case, dtype in cases:
        yield counts[case.op], (case, dtype)
        counts[case.op] += 1


def groups(nodes):
    """Groups of nodes to run: all that should succeed together; each that should fail alone."""
    good = [node for node in nodes if node.case.error is None]
    return ([good] if good else []) + [[node] for node in nodes if node.case.error is not None]


def runs_here(case, dtype):
    """False where this client lacks the dtype, attribute or kernel, or sees the error itself."""
    with tf.Graph().as_default() as graph:
        age(graph, case.op)
        try:
            return has_kernel(Node(case, dtype, 0).operation)
        except (TypeError, ValueError, NotImplementedError):
            return False


def gone_since(numbered_case):
    _, (case, _) = numbered_case
    return op_def(case.op).deprecation.version
