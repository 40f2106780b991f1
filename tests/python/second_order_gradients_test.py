# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients, of TensorArrays and of Switch and Merge, by differences in float64."""

import harness
import numpy as np
import sluice as sl
from gradients_test import cases
from nn_gradients_test import cases as nn_cases
from sluice import raw_ops as raw


def ints(*values):
    return np.array(values, np.int32)


def twice(function):
    """The squares of all gradients of a sum of squares: their gradients are second ones."""

    def squared(*inputs):
        y = function(*inputs)
        grads = [g for g in sl.gradients(sl.reduce_sum(y * y), list(inputs)) if g is not None]
        return sl.add_n([sl.reduce_sum(g * g) for g in map(sl.convert_to_dense, grads)])

    return squared


def named(op, **attrs):
    return (op, twice(lambda x: getattr(raw, op)(**{**attrs, "x": x})), (2, 3))


def activation(op, **attrs):
    return (op, twice(lambda x: getattr(raw, op)(features=x, **attrs)), (7,))


def test_elementwise():
    cases(*map(named, "Tanh Sigmoid Exp Expm1 Sin Cos Tan Square Neg Abs Erf Atan Sinh".split()))
    cases(
        *map(named, "Sqrt Rsqrt Log Log1p Reciprocal Inv Lgamma Digamma".split()), low=0.4, high=2.0
    )
    cases(
        ("sign", lambda x: sl.sign(x) * x, (4,)),
        ("add", twice(sl.add), (2, 3), (3,)),
        ("mul", twice(sl.multiply), (2, 3), (3,)),
        ("maximum", twice(sl.maximum), (2, 3), (3,)),
        ("squared difference", twice(sl.squared_difference), (2, 3), (3,)),
    )
    cases(
        ("div", twice(sl.truediv), (2, 3), (3,)),
        ("pow", twice(sl.pow), (2, 3), (3,)),
        ("atan2", twice(lambda y, x: raw.Atan2(y=y, x=x)), (2,), (2,)),
        ("floor mod", lambda x, y: raw.FloorMod(x=x * 5.0, y=y), (2, 3), (3,)),
        low=0.6,
        high=1.9,
    )


def test_activations():
    ops = "Relu Relu6 Elu Selu Softplus LeakyRelu".split()
    cases(*map(activation, ops))
    cases(activation("LeakyRelu", alpha=0.4), ("softmax", twice(sl.nn.softmax), (2, 3)))


def test_losses():
    shares = np.array([[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]])

    def dense(x):
        return raw.SoftmaxCrossEntropyWithLogits(features=x, labels=shares)[0]

    def sparse(x):
        return raw.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=ints(2, 0))[0]

    cases(("dense", twice(dense), (2, 3)), ("sparse", twice(sparse), (2, 3)))


def unknown(function):
    """A function of inputs whose shapes the client does not know."""
    return lambda *inputs: function(*(sl.placeholder_with_default(x, shape=None) for x in inputs))


def test_axes_of_unknown_ranks():
    def gather(axis, batch_dims, indices):
        return unknown(
            lambda x: raw.GatherV2(
                params=x, indices=ints(*indices), axis=np.int32(axis), batch_dims=batch_dims
            )
        )

    cases(
        ("prod", unknown(lambda x: raw.Prod(input=x, reduction_indices=ints(-1, 0))), (2, 3, 2)),
        ("gather", gather(1, 0, (2, 0, 2)), (2, 3, 2)),
        ("gather last", gather(-1, 0, [[1, 0], [1, 1]]), (2, 2)),
        ("gather first", gather(-3, 0, (1, 1)), (2, 1, 2)),
        ("in batches", gather(2, 1, [[1, 0, 1], [1, 1, 0]]), (2, 2, 2, 2)),
        ("in batches of rows", gather(1, -1, [[1, 0, 1], [1, 1, 0]]), (2, 2, 2)),
        low=0.3,
    )


def test_products():
    cases(
        ("matmul", twice(sl.matmul), (2, 3), (3, 2)),
        (
            "batch",
            twice(lambda x, y: raw.BatchMatMulV2(x=x, y=y, adj_y=True)),
            (2, 2, 3),
            (1, 2, 3),
        ),
        (
            "einsum",
            twice(lambda x, y: raw.Einsum(inputs=[x, y], equation="ij,kj->ki")),
            (2, 3),
            (2, 3),
        ),
    )


def test_reductions():
    cases(
        ("sum", twice(lambda x: sl.reduce_sum(x * x, 1)), (2, 3)),
        ("mean", twice(lambda x: sl.reduce_mean(x * x, 0)), (2, 3)),
        ("max", twice(lambda x: sl.reduce_max(x * x, 0)), (2, 3)),
        ("cumsum", twice(lambda x: raw.Cumsum(x=x * x, axis=0)), (3, 2)),
        low=0.3,
    )
    for exclusive in (False, True):
        for reverse in (False, True):
            flags = {"exclusive": exclusive, "reverse": reverse}
            cases(
                (f"cumprod {flags}", lambda x, f=flags: raw.Cumprod(x=x, axis=1, **f), (2, 4)),
                (
                    f"cumprod {flags}",
                    twice(lambda x, f=flags: raw.Cumprod(x=x, axis=1, **f)),
                    (2, 3),
                ),
                low=0.3,
            )
    cases(("prod", twice(lambda x: sl.reduce_prod(x, 1)), (2, 3)), low=0.3)


def test_arrays():
    def mirrored(mode):
        return lambda x: raw.MirrorPad(input=x * x, paddings=[[1, 1], [0, 2]], mode=mode)

    cases(
        ("strided slice", twice(lambda x: (x * x)[::2, 1:]), (3, 3)),
        ("symmetric", twice(mirrored("SYMMETRIC")), (2, 3)),
        ("reflect", twice(mirrored("REFLECT")), (2, 3)),
        ("pad", twice(lambda x: sl.pad(x * x, [[1, 0], [0, 2]])), (2, 2)),
        ("concat", twice(lambda x, y: sl.concat([x * y, y * y], 0)), (2, 2), (2, 2)),
        ("stack", twice(lambda x, y: sl.stack([x * y, y * y], 1)), (2, 2), (2, 2)),
        ("gather", twice(lambda x: sl.gather(x * x, [1, 0, 1])), (2, 2)),
        (
            "gather nd",
            twice(lambda x: raw.GatherNd(params=x * x, indices=ints([1, 0], [0, 1]))),
            (2, 2),
        ),
        ("transpose", twice(lambda x: sl.transpose(x * x)), (2, 3)),
        ("tile", twice(lambda x: sl.tile(x * x, [2, 1])), (2, 2)),
        ("split", twice(lambda x: raw.Split(split_dim=1, value=x * x, num_split=2)[1]), (2, 4)),
        ("slice", twice(lambda x: sl.slice(x * x, [0, 1], [2, 2])), (2, 3)),
        ("select", twice(lambda x: sl.where(x > 0.0, x * x, x)), (4,)),
        ("reverse", twice(lambda x: raw.ReverseV2(tensor=x * x, axis=ints(0))), (3,)),
    )


def test_biases_and_norms():
    def bias(data_format):
        return lambda x, b: raw.BiasAdd(value=x * x, bias=b * b, data_format=data_format)

    cases(
        ("NHWC", twice(bias("NHWC")), (2, 2, 3), (3,)),
        ("NCHW", twice(bias("NCHW")), (2, 3, 2, 2), (3,)),
    )

    def norm(op, data_format, training):
        def gradient(dy, x, scale):
            rest = [np.full(3, 0.1, np.float32), np.full(3, 1.5, np.float32)]
            if training:
                channels = 1 if data_format == "NCHW" else 3
                axes = [i for i in range(4) if i != channels]
                mean = sl.reduce_mean(x, axes, keepdims=True)
                rest = [
                    sl.stop_gradient(sl.reshape(mean, [3])),
                    sl.stop_gradient(sl.reduce_mean(sl.square(x - mean), axes)),
                ]
            inputs = [dy, x, scale, *rest]
            if op.endswith("V3"):
                inputs.append(np.zeros(3, np.float32))
            names = ["y_backprop", "x", "scale", *("reserve_space_%d" % i for i in (1, 2, 3))]
            outs = getattr(raw, op)(
                **dict(zip(names, inputs)),
                epsilon=0.01,
                data_format=data_format,
                is_training=training,
            )
            return sl.add_n(
                [
                    sl.reduce_sum(outs[i] * (i + 1.0)) + sl.reduce_sum(outs[i] ** 2.0)
                    for i in range(3)
                ]
            )

        return gradient

    shapes = ((2, 2, 2, 3), (2, 2, 2, 3), (3,))
    for op in ("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"):
        nn_cases(
            (op, norm(op, "NHWC", False), *shapes),
            dtype=sl.float32,
        )
    nn_cases(("training", norm("FusedBatchNormGradV3", "NHWC", True), *shapes), dtype=sl.float32)


def test_pools():
    def pool(x):
        return raw.MaxPoolV2(
            input=x * x, ksize=ints(1, 2, 2, 1), strides=ints(1, 1, 1, 1), padding="SAME"
        )

    nn_cases(("max pool", twice(pool), (1, 3, 3, 1)), dtype=sl.float64)


def test_sparse():
    def added(values, dense):
        return raw.SparseDenseCwiseAdd(
            sp_indices=np.array([[0, 1], [1, 0], [1, 2]]),
            sp_values=values * values,
            sp_shape=np.array([2, 3]),
            dense=dense * dense,
        )

    cases(("add", added, (3,), (2, 3)), ("broadcast", added, (3,), (3,)))


class Array:
    """A TensorArray of generation 2 or 3."""

    def __init__(self, generation, size, **kw):
        self.v = "V%d" % generation
        out = getattr(raw, "TensorArray" + self.v)(size=np.int32(size), dtype=sl.float64, **kw)
        self.handle, self.flow = out if generation == 3 else (out, sl.constant(np.float32(0)))

    def _call(self, op, **kw):
        return getattr(raw, "TensorArray" + op + self.v)(
            handle=self.handle, flow_in=self.flow, **kw
        )

    def write(self, index, value):
        self.flow = self._call("Write", index=np.int32(index), value=value)

    def scatter(self, indices, value):
        self.flow = self._call("Scatter", indices=ints(*indices), value=value)

    def split(self, value, lengths):
        self.flow = self._call("Split", value=value, lengths=np.array(lengths))

    def read(self, index):
        return self._call("Read", index=np.int32(index), dtype=sl.float64)

    def gather(self, indices):
        return self._call("Gather", indices=ints(*indices), dtype=sl.float64)

    def concat(self):
        return self._call("Concat", dtype=sl.float64)[0]


def test_tensor_arrays():
    def written(generation):
        def function(x, y):
            array = Array(generation, 2, clear_after_read=False)
            array.write(0, x * y)
            array.write(1, y)
            return (
                array.read(0) * array.read(1) + array.read(1) + sl.reduce_sum(array.gather([1, 0]))
            )

        return function

    def scattered(generation):
        def function(x):
            array = Array(generation, 3)
            array.scatter([2, 0, 1], x * x)
            return array.gather([0, 1, 2]) * x

        return function

    def split(generation):
        def function(x):
            array = Array(generation, 2)
            array.split(x * x, [1, 2])
            return array.concat() * x

        return function

    for v in (2, 3):
        cases(
            (f"write and read {v}", written(v), (2,), (2,)),
            (f"scatter and gather {v}", scattered(v), (3, 2)),
            (f"split and concat {v}", split(v), (3, 2)),
        )


def cond(predicate, yes, no, *inputs):
    """One result, by Switch and Merge as TensorFlow's clients wrote it."""
    sides = [raw.Switch(data=x, pred=predicate) for x in inputs]
    return raw.Merge(inputs=[no(*(s[0] for s in sides)), yes(*(s[1] for s in sides))])[0]


def test_branches():
    def one_sided(x, y):
        return cond(sl.reduce_sum(x) > 100.0, lambda a, b: a * a, lambda a, b: b * a * a, x, y)

    def nested(x, y):
        def outer(a, b):
            return cond(sl.reduce_sum(a) > -100.0, lambda c, d: c * d, lambda c, d: c - d, a, b)

        return cond(sl.reduce_sum(y) > -100.0, outer, lambda a, b: a + b, x, y) * x

    def reversed_merge(x):
        s = raw.Switch(data=x, pred=sl.reduce_sum(x) > 100.0)
        return raw.Merge(inputs=[sl.exp(s[1]), s[0] * s[0]])[0]

    def unused_input(x, y):
        return cond(sl.reduce_sum(x) > -100.0, lambda a, b: a * 2.0, lambda a, b: b, x, y)

    cases(
        ("one-sided", one_sided, (3,), (3,)),
        ("nested", nested, (3,), (3,)),
        ("reversed", reversed_merge, (3,)),
        ("unused", unused_input, (3,), (3,)),
        ("twice", twice(one_sided), (3,), (3,)),
    )


def test_seed_inside_a_branch():
    """The gradient of a tensor of one branch is a constant by itself. It must not run in the
    other."""
    for value, expected in ((1.0, [3.0, 3.0]), (-1.0, [0.0, 0.0])):
        with sl.Graph().as_default(), sl.Session() as session:
            x = sl.placeholder(sl.float32, [2])
            taken = raw.Switch(data=x, pred=sl.reduce_sum(x) > 0.0)[1] * 3.0
            (grad,) = sl.gradients(taken, [x], [np.ones(2, np.float32)])
            np.testing.assert_array_equal(session.run(grad, {x: [value, value]}), expected)


def test_loops_are_refused_by_name():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [])
        enter = raw.Enter(data=x, frame_name="round")
        y = raw.Exit(data=enter * 2.0)
        harness.raises(sl.errors.UnimplementedError, lambda: sl.gradients(y, x), 'loop "round"')


def test_unregistered_gradients():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [3])
        y = raw.RandomShuffle(value=x)
        harness.raises(sl.errors.UnimplementedError, lambda: sl.gradients(y, x), "RandomShuffle")
        for op in (raw.Floor, raw.Ceil, raw.Rint, raw.Round):
            assert sl.gradients(op(x=x), x) == [None]
