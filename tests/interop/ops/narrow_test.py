# SPDX-License-Identifier: Apache-2.0
"""Half and bfloat16 numbers, bit by bit: expressions round after every operation, as in 1.15.

Functions of one argument are compared over all 65536 numbers, those of two over a grid, updates of
optimizers on drawn variables. Zeros of either sign and NaNs of any bits are alike.
A test is an op.
"""


import numpy as np
import tensorflow

from interop.tools.batch import Batch
from interop.tools.cluster import Cluster
from interop.tools.op_nodes import make_op, op_def, tf

MAJOR = int(tensorflow.__version__.split(".")[0])
HALF, BFLOAT16 = tf.float16, tf.bfloat16

# Of one and of two arguments. `Name alpha` has that attribute.
UNARY = (
    "Abs Ceil Floor Inv Neg Reciprocal Relu Relu6 Rint Rsqrt Sign Sqrt Square Sigmoid Softsign "
    "Softplus Elu Selu"
).split()
BINARY = (
    "Add AddV2 Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Mod SquaredDifference Xdivy Xlogy "
    "SigmoidGrad TanhGrad SqrtGrad RsqrtGrad InvGrad ReciprocalGrad EluGrad SeluGrad SoftsignGrad "
    "SoftplusGrad"
).split()
ALPHAS = (0.2, 0.1, 0.01, 1.5)
ADDENDS = (2, 5, 8, 9, 10, 12, 17, 18, 26)

# Optimizer -> number of variables, scalars by their place among the inputs.
OPTIMIZERS = {
    "GradientDescent": (1, [0.1]),
    "Momentum": (2, [0.1, 0.9]),
    "KerasMomentum": (2, [0.1, 0.9]),
    "Adam": (3, [0.9, 0.999, 0.01, 0.9, 0.999, 1e-3]),
    "AdaMax": (3, [0.9, 0.01, 0.9, 0.999, 1e-3]),
    "Adagrad": (2, [0.1]),
    "AdagradV2": (2, [0.1, 1e-3]),
    "AdagradDA": (3, [0.1, 0.01, 0.02, 3]),
    "Adadelta": (3, [0.1, 0.95, 1e-3]),
    "RMSProp": (3, [0.1, 0.9, 0.9, 1e-3]),
    "CenteredRMSProp": (4, [0.1, 0.9, 0.9, 1e-3]),
    "Ftrl": (3, [0.1, 0.01, 0.02, -0.5]),
    "FtrlV2": (3, [0.1, 0.01, 0.02, 0.03, -0.5]),
    "ProximalGradientDescent": (1, [0.1, 0.01, 0.02]),
    "ProximalAdagrad": (2, [0.1, 0.01, 0.02]),
    "AddSign": (2, [0.1, 1.0, 0.9, 0.9]),
    "PowerSign": (2, [0.1, 1.0, 0.9, 0.9]),
}
ROWS, WIDTH = 1000, 4

# (op, dtype) -> why 2.21 answers otherwise; ours is 1.15's answer.
ORDER, ONE_STEP = "another order of the operations", "in float, rounded once"
SINCE_2 = {
    ("Elu", "bfloat16"): "exp(x) - 1 as it stands, as for half numbers",
    ("ResourceApplyAdadelta", "float16"): "by 1 / sqrt in one step",
    ("ResourceApplyAdadelta", "bfloat16"): "by 1 / sqrt in one step",
    ("ResourceApplyAdagrad", "float16"): "by 1 / sqrt in one step",
    ("ResourceApplyAdagrad", "bfloat16"): "by 1 / sqrt in one step",
    ("Rsqrt", "float16"): ONE_STEP,
    ("RsqrtGrad", "bfloat16"): ORDER,
    ("Selu", "bfloat16"): "exp(x) - 1 as it stands, as for half numbers",
    ("Sigmoid", "float16"): ONE_STEP,
    ("SigmoidGrad", "bfloat16"): ORDER,
    ("Sign", "float16"): "the sign of NaN is NaN",
    ("Softplus", "float16"): "log1p",
    ("SqrtGrad", "bfloat16"): ORDER,
}
# (op, dtype) -> why neither version's answer is ours.
OURS = {
    ("FloorDiv", "bfloat16"): "1.15 finds 0 ones in one",
    ("Sigmoid", "bfloat16"): "neither rounded once nor after each operation",
    ("Softplus", "bfloat16"): "1.15 takes exp of what is large",
}
# So many elements may differ in their last bit: exp and log of two libraries do.
ALMOST = 1e-4


def drawn(rng, dtype, *shape, scale=2.0):
    return (rng.randn(*shape) * scale).astype(np.float32).astype(dtype.as_numpy_dtype)


def usual(array):
    """Of bfloat16 only what is far from infinity and 0: 1.15 makes NaN of infinities."""
    if array.dtype == np.float16:
        return array
    size = np.abs(array.astype(np.float64))
    return array[(size > 1e-8) & (size < 1e8)]


def everything(dtype):
    return usual(np.arange(65536).astype(np.uint16).view(dtype.as_numpy_dtype))


def grid(dtype):
    """Pairs of numbers: odd ones, usual ones, ones of any bits."""
    rng = np.random.RandomState(5)
    kind = dtype.as_numpy_dtype
    odd = [0, -0.0, 1, -1, 2, -2, 0.5, 3, 7, -7, np.inf, -np.inf, np.nan, 1e-5, 6e-8, 65504, 0.1]
    any_bits = rng.randint(0, 65536, 120).astype(np.uint16).view(kind)
    numbers = np.concatenate([np.array(odd, np.float32).astype(kind), any_bits])
    numbers = np.concatenate([usual(numbers), drawn(rng, dtype, 120)])
    return np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))


def same(dtype, a, e):
    """Elements that are the same number."""
    wide_a, wide_e = a.astype(np.float64), e.astype(np.float64)
    return (wide_a == wide_e) | (np.isnan(wide_a) & np.isnan(wide_e))


class Case:
    """A node with its feeds, or an update with its variables: outputs(session) runs it."""

    def __init__(self, name, op, dtype, inputs, attrs=()):
        self.name, self.feeds, kwargs = f"{name}<{dtype.name}>", {}, dict(attrs)
        for arg, value in zip(op_def(op).input_arg, inputs):
            values = value if isinstance(value, list) else [value]
            held = [self.hold(v) for v in values]
            kwargs[arg.name] = held if isinstance(value, list) else held[0]
        self.fetches = list(make_op(op, kwargs).outputs)

    def hold(self, array):
        held = tf.placeholder(tf.as_dtype(array.dtype), array.shape)
        self.feeds[held] = array
        return held

    def outputs(self, session):
        return session.run(self.fetches, self.feeds)


class UpdateCase:
    """An update of every row of variables; a sparse one names each once."""

    def __init__(self, name, op, dtype, nesterov):
        rng = np.random.RandomState(len(op))
        count, scalars = OPTIMIZERS[name]
        shape = (ROWS, WIDTH)
        starts = [drawn(rng, dtype, *shape)]
        starts += [np.abs(drawn(rng, dtype, *shape)) for _ in range(count - 1)]
        self.name = f"{op}{' nesterov' if nesterov else ''}<{dtype.name}>"
        self.feeds, variables, assigned = {}, [], []
        for i, start in enumerate(starts):
            name = f"{op}_{dtype.name}_{nesterov}_{i}"
            variables.append(tf.get_variable(name, shape, dtype, use_resource=True))
            fed = tf.placeholder(dtype, shape)
            self.feeds[fed] = start
            assigned.append(tf.raw_ops.AssignVariableOp(resource=variables[i].handle, value=fed))
        self.assign = tf.group(*assigned)
        kwargs, left = {"use_nesterov": True} if nesterov else {}, list(scalars)
        for i, arg in enumerate(op_def(op).input_arg):
            if i < count:
                kwargs[arg.name] = variables[i].handle
            elif arg.name in ("grad", "delta"):
                kwargs[arg.name] = tf.constant(drawn(rng, dtype, *shape, scale=1.0))
            elif arg.name == "indices":
                kwargs[arg.name] = tf.range(ROWS)
            elif arg.name == "global_step":
                kwargs[arg.name] = tf.constant(left.pop(0), tf.int64)
            else:
                value = np.float32(left.pop(0)).astype(dtype.as_numpy_dtype)
                kwargs[arg.name] = tf.constant(value, dtype)
        self.step = make_op(op, kwargs)
        self.reads = [tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=dtype) for v in variables]

    def outputs(self, session):
        session.run(self.assign, self.feeds)
        session.run(self.step)
        return session.run(self.reads)


def makers(dtype):
    """(op, a function that makes its case in the current graph)."""
    rng = np.random.RandomState(3)
    all_of_them = everything(dtype)
    a, b = grid(dtype)
    for op in UNARY:
        yield op, lambda op=op: Case(op, op, dtype, [all_of_them])
    for op in BINARY:
        yield op, lambda op=op: Case(op, op, dtype, [a, b])
    for alpha in ALPHAS:
        attrs = {"alpha": alpha}
        for op, inputs in (("LeakyRelu", [all_of_them]), ("LeakyReluGrad", [a, b])):
            name = f"{op} {alpha}"
            yield op, lambda name=name, op=op, i=inputs, k=attrs: Case(name, op, dtype, i, k)
    for count in ADDENDS:
        parts = [drawn(rng, dtype, 500, scale=10.0) for _ in range(count)]
        yield "AddN", lambda n=count, p=parts: Case(f"AddN of {n}", "AddN", dtype, [p])
    totals = [drawn(rng, dtype, 30, 50, scale=0.9), np.array(1, np.int32)]
    for op in ("Cumsum", "Cumprod"):
        for attrs in ({}, {"exclusive": True, "reverse": True}):
            yield op, lambda op=op, k=attrs: Case(op, op, dtype, totals, k)
    crossed = [drawn(rng, dtype, 500, 3), drawn(rng, dtype, 500, 3)]
    yield "Cross", lambda: Case("Cross", "Cross", dtype, crossed)
    for name in OPTIMIZERS:
        for sparse in (False, True):
            op = ("ResourceSparseApply" if sparse else "ResourceApply") + name
            if op_def(op) is None:
                continue
            for nesterov in (False, True):
                if nesterov and all(attr.name != "use_nesterov" for attr in op_def(op).attr):
                    continue
                yield op, lambda n=name, o=op, v=nesterov: UpdateCase(n, o, dtype, v)


def outputs(target, make):
    """The outputs of a case; None where this TensorFlow has no kernel for it."""
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default() as graph:
        case = make()
        with tf.Session(target, graph=graph, config=config) as session:
            return case.name, case.outputs(session)


def compare(checks, target, dtype, op, make):
    try:
        name, theirs = outputs("", make)
    except (tf.errors.OpError, TypeError, ValueError):
        return  # no kernel of this dtype there
    if (op, dtype.name) in OURS or MAJOR == 2 and (op, dtype.name) in SINCE_2:
        return
    _, ours = outputs(target, make)
    for i, (a, e) in enumerate(zip(ours, theirs)):
        good = same(dtype, a, e)
        at = np.flatnonzero(~good.ravel())[:3]
        shown = "; ".join(f"at {k}: {a.ravel()[k]!r}, TensorFlow's {e.ravel()[k]!r}" for k in at)
        detail = f"output {i}: {np.sum(~good)} of {good.size} differ: {shown}"
        checks.check(name, np.mean(~good) <= ALMOST, detail)


def names():
    made = {op for dtype in (HALF, BFLOAT16) for op, _ in makers(dtype)}
    return sorted(op for op in made if op_def(op) is not None)


def run_cases(ops, results):
    with Cluster({"worker": 1}) as cluster:
        for dtype in (HALF, BFLOAT16):
            for op, make in makers(dtype):
                if op in ops:
                    compare(results[op], cluster.target(), dtype, op, make)


OPS = Batch(names, run_cases)
