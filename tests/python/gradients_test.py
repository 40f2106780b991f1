# SPDX-License-Identifier: Apache-2.0
"""Gradients agree with differences of the function, op by op, in float64."""

import harness
import numpy as np
import sluice as sl
from sluice import raw_ops


def check_case(function, *shapes, low=-1.0, high=1.0, seed=1):
    """d sum(w * function(inputs)) by gradients() and by central differences."""
    rng = np.random.RandomState(seed)
    values = [np.asarray(rng.uniform(low, high, shape)) for shape in shapes]
    graph = sl.Graph()
    with graph.as_default():
        inputs = [sl.placeholder(sl.float64, v.shape) for v in values]
        y = function(*inputs)
        with sl.Session() as session:
            value = session.run(y, dict(zip(inputs, values)))
            weights = rng.uniform(0.5, 1.5, np.shape(value))
            grads = [sl.convert_to_dense(g) for g in sl.gradients(y, inputs, [weights])]
            found = session.run(grads, dict(zip(inputs, values)))
            for i, v in enumerate(values):
                expected = np.zeros(v.shape)
                for at in np.ndindex(*v.shape):
                    sides = []
                    for step in (1e-5, -1e-5):
                        moved = [np.array(u) for u in values]
                        moved[i][at] += step
                        out = session.run(y, dict(zip(inputs, moved)))
                        sides.append(np.sum(weights * out))
                    expected[at] = (sides[0] - sides[1]) / 2e-5
                np.testing.assert_allclose(found[i], expected, rtol=1e-4, atol=1e-6)


def cases(*all_cases, **options):
    wrong = []
    for name, function, *shapes in all_cases:
        try:
            check_case(function, *shapes, **options)
        except Exception as e:
            wrong.append(f"{name}: {type(e).__name__}: {str(e)[:600]}")
    assert not wrong, "\n".join(wrong)


def test_arithmetic():
    cases(
        ("add", sl.add, (2, 3), (3,)),
        ("sub", sl.subtract, (2, 1), (2, 3)),
        ("mul", sl.multiply, (2, 3), ()),
        ("maximum", sl.maximum, (2, 3), (2, 3)),
        ("minimum", sl.minimum, (2, 3), (3,)),
        ("squared_difference", sl.squared_difference, (2, 3), (1, 3)),
        ("neg", sl.negative, (3,)),
        ("square", sl.square, (3,)),
        ("abs", sl.abs, (5,)),
        ("exp", sl.exp, (3,)),
        ("tanh", sl.tanh, (3,)),
        ("sigmoid", sl.sigmoid, (3,)),
        ("sin", sl.sin, (3,)),
        ("cos", sl.cos, (3,)),
        ("clip", lambda x: sl.clip_by_value(x, -0.5, 0.5), (6,)),
        ("l2_loss", sl.nn.l2_loss, (4,)),
        ("add_n", lambda x, y: sl.add_n([x, y, x]), (2,), (2,)),
        ("select", lambda x, y: sl.where(x > y, x * x, y), (4,), (4,)),
    )


def test_positive_arithmetic():
    cases(
        ("div", sl.truediv, (2, 3), (3,)),
        ("pow", sl.pow, (2, 3), (2, 3)),
        ("sqrt", sl.sqrt, (3,)),
        ("rsqrt", sl.rsqrt, (3,)),
        ("log", sl.log, (3,)),
        ("log1p", sl.log1p, (3,)),
        low=0.5,
        high=2.0,
    )


def test_products():
    def matmul(ta, tb):
        return lambda x, y: sl.matmul(x, y, transpose_a=ta, transpose_b=tb)

    cases(
        ("ab", matmul(False, False), (2, 3), (3, 4)),
        ("a'b", matmul(True, False), (3, 2), (3, 4)),
        ("ab'", matmul(False, True), (2, 3), (4, 3)),
        ("a'b'", matmul(True, True), (3, 2), (4, 3)),
        ("batch", sl.matmul, (2, 2, 3), (2, 3, 2)),
        ("batch, broadcast", sl.matmul, (2, 2, 3), (1, 3, 2)),
    )


def test_reductions():
    cases(
        ("sum", sl.reduce_sum, (2, 3)),
        ("sum axis", lambda x: sl.reduce_sum(x, axis=-1), (2, 3)),
        ("mean", lambda x: sl.reduce_mean(x, axis=[0], keepdims=True), (2, 3)),
        ("max", lambda x: sl.reduce_max(x, axis=1), (2, 3)),
        ("min", lambda x: sl.reduce_min(x), (2, 3)),
    )


def test_arrays():
    cases(
        ("reshape", lambda x: sl.square(sl.reshape(x, [3, 2])), (2, 3)),
        ("expand", lambda x: sl.squeeze(sl.square(sl.expand_dims(x, 1))), (3,)),
        ("transpose", lambda x: sl.transpose(x, [1, 2, 0]) * 2.0, (2, 3, 2)),
        ("concat", lambda x, y: sl.square(sl.concat([x, y], 1)), (2, 1), (2, 3)),
        ("split", lambda x: sl.square(sl.split(x, 2, axis=1)[1]), (2, 4)),
        ("slice", lambda x: sl.square(sl.slice(x, [0, 1], [2, 2])), (3, 4)),
        ("strided", lambda x: sl.square(x[0, 1:]), (2, 4)),
        ("stack", lambda x, y: sl.square(sl.stack([x, y], axis=1)), (2, 2), (2, 2)),
        ("unstack", lambda x: sl.unstack(x)[0] * sl.unstack(x)[1], (2, 3)),
        ("pad", lambda x: sl.square(sl.pad(x, [[1, 0], [0, 2]])), (2, 2)),
        ("tile", lambda x: sl.square(sl.tile(x, [2, 3])), (2, 2)),
        ("gather", lambda x: sl.square(sl.gather(x, [2, 0, 2])), (3, 2)),
        ("gather axis", lambda x: sl.square(sl.gather(x, [2, 0, 2], axis=1)), (2, 3)),
        ("cast", lambda x: sl.cast(sl.cast(x, sl.float64), sl.float64) * 2.0, (2,)),
    )


def test_nn():
    labels = np.array([[0.2, 0.8, 0.0], [1.0, 0.0, 0.0]])
    sparse = sl.nn.sparse_softmax_cross_entropy_with_logits
    cases(
        ("relu", sl.nn.relu, (6,)),
        ("relu6", sl.nn.relu6, (6,)),
        ("elu", sl.nn.elu, (6,)),
        ("softplus", sl.nn.softplus, (6,)),
        ("softmax", sl.nn.softmax, (2, 3)),
        ("log_softmax", sl.nn.log_softmax, (2, 3)),
        ("xent",
         lambda x: sl.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x), (2, 3)),
        ("sparse xent", lambda x: sparse(labels=np.array([2, 0]), logits=x), (2, 3)),
        ("bias_add", sl.nn.bias_add, (2, 3), (3,)),
        ("conv2d", lambda x, f: sl.nn.conv2d(x, f, 1, "SAME"), (1, 4, 4, 2), (3, 3, 2, 2)),
        ("conv2d stride", lambda x, f: sl.nn.conv2d(x, f, 2, "VALID"), (1, 5, 5, 1), (3, 3, 1, 2)),
        ("max_pool", lambda x: sl.nn.max_pool(x, 2, 2, "VALID"), (1, 4, 4, 1)),
        ("avg_pool", lambda x: sl.nn.avg_pool(x, 2, 2, "SAME"), (1, 3, 3, 1)),
    )


def ints(*values):
    return sl.constant(np.array(values, np.int32))


def list_of(x, *shape):
    return raw_ops.TensorListFromTensor(tensor=x, element_shape=ints(*shape))


def stacked(handle, *shape):
    return raw_ops.TensorListStack(
        input_handle=handle, element_shape=ints(*shape), element_dtype=sl.float64
    )


def popped_and_pushed(x):
    rest, last = raw_ops.TensorListPopBack(
        input_handle=list_of(x, 2), element_shape=ints(2), element_dtype=sl.float64
    )
    item = raw_ops.TensorListGetItem(
        input_handle=rest, index=1, element_shape=ints(2), element_dtype=sl.float64
    )
    changed = raw_ops.TensorListSetItem(input_handle=rest, index=0, item=item * item)
    return stacked(raw_ops.TensorListPushBack(input_handle=changed, tensor=last * item), 2)


def gathered_and_scattered(x):
    more = raw_ops.TensorListScatterIntoExistingList(
        input_handle=list_of(x, 2), tensor=x[:2] * x[1:], indices=ints(3, 0)
    )
    fresh = raw_ops.TensorListScatterV2(
        tensor=x, indices=ints(1, 0, 2), element_shape=ints(2), num_elements=5
    )
    shorter = raw_ops.TensorListResize(input_handle=fresh, size=4)
    picked = raw_ops.TensorListGather(
        input_handle=more, indices=ints(2, 3, 0), element_shape=ints(2), element_dtype=sl.float64
    )
    return sl.reduce_sum(picked * picked) + stacked(shorter, 2)


def split_and_concatenated(x):
    lengths = sl.constant(np.array([2, 1], np.int64))
    parts = raw_ops.TensorListSplit(tensor=x, element_shape=ints(-1, 2), lengths=lengths)
    joined, _ = raw_ops.TensorListConcatV2(
        input_handle=parts,
        element_shape=ints(-1, 2),
        leading_dims=lengths,
        element_dtype=sl.float64,
    )
    return joined * x


def through_an_optional(x, y):
    optional = raw_ops.OptionalFromValue(components=[x * y, y])
    one, two = raw_ops.OptionalGetValue(
        optional=optional, output_types=[sl.float64, sl.float64], output_shapes=[[3], [3]]
    )
    return one * two


def test_lists():
    cases(
        ("push, pop, get, set", popped_and_pushed, (3, 2)),
        ("gather, scatter, resize", gathered_and_scattered, (3, 2)),
        ("split, concat", split_and_concatenated, (3, 2)),
        ("optional", through_an_optional, (3,), (3,)),
    )


def moved_by_a_pixel(image):
    return raw_ops.ImageProjectiveTransformV2(
        images=image,
        transforms=np.array([[1, 0, 1, 0, 1, -1, 0, 0]], np.float32),
        output_shape=[4, 3],
        interpolation="NEAREST",
    )


def test_images_under_maps():
    cases(
        (
            "resampler",
            lambda x, at: raw_ops.Resampler(data=x, warp=at * 4.0),
            (2, 4, 3, 2),
            (2, 5, 2),
        ),
        ("moved", moved_by_a_pixel, (2, 4, 3, 2)),
    )


def test_unknown_shapes():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32)
        y = sl.placeholder(sl.float32)
        z = sl.reduce_mean(x * y)
        grads = sl.gradients(z, [x, y])
        with sl.Session() as session:
            feed = {x: np.ones((2, 3), np.float32), y: np.float32(3)}
            dx, dy = session.run(grads, feed)
        np.testing.assert_allclose(dx, np.full((2, 3), 0.5))
        np.testing.assert_allclose(dy, 1.0)


def test_sparse_gradient_of_a_gather():
    for resource in (False, True):
        with sl.Graph().as_default():
            table = sl.Variable(np.arange(8, dtype=np.float32).reshape(4, 2), use_resource=resource)
            rows = sl.nn.embedding_lookup(table, [1, 3, 1])
            (grad,) = sl.gradients(sl.reduce_sum(rows * rows), [table])
            assert isinstance(grad, sl.IndexedSlices)
            with sl.Session() as session:
                session.run(sl.global_variables_initializer())
                dense = session.run(sl.convert_to_tensor(grad))
        np.testing.assert_allclose(dense, [[0, 0], [8, 12], [0, 0], [12, 14]])


def test_clipping_by_the_average_norm():
    with sl.Graph().as_default(), sl.Session() as session:
        found = session.run(sl.clip_by_average_norm(sl.constant([3.0, 4.0]), 0.5))
        np.testing.assert_allclose(found, [0.6, 0.8], rtol=1e-6)


def test_ops_without_a_gradient():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [3])
        assert sl.gradients(sl.stop_gradient(x) * 2.0, x) == [None]
        assert sl.gradients(sl.constant(1.0), x) == [None]
        zero = sl.UnconnectedGradients.ZERO
        (grad,) = sl.gradients(
            sl.constant(1.0), x, unconnected_gradients=zero,
            aggregation_method=sl.AggregationMethod.ADD_N,
        )  # fmt: skip
        assert grad.shape == [3]
        x = sl.placeholder(sl.float32, [3, 3])
        y = raw_ops.Lu(input=x)[0]
        harness.raises(sl.errors.UnimplementedError, lambda: sl.gradients(y, x), "Lu")


def test_custom_gradients_in_the_function_of_a_conditional():
    """Inside they flow; from outside they are refused, for the runtime does not know them."""
    double = sl.custom_gradient(lambda x: (sl.identity(x), lambda dy: 2.0 * dy))
    with sl.Graph().as_default(), sl.Session() as session:
        x = sl.constant(3.0)
        inside = sl.cond(x > 0, lambda: sl.gradients(double(x * 1.0), x)[0], lambda: x)
        assert session.run(inside) == 2.0
        y = sl.cond(x > 0, lambda: double(x), lambda: x)
        assert session.run(y) == 3.0
        harness.raises(LookupError, lambda: sl.gradients(y, x), "custom_gradient")
        with sl.get_default_graph().gradient_override_map({"Relu": "Identity"}):
            made = lambda: sl.cond(x > 0, lambda: sl.nn.relu(x), lambda: x)  # noqa: E731
            harness.raises(sl.errors.UnimplementedError, made, "gradient_override_map")
