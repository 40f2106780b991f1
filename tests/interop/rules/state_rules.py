# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for variables, optimizers, random numbers, normalisation and others.
"""

import functools

from interop.cases.case import Case, between, nonzero, normal, of, positive
from interop.rules.draws import full, index, pick, shape_of, table
from interop.rules.op_rules import below, scatter_nd, strided
from interop.tools.op_nodes import op_def


def slot(name, shape):
    # ms - mg^2 comes under a root.
    return between(0, 0.4, *shape) if name == "mg" else positive(*shape)


def optimizer(op, rng):
    """Every tensor of the variable's shape, every other a scalar."""
    shape = shape_of(rng, 0, 4)
    inputs, tensors = [], ("var grad accum linear ms mg mom m v vhat delta gradient_accumulator "
                           "gradient_squared_accumulator accum_update").split()  # fmt: skip
    for a in op_def(op).input_arg:
        if a.name == "global_step":
            inputs.append(of(int(rng.randint(1, 9)), "int64"))
        elif a.name == "indices":
            inputs.append(None)
        elif a.name == "lr_power":
            inputs.append(of(-0.5))
        else:
            inputs.append(slot(a.name, shape) if a.name in tensors else between(0.1, 0.9))
        if a.name == "grad":
            inputs[-1] = normal(*shape)
    if None in inputs:
        shape = full(rng, 1, 4)
        rows = int(rng.randint(5))
        for i, a in enumerate(op_def(op).input_arg):
            if a.name == "indices":
                inputs[i] = below(rng, shape[0], [rows])
            elif a.name == "grad":
                inputs[i] = normal(rows, *shape[1:])
            elif a.name in tensors:
                inputs[i] = slot(a.name, shape)
    return Case(op, *inputs, types=("float32", "float64"))


def scatter(op, rng):
    """Scatter* on a variable of either kind."""
    if "Nd" in op:
        return scatter_nd(op, rng)
    shape, at = full(rng, 1, 4), shape_of(rng, 0, 2)
    updates = [] if rng.rand() < 0.2 else at + shape[1:]
    drawn = nonzero(*updates) if "Div" in op else normal(*updates)
    return Case(op, normal(*shape), below(rng, shape[0], at), drawn)


def assign(op, rng):
    shape = shape_of(rng)
    return Case(op, normal(*shape), normal(*shape))


def batch_norm(op, rng):
    n, h, w, c = (int(v) for v in rng.choice([1, 2, 3, 4], size=4))
    image, channel = functools.partial(normal, n, h, w, c), functools.partial(positive, c)
    f32 = {"dtype": "float32"} if op[-2:] in ("V2", "V3") else {}
    if "Grad" in op and op.startswith("Fused"):
        inputs = [image(), image(), channel(dtype="float32") if f32 else channel()]
        inputs += [channel(**f32), channel(**f32)]
        if op.endswith("V3"):
            inputs.append(channel(**f32))
        return Case(op, *inputs, U="float32", epsilon=0.01, rtol=1e-3, atol=1e-3)
    if op.startswith("Fused"):
        inputs = [image()] + [channel(**f32) for _ in range(4)]
        return Case(op, *inputs, U="float32", is_training=False, epsilon=0.01, rtol=1e-3)
    inputs = [image()] + [channel() for _ in range(3 if "Grad" in op else 4)]
    if "Grad" in op:
        inputs.append(image())
    return Case(
        op,
        *inputs,
        variance_epsilon=0.01,
        scale_after_normalization=bool(rng.randint(2)),
        rtol=1e-3,
    )


FLOAT_TYPES = ("float16", "bfloat16", "float32", "float64")


def random_of_shape(op, rng):
    """Random ops that take a shape: seeds are given, so that there is one answer."""
    shape = index(rng, shape_of(rng, 0, 4))
    attrs = {"seed": int(rng.randint(1, 99)), "seed2": int(rng.randint(1, 99))}
    types = ("int32", "int64") if "Int" in op else FLOAT_TYPES
    inputs = [shape]
    if op.startswith("Stateless"):
        inputs.append(index(rng, [int(n) for n in rng.randint(-99, 99, size=2)]))
    if op.endswith("Int"):
        inputs += [of(int(rng.randint(-9, 1))), of(int(rng.randint(2, 99)))]
    return Case(op, *inputs, types=types, **attrs)


def random_of_values(op, rng):
    attrs = {"seed": int(rng.randint(1, 99)), "seed2": int(rng.randint(1, 99))}
    if op.endswith("Multinomial"):
        inputs = [
            normal(int(rng.randint(4)), int(rng.randint(1, 5))),
            of(int(rng.randint(5)), "int32"),
        ]
        if op.startswith("Stateless"):
            inputs.append(index(rng, [3, int(rng.randint(99))]))
        return Case(
            op, *inputs, types=FLOAT_TYPES, output_dtype=pick(rng, "int32", "int64"), **attrs
        )
    if op == "RandomShuffle":
        return Case(op, normal(*shape_of(rng, 1)), **attrs)
    if op == "ParameterizedTruncatedNormal":
        parameters = [of(0.0), of(1.0), of(-2.0), of(2.0)]
        return Case(
            op, of([int(rng.randint(1, 5))], "int32"), *parameters, types=FLOAT_TYPES, **attrs
        )
    return Case(op, index(rng, shape_of(rng, 0, 2)), positive(*shape_of(rng, 0, 2)), **attrs)


def diagonal(op, rng):
    return Case(op, normal(*shape_of(rng, 1 if op.endswith("Diag") else 2)))


def slice_assign(op, rng):
    shape, spec, _ = strided(rng)
    count = len(spec[0].draw(rng, None))
    ones = of([1] * count, spec[0].dtype)
    whole = {"begin_mask": (1 << count) - 1, "end_mask": (1 << count) - 1}
    return Case(op, normal(*shape), spec[0], spec[1], ones, normal(*shape), **whole)


def inplace(op, rng):
    shape = full(rng, 1, 4)
    rows = int(rng.randint(4))
    ids = of(rng.randint(shape[0], size=rows), "int32")
    return Case(op, normal(*shape), ids, normal(rows, *shape[1:]))


def count_up(op, rng):
    return Case(op, of(int(rng.randint(5))), limit=int(rng.randint(8)), types=("int32", "int64"))


def several(op, rng):
    return Case(op, [normal(*shape_of(rng)) for _ in range(rng.randint(1, 4))])


def ensure(op, rng):
    shape = shape_of(rng)
    return Case(op, normal(*shape), shape=[None if rng.rand() < 0.3 else n for n in shape])


def fingerprint(op, rng):
    return Case(op, normal(*shape_of(rng, 1)), of(b"farmhash64", "string"))


def range_of(op, rng):
    """Ops of a quantized tensor and its range."""
    inputs = [between(-9, 9, *shape_of(rng)), of(-3.0, "float32"), of(5.0, "float32")]
    if op == "Requantize":
        inputs += [of(-2.0, "float32"), of(4.0, "float32")]
    return Case(op, *inputs, types=("qint32",), out_type="quint8")


def file_name(op, rng):
    inputs = [of(b"model", "string"), of(int(rng.randint(4)), "int32"), of(4, "int32")]
    return Case(op, *(inputs if op == "ShardedFilename" else [inputs[0], inputs[2]]))


def tag(op, rng):
    if op == "ScalarSummary":
        return Case(op, of(b"name", "string"), normal())
    return Case(op, of(b"name", "string"), normal(*shape_of(rng)))


def sparse_bytes(op, rng):
    rows = int(rng.randint(4))
    where = [[i, i] for i in range(rows)]
    indices = of(where, "int64") if rows else between(0, 0, 0, 2, dtype="int64")
    return Case(op, indices, normal(rows), of([5, 5], "int64"), out_type="string")


def pooled(op, rng):
    """MaxPoolGradWithArgmax: any places of the input will do."""
    where = of(rng.randint(16, size=(1, 2, 2, 1)), "int64")
    sizes = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    return Case(op, normal(1, 4, 4, 1), normal(1, 2, 2, 1), where, **sizes)


def cross(op, rng):
    columns, rows = int(rng.randint(1, 3)), int(rng.randint(1, 4))
    where = [of([[i, 0] for i in range(rows)], "int64") for _ in range(columns)]
    kind = pick(rng, "int64", "string")
    values = [between(0, 9, rows, dtype=kind) for _ in range(columns)]
    shapes = [of([rows, 1], "int64") for _ in range(columns)]
    hashed = bool(rng.randint(2)) or kind == "int64"
    return Case(
        op, where, values, shapes, [between(0, 9, rows, 2, dtype=kind)],
        types=("int64",), hashed_output=hashed, num_buckets=int(rng.randint(100)),
        hash_key=int(rng.randint(1, 999)), out_type="int64" if hashed else "string",
        internal_type=kind,
    )  # fmt: skip


def least_squares(op, rng):
    n = int(rng.randint(1, 4))
    inputs = [normal(2, n + 1, n), normal(2, n + 1, 2), of(0.5, "float64")]
    return Case(op, *inputs, types=("float32", "float64"), fast=bool(rng.randint(2)), rtol=1e-2)


def square(op, rng):
    n = int(rng.randint(1, 5))
    return Case(op, normal(n, n), types=("float32", "float64"))


def read(op, rng):
    return Case(op, normal(*shape_of(rng)))


OPTIMIZERS = (
    "AdaMax Adadelta Adagrad AdagradDA AdagradV2 Adam AddSign CenteredRMSProp Ftrl FtrlV2 "
    "GradientDescent Momentum PowerSign ProximalAdagrad ProximalGradientDescent RMSProp "
    "KerasMomentum AdamWithAmsgrad"
).split()
RULES = table(
    (
        scatter,
        " ".join(
            prefix + kind
            for prefix in ("Scatter", "ResourceScatter")
            for kind in "Add Sub Mul Div Min Max Update NdAdd NdSub NdUpdate".split()
        ),
    ),
    (
        batch_norm,
        "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 FusedBatchNormGrad "
        "FusedBatchNormGradV2 FusedBatchNormGradV3 BatchNormWithGlobalNormalization "
        "BatchNormWithGlobalNormalizationGrad",
    ),
    (
        random_of_shape,
        "RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal "
        "StatelessRandomUniform StatelessRandomUniformInt StatelessRandomNormal "
        "StatelessTruncatedNormal",
    ),
    (
        random_of_values,
        "Multinomial StatelessMultinomial RandomShuffle RandomGamma RandomPoissonV2 "
        "RandomPoisson ParameterizedTruncatedNormal",
    ),
    (diagonal, "BatchMatrixDiag BatchMatrixDiagPart MatrixDiagPart"),
    (slice_assign, "StridedSliceAssign ResourceStridedSliceAssign"),
    (inplace, "InplaceAdd InplaceSub InplaceUpdate"),
    (count_up, "CountUpTo ResourceCountUpTo"),
    (pooled, "MaxPoolGradWithArgmax"),
    (cross, "SparseCross"),
    (least_squares, "BatchMatrixSolveLs"),
    (square, "SelfAdjointEig SelfAdjointEigV2"),
    (several, "AddN IdentityN"),
    (ensure, "EnsureShape"),
    (fingerprint, "Fingerprint"),
    (range_of, "Requantize RequantizationRange QuantizeDownAndShrinkRange Dequantize"),
    (file_name, "ShardedFilename ShardedFilespec"),
    (tag, "ScalarSummary HistogramSummary"),
    (sparse_bytes, "SerializeSparse SerializeManySparse"),
    (assign, "Assign AssignAdd AssignSub AssignVariableOp AssignAddVariableOp AssignSubVariableOp"),
    (read, "ReadVariableOp VariableShape RefIdentity GuaranteeConst"),
    (
        optimizer,
        " ".join(
            prefix + name
            for prefix in ("Apply", "SparseApply", "ResourceApply", "ResourceSparseApply")
            for name in OPTIMIZERS
        ),
    ),
)
