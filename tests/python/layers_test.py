# SPDX-License-Identifier: Apache-2.0
"""Layers: what TensorFlow does not show, or cannot run on a CPU."""

import harness
import numpy as np
import sluice as sl


def data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def test_weights_are_read_and_set():
    with sl.Graph().as_default(), sl.Session() as session:
        layer = sl.layers.Dense(2)
        y = layer(sl.constant([[1.0, 2.0]]))
        session.run(sl.global_variables_initializer())
        layer.set_weights([np.float32([[1, 2], [3, 4]]), np.float32([10, 20])])
        assert session.run(y).tolist() == [[17, 30]]
        assert [w.tolist() for w in layer.get_weights()] == [[[1, 2], [3, 4]], [10, 20]]
        harness.raises(ValueError, lambda: layer.set_weights([np.zeros(3)]), "shapes")


def both_formats(make, *shape):
    """The outputs of a layer with channels last and with channels first, which must be equal."""
    x = data(*shape)
    last = list(range(len(shape)))
    first = [0, last[-1], *last[1:-1]]
    with sl.Graph().as_default(), sl.Session() as session:
        sl.set_random_seed(1)
        with sl.variable_scope("layer"):
            y = make(sl.constant(x), "channels_last")
        with sl.variable_scope("layer", reuse=True):
            z = make(sl.constant(x.transpose(first)), "channels_first")
        assert z.shape.as_list() == [y.shape.as_list()[i] for i in first]
        session.run(sl.global_variables_initializer())
        y, z = session.run([y, z])
        np.testing.assert_allclose(y.transpose(first), z, rtol=1e-4, atol=1e-5)


def test_channels_may_come_first():
    layers = sl.layers
    both_formats(lambda x, f: layers.conv1d(x, 4, 3, data_format=f, name="a"), 2, 6, 3)
    both_formats(lambda x, f: layers.conv2d(x, 4, 3, data_format=f, name="a"), 2, 6, 5, 3)
    both_formats(lambda x, f: layers.max_pooling1d(x, 2, 2, data_format=f), 2, 6, 3)
    both_formats(lambda x, f: layers.max_pooling3d(x, 2, 2, data_format=f), 1, 4, 4, 4, 2)


def test_a_layer_in_a_loop_has_its_variables_outside():
    with sl.Graph().as_default(), sl.Session() as session:
        layer = sl.layers.Dense(2, kernel_initializer=sl.ones_initializer(), name="dense")
        _, y = sl.while_loop(
            lambda i, _: i < 3, lambda i, y: (i + 1, layer(y)), [0, sl.constant([[1.0, 2.0]])]
        )
        assert [v.name for v in sl.global_variables()] == ["dense/kernel:0", "dense/bias:0"]
        session.run(sl.global_variables_initializer())
        assert session.run(y).tolist() == [[12, 12]]


def test_messages_name_the_layer():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [None, 3])
        harness.raises(ValueError, lambda: sl.layers.conv2d(x, 2, 3, name="c"), "layer c", "ndim=4")
        harness.raises(TypeError, lambda: sl.layers.Dense(2, none=1), "none")
        assert "dense_1" in repr(sl.layers.Dense(2))
