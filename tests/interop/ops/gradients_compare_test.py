# SPDX-License-Identifier: Apache-2.0
"""Gradients of the cases of cases/*.py: TensorFlow's tf.gradients and our server's agree.

Ours go through a function of one node and its SymbolicGradient, which our server differentiates;
integer inputs are constants of the function. Shapes are known to neither side.
A test is an op.
"""

import os

os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # with it, MaxPool3DGradGrad aborts

import numpy as np  # noqa: E402
import tensorflow  # noqa: E402
from tensorflow.python.framework import function, ops  # noqa: E402
from tensorflow.python.ops import functional_ops  # noqa: E402

from interop.tools.batch import Batch  # noqa: E402
from interop.tools.cluster import Cluster  # noqa: E402
from interop.tools.op_nodes import MAJOR, Node, chosen_cases, numbered, op_def, said  # noqa: E402

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

BATCH = 80
TOLERANCE = {"float64": 1e-8, "complex128": 1e-8, "float32": 2e-4, "complex64": 2e-4}
MOST = 5  # cases of one op and dtype

# Outputs whose signs or order the answer leaves open: nothing flows into them.
FREE = {"Svd": (1, 2), "SelfAdjointEigV2": (1,), "Qr": ()}

# Ops, with a dtype where it is of one dtype only, and why TensorFlow's gradient is no measure.
EXCEPTIONS = {
    "Qr": "signs of the factors differ",
    "BlockLSTMV2": "TensorFlow takes the gradient of BlockLSTM, whose gates have another order",
    "MaxPoolGrad": "the cases' maxima are not those of the input",
    "MaxPoolGradV2": "the cases' maxima are not those of the input",
    "EuclideanNorm": "TensorFlow 1.15 lets no gradient flow",
    "SegmentProd": "TensorFlow 1.15 has no gradient",
    "RaggedTensorToTensor": "TensorFlow 1.15 has no gradient",
    "SparseDenseCwiseAdd": "TensorFlow raises NotImplementedError",
    "Xdivy<complex128>": "TensorFlow leaves out the conjugates",
    "Xlogy<complex128>": "TensorFlow leaves out the conjugates",
    "Xlog1py<complex128>": "TensorFlow leaves out the conjugates",
    "MatrixDeterminant<complex128>": "TensorFlow leaves out the conjugates",
    "MatrixSquareRoot<complex128>": "TensorFlow leaves out the conjugates",
    "TridiagonalSolve<complex128>": "TensorFlow leaves out the conjugates",
    "Cumprod<complex128>": "TensorFlow leaves out the conjugates",
}


if MAJOR == 1:
    FREE["SparseSoftmaxCrossEntropyWithLogits"] = (1,)  # 1.15 does not look at it
    EXCEPTIONS["MatrixInverse"] = "1.15 leaves out the conjugates, and forgets `adjoint`"
    EXCEPTIONS["MatrixSetDiagV2"] = "1.15 takes the diagonals of the wrong places"
else:
    EXCEPTIONS["MaxPool3D"] = EXCEPTIONS["AvgPool3DGrad"] = "2.21 is wrong for 3x2x1 by 1x2x3"
    EXCEPTIONS["BesselI1"] = "TensorFlow's slope at 0 is 1, twice what it is"

REGISTRY = getattr(ops, "gradient_registry", None) or ops._gradient_registry


def differentiable(case):
    if op_def(case.op).is_stateful or case.op in EXCEPTIONS:
        return False
    if case.error or case.ours or not case.gradient:
        return False
    try:
        return REGISTRY.lookup(case.op) is not None
    except LookupError:
        return False


def has_derivative(tensor):
    return tensor.dtype.is_floating or tensor.dtype.is_complex


class Compared:
    """A case in a graph: its node, TensorFlow's gradients and ours."""

    def __init__(self, index, case, dtype):
        self.node = Node(case, dtype, index)
        self.name = self.node.name
        self.operation = self.node.operation
        self.outputs = list(self.operation.outputs)

    def draw_flows(self, values):
        """The gradient of each output: random numbers; zeros where there is none."""
        rng = np.random.RandomState(1)
        self.flows = {}
        free = FREE.get(self.operation.type, ())
        for i, (output, value) in enumerate(zip(self.outputs, values)):
            value = np.asarray(value)
            flow = rng.uniform(-1, 1, value.shape) * (has_derivative(output) and i not in free)
            if output.dtype.is_complex:
                flow = flow + 1j * rng.uniform(-1, 1, value.shape)
            placeholder = tf.placeholder(output.dtype)
            self.flows[placeholder] = np.asarray(flow).astype(value.dtype)

    def differentiate(self):
        """Nodes for both; False where TensorFlow's client refuses."""
        ys = [(y, dy) for y, dy in zip(self.outputs, self.flows) if has_derivative(y)]
        self.xs = [x for x in self.operation.inputs if has_derivative(x)]
        self.theirs = tf.gradients([y for y, _ in ys], self.xs, [dy for _, dy in ys])
        self.theirs = [
            tf.zeros_like(x) if dx is None else tf.convert_to_tensor(dx)
            for x, dx in zip(self.xs, self.theirs)
        ]
        self.ours = functional_ops.symbolic_gradient(
            input=self.xs + list(self.flows),
            Tout=[x.dtype for x in self.xs],
            f=self.as_function(),
        )
        if not isinstance(self.ours, (list, tuple)):
            self.ours = [self.ours]

    def as_function(self):
        operation, feeds = self.operation, self.node.feeds
        attrs = {k: v for k, v in operation.node_def.attr.items() if not k.startswith("_")}

        def body(*floats):
            floats = iter(floats)
            inputs = [
                next(floats) if has_derivative(x) else tf.constant(feeds[x], x.dtype)
                for x in operation.inputs
            ]
            made = tf.get_default_graph().create_op(
                operation.type, inputs, [y.dtype for y in operation.outputs], attrs=attrs
            )
            return tuple(made.outputs)

        body.__name__ = "f_" + operation.name.replace("/", "_").replace("-", "_")
        return function.Defun(*[x.dtype for x in self.xs])(body)

    def feeds(self):
        return {**self.node.feeds, **self.flows}


def run(target, compared, fetches):
    """The values of what `fetches` says of each, or the exception that it alone raises."""
    feeds = {}
    for one in compared:
        feeds.update(one.feeds())
    with tf.Session(target) as session:
        try:
            return session.run([fetches(one) for one in compared], feeds)
        except (tf.errors.OpError, TypeError) as error:
            if len(compared) == 1:
                return [error]
    half = len(compared) // 2
    return [v for part in (compared[:half], compared[half:]) for v in alone(target, part, fetches)]


def alone(target, part, fetches):
    """The same in graphs of their own: a gradient that cannot be made fails all of a graph."""
    values = []
    with tf.Graph().as_default():
        again = [made(*one.key) for one in part]
        for one, old in zip(again, part):
            one.values = old.values
            one.draw_flows(old.values)
            one.differentiate()
        values = run(target, again, fetches)
    return values


def made(index, case, dtype):
    one = Compared(index, case, dtype)
    one.key = (index, case, dtype)
    return one


def difference(one, actual, expected):
    for i, (x, a, e) in enumerate(zip(one.xs, actual, expected)):
        a, e = np.asarray(a), np.asarray(e)
        value = one.node.feeds[x]
        if e.shape != value.shape:
            continue  # of an input that is cropped TensorFlow gives the cropped one's
        if a.dtype != e.dtype or a.shape != e.shape:
            return "gradient %d is %s%s, TensorFlow's %s%s" % (
                i,
                a.dtype,
                a.shape,
                e.dtype,
                e.shape,
            )
        tolerance = max(TOLERANCE.get(str(t.dtype.name), 1e-8) for t in [x, *one.outputs])
        close = np.isclose(a, e, rtol=tolerance, atol=tolerance)
        close |= ~np.isfinite(e) | ~np.isfinite(value)
        if not np.all(close):
            at = tuple(np.argwhere(~np.atleast_1d(close))[0])
            return "gradient %d differs at %s: %r, TensorFlow's %r" % (
                i,
                at,
                np.atleast_1d(a)[at],
                np.atleast_1d(e)[at],
            )
    return None


def unwritten(one, outputs):
    """Where nothing flows back TensorFlow leaves gradients as the memory was: of pools, filters,
    rows that nobody asked for."""
    if one.operation.type.startswith("SparseSegment"):
        return any(value.size == 0 for value in one.node.feeds.values())
    return all(value.size == 0 for value in outputs)


def forward_values(keys):
    """Which cases TensorFlow runs, with their outputs."""
    found = []
    with tf.Graph().as_default():
        nodes = []
        for key in keys:
            try:
                nodes.append((key, made(*key)))
            except (TypeError, ValueError, NotImplementedError):
                continue
        with tf.Session() as session:
            for key, one in nodes:
                if not any(map(has_derivative, one.outputs)):
                    continue
                try:
                    outputs = session.run(one.outputs, one.node.feeds)
                except tf.errors.OpError:
                    continue
                if not unwritten(one, outputs):
                    found.append((key, outputs))
    return found


def check_batch(results, target, keys):
    with tf.Graph().as_default():
        compared = []
        for key, values in forward_values(keys):
            one = made(*key)
            one.values = values
            one.draw_flows(values)
            try:
                one.differentiate()
            except (LookupError, NotImplementedError, ValueError, TypeError):
                continue
            compared.append(one)
        theirs = run("", compared, lambda one: one.theirs)
        compared = [
            (one, dxs) for one, dxs in zip(compared, theirs) if not isinstance(dxs, Exception)
        ]
        ours = run(target, [one for one, _ in compared], lambda one: list(one.ours))
        for (one, expected), actual in zip(compared, ours):
            checks = results[one.operation.type]
            if isinstance(actual, Exception):
                checks.check(one.name, False, getattr(actual, "message", None) and said(actual))
            else:
                wrong = difference(one, actual, expected)
                checks.check(one.name, wrong is None, wrong or "")


def chosen(names):
    """At most MOST cases of each op and dtype: one real dtype, and the complex one."""
    counts = {}
    for index, (case, dtype) in numbered(chosen_cases(names)):
        if case.like not in (None, MAJOR) or not differentiable(case):
            continue
        real = "float64" if "float64" in case.types else "float32"
        if dtype not in (real, "complex128") or f"{case.op}<{dtype}>" in EXCEPTIONS:
            continue
        counts[case.op, dtype] = counts.get((case.op, dtype), 0) + 1
        if counts[case.op, dtype] <= MOST:
            yield index, case, dtype


def names():
    return sorted({case.op for _, case, _ in chosen(())})


def run_cases(ops, results):
    keys = list(chosen(ops))
    with Cluster({"worker": 1}) as ours:
        for first in range(0, len(keys), BATCH):
            check_batch(results, ours.target(), keys[first : first + BATCH])


OPS = Batch(names, run_cases)
