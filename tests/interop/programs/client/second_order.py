# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients: element-wise, products, reductions, arrays.

Each program gives, for every function, the first and second gradients of the sum of its squares.
"""

import numpy as np


def _values(low, high, *shape):
    rng = np.random.RandomState(sum(shape) + 7 * len(shape))
    return rng.uniform(low, high, size=shape)


def _square(tf, y):
    return tf.reduce_sum(tf.real(y * tf.conj(y)) if y.dtype == tf.complex128 else y * y)


def _gradients(tf, function, *values):
    inputs = [tf.constant(v, tf.complex128 if v.dtype.kind == "c" else tf.float64) for v in values]
    y = function(*inputs)
    first = tf.gradients(_square(tf, y), inputs)
    squares = [_square(tf, g) for g in first if g is not None]
    if not squares:
        return [], []
    second = tf.gradients(tf.add_n(squares), inputs)
    return first, second


def _all(tf, functions, *values):
    """name -> first and second gradients; None where nothing flows."""
    fetches, results = {}, {}
    for name, function in functions.items():
        first, second = _gradients(tf, function, *values)
        results[name] = [g is None for g in (*first, *second)]
        fetches[name] = [g for g in (*first, *second) if g is not None]
    with tf.Session() as session:
        return {n: (results[n], session.run(f) if f else []) for n, f in fetches.items()}


def _unary(tf, names, *values):
    def call(name):
        key = "features" if name in ACTIVATIONS else "x"
        return lambda x: getattr(tf.raw_ops, name)(**{key: x})

    calls = {name: call(name) for name in names.split()}
    return _all(tf, calls, *values)


ACTIVATIONS = "Relu Relu6 Elu Selu Softplus LeakyRelu".split()


def unary(tf):
    names = "Abs Neg Square Sign Exp Expm1 Sin Cos Tan Sinh Cosh Tanh Asinh Atan Erf Erfc Sigmoid "
    return _unary(tf, names + " ".join(ACTIVATIONS), _values(-1.5, 1.5, 3, 4))


def unary_of_positive(tf):
    names = "Log Log1p Sqrt Rsqrt Inv Reciprocal Lgamma Digamma BesselI0e BesselI1e"
    return _unary(tf, names, _values(0.3, 3, 2, 5))


def unary_in_their_domains(tf):
    inside = _unary(tf, "Asin Acos Atanh", _values(-0.8, 0.8, 7))
    return inside, _unary(tf, "Acosh", _values(1.2, 3, 7))


def unary_complex(tf):
    z = _values(0.2, 0.9, 2, 3) + 1j * _values(0.1, 0.8, 2, 3)
    return _unary(
        tf,
        "Neg Square Exp Sin Cos Tan Sinh Cosh Tanh Log Sqrt Rsqrt Reciprocal Sigmoid",
        z,
    )


def complex_parts(tf):
    z = _values(0.2, 0.9, 2, 3) + 1j * _values(0.1, 0.8, 2, 3)
    functions = {
        "real": lambda z: tf.real(z * z) + tf.imag(z),
        "abs": lambda z: tf.abs(z),
        "conj": lambda z: tf.conj(z) * z * z,
        "angle": lambda z: tf.angle(z),
        "complex": lambda z: tf.complex(tf.real(z) * 2.0, tf.imag(z * z)),
        "cast": lambda z: tf.cast(tf.real(z), tf.complex128) * z,
    }
    return _all(tf, functions, z)


BINARY = "Add AddV2 Sub Mul RealDiv Div DivNoNan MulNoNan Pow Maximum Minimum SquaredDifference "
BINARY += "FloorMod FloorDiv Xdivy Xlogy"


def _binary(tf, names, *values):
    def call(name):
        return lambda x, y: getattr(tf.raw_ops, name)(x=x, y=y)

    return _all(tf, {name: call(name) for name in names.split()}, *values)


def binary(tf):
    a, b = _values(0.5, 2, 3, 4), _values(0.6, 1.9, 3, 4)
    others = {
        "atan2": lambda x, y: tf.atan2(x, y),
        "where": lambda x, y: tf.where(x > 1.0, x * y, y * y + 0.0 * x),
        "clip": lambda x, y: tf.clip_by_value(x * x, 1.0, 3.0) * y,
    }
    return _binary(tf, BINARY, a, b), _all(tf, others, a, b)


def binary_broadcast(tf):
    shapes = ((2, 1, 3), (4, 1)), ((3,), (2, 3)), ((1, 1), (2, 3)), ((2, 3), (1,))
    names = "AddV2 Sub Mul RealDiv Pow Maximum SquaredDifference DivNoNan Xdivy"
    return [_binary(tf, names, _values(0.5, 2, *a), _values(1, 2, *b)) for a, b in shapes]


def products(tf):
    raw, found = tf.raw_ops, {}
    for i in range(4):
        ta, tb = bool(i & 1), bool(i & 2)
        a, b = ((3, 2) if ta else (2, 3)), ((4, 3) if tb else (3, 4))
        found[f"MatMul{i}"] = _all(
            tf,
            {"it": lambda x, y, s=(ta, tb): tf.matmul(x, y, transpose_a=s[0], transpose_b=s[1])},
            _values(-1, 1, *a),
            _values(-1, 1, *b),
        )
        found[f"Batch{i}"] = _all(
            tf,
            {
                "it": lambda x, y, s=(ta, tb): raw.BatchMatMul(x=x, y=y, adj_x=s[0], adj_y=s[1]),
                "v2": lambda x, y, s=(ta, tb): raw.BatchMatMulV2(x=x, y=y, adj_x=s[0], adj_y=s[1]),
            },
            _values(-1, 1, 2, *a),
            _values(-1, 1, 2, *b),
        )
    found["broadcast"] = _all(
        tf,
        {"v2": lambda x, y: raw.BatchMatMulV2(x=x, y=y)},
        _values(-1, 1, 2, 1, 2, 3),
        _values(-1, 1, 3, 3, 2),
    )
    found["tensordot"] = _all(
        tf,
        {
            "two": lambda x, y: tf.tensordot(x, y, 2),
            "axes": lambda x, y: tf.tensordot(x, y, [[2], [0]]),
            "einsum": lambda x, y: tf.einsum("abc,cbd->ad", x, y),
        },
        _values(-1, 1, 2, 3, 3),
        _values(-1, 1, 3, 3, 2),
    )
    return found


def complex_products(tf):
    def z(*shape):
        return _values(-1, 1, *shape) + 1j * _values(0, 1, *shape)

    functions = {
        "matmul": lambda x, y: tf.matmul(x, y),
        "adjoint": lambda x, y: tf.matmul(x, y, adjoint_a=True),
        "mul": lambda x, y: x * y / (y + 3.0),
    }
    return _all(tf, functions, z(3, 3), z(3, 3))


def complex_moduli(tf):
    """TensorFlow takes the sign of a complex number for constant."""
    z = _values(0.2, 0.9, 2, 3) + 1j * _values(0.1, 0.8, 2, 3)
    return _all(
        tf, {"abs": lambda z: tf.abs(z) * tf.abs(z * z), "sign": lambda z: tf.sign(z) * z}, z
    )


def reductions(tf):
    def of(reduce, axis, keep):
        return lambda x: reduce(x * x, axis, keepdims=keep)

    functions = {}
    for name in "sum mean prod max min".split():
        reduce = getattr(tf, "reduce_" + name)
        for axis in (None, 0, [1], [0, 2], [-1, 0], []):
            for keep in (False, True):
                functions[f"{name} {axis} {keep}"] = of(reduce, axis, keep)
    functions["logsumexp"] = lambda x: tf.reduce_logsumexp(x * x, 1)
    functions["norm"] = lambda x: tf.norm(x, axis=1)
    functions["l2"] = lambda x: tf.nn.l2_loss(x) * x
    functions["variance"] = lambda x: tf.nn.moments(x, [0, 2])[1]
    functions["softmax"] = lambda x: tf.nn.softmax(x)
    functions["log softmax"] = lambda x: tf.nn.log_softmax(x)
    return _all(tf, functions, _values(0.3, 1.5, 2, 3, 2))


def _segments(op, **kw):
    return lambda x: op(data=x * x, **kw)


def scans_and_segments(tf):
    raw = tf.raw_ops
    ids = np.array([0, 0, 2, 1], np.int32)
    up = np.array([0, 0, 1, 3], np.int32)
    functions = {}
    for exclusive in (False, True):
        for reverse in (False, True):
            kw = {"exclusive": exclusive, "reverse": reverse}
            functions[f"cumsum {kw}"] = lambda x, kw=kw: tf.cumsum(x * x, 1, **kw)
            functions[f"cumprod {kw}"] = lambda x, kw=kw: tf.cumprod(x, 1, **kw)
    for op in "SegmentSum SegmentMean SegmentMax SegmentMin".split():
        functions[op] = _segments(getattr(raw, op), segment_ids=up)
    for (
        op
    ) in "UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd".split():
        functions[op] = _segments(getattr(raw, op), segment_ids=ids, num_segments=4)
    functions["top"] = lambda x: tf.nn.top_k(x * x, 2)[0]
    return _all(tf, functions, _values(0.3, 1.5, 4, 3))


def arrays(tf):
    raw = tf.raw_ops
    order = np.array([1, 0, 2], np.int32)
    functions = {
        "reshape": lambda x: tf.reshape(x * x, [4, -1]),
        "transpose": lambda x: tf.transpose(x * x, [2, 0, 1]),
        "tile": lambda x: tf.tile(x * x, [1, 2, 3]),
        "pad": lambda x: tf.pad(x * x, [[1, 0], [0, 2], [1, 1]]),
        "padv2": lambda x: tf.pad(x * x, [[1, 0], [0, 2], [1, 1]], constant_values=2.0),
        "reflect": lambda x: tf.pad(x * x, [[1, 0], [0, 2], [1, 1]], "REFLECT"),
        "symmetric": lambda x: tf.pad(x * x, [[1, 0], [0, 2], [1, 1]], "SYMMETRIC"),
        "concat": lambda x: tf.concat([x * x, x, x * 3.0], 1),
        "concat -1": lambda x: tf.concat([x * x, x], -1),
        "stack": lambda x: tf.stack([x * x, x], 2),
        "unstack": lambda x: tf.unstack(x * x, axis=1)[1],
        "split": lambda x: tf.split(x * x, 3, 1)[2] * tf.split(x, 3, 1)[0],
        "split v": lambda x: tf.split(x * x, [1, 2], 1)[1],
        "slice": lambda x: tf.slice(x * x, [0, 1, 0], [-1, 2, 1]),
        "strided": lambda x: (x * x)[:, ::-2, tf.newaxis, 1],
        "reverse": lambda x: tf.reverse(x * x, [1, 2]),
        "roll": lambda x: raw.Roll(input=x * x, shift=1, axis=1),
        "gather": lambda x: tf.gather(x * x, [2, 0, 2], axis=1),
        "gather 0": lambda x: tf.gather(x * x, [1, 1, 0]),
        "gather nd": lambda x: tf.gather_nd(x * x, [[0, 1], [1, 2], [0, 1]]),
        "scatter nd": lambda x: tf.scatter_nd([[1], [3]], x * x, [5, 3, 2]),
        "boolean mask": lambda x: tf.boolean_mask(
            x * x, [[True, False, True], [False, True, True]]
        ),
        "expand": lambda x: tf.squeeze(tf.expand_dims(x * x, 1), [1]) * x,
        "broadcast": lambda x: tf.broadcast_to(x * x, [3, 2, 3, 2]),
        "select": lambda x: tf.where([True, False], x * x, x * 3.0),
        "diag": lambda x: tf.matrix_diag(x * x),
        "diag part": lambda x: tf.matrix_diag_part(x * x),
        "band": lambda x: tf.matrix_band_part(x * x, 0, 1),
        "set diag": lambda x: tf.matrix_set_diag(x * x, x[:, :2, 0] * 2.0),
        "permuted": lambda x: tf.gather(tf.transpose(x * x, [1, 0, 2]), order),
        "sequence": lambda x: tf.reverse_sequence(x * x, [1, 3], seq_axis=1, batch_axis=0),
        "batch to space": lambda x: raw.SpaceToBatchND(
            input=x * x, block_shape=[2], paddings=[[0, 1]]
        ),
        "dynamic stitch": lambda x: tf.dynamic_stitch([[0, 2], [1, 2]], [x * x, x * 2.0]),
        "dynamic partition": lambda x: tf.dynamic_partition(x * x, [1, 0], 2)[1],
        "where": lambda x: tf.where(x > 0.9, x * x, x * 2.0),
        "cast": lambda x: tf.cast(tf.cast(x * x, tf.float32), tf.float64),
        "stop": lambda x: tf.stop_gradient(x) * x * x,
        "identity": lambda x: tf.identity(x * x) * tf.ones_like(x),
        "check": lambda x: tf.check_numerics(x * x, "no"),
    }
    return _all(tf, functions, _values(0.3, 1.5, 2, 3, 2))


def hessians(tf):
    """tf.hessians of a small network and of a function through a matrix."""
    w, b = tf.constant(_values(-1, 1, 6)), tf.constant(_values(-1, 1, 2))
    x = tf.constant(_values(-1, 1, 4, 3))
    h = tf.tanh(tf.matmul(x, tf.reshape(w, [3, 2])) + b)
    loss = tf.reduce_mean(tf.nn.softplus(h) * h)
    with tf.Session() as session:
        return session.run(tf.hessians(loss, [w, b]))


def penalty(tf):
    """A gradient penalty, trained: second gradients of a network by its weights."""
    w = tf.get_variable("w", initializer=_values(-0.5, 0.5, 3, 4))
    v = tf.get_variable("v", initializer=_values(-0.5, 0.5, 4, 1))
    x = tf.constant(_values(-1, 1, 5, 3))
    y = tf.matmul(tf.nn.elu(tf.matmul(x, w)), v)
    slopes = tf.sqrt(tf.reduce_sum(tf.square(tf.gradients(y, x)[0]), 1))
    loss = tf.reduce_mean(tf.square(slopes - 1.0)) + 0.01 * tf.reduce_mean(y)
    step = tf.train.AdamOptimizer(0.05).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [(session.run(step), session.run(loss))[1] for _ in range(10)]
