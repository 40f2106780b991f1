# SPDX-License-Identifier: Apache-2.0
"""Functions of Keras' backend with arguments of other shapes and dtypes than layers give them."""

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def masks_of_numbers(tf):
    """The mask of rnn() need not be bool."""
    backend = tf.keras.backend
    weights, x = backend.variable(_data(5, 3)), backend.variable(_data(4, 6, 5))
    mask = backend.variable((np.arange(24).reshape(4, 6) % 3 > 0).astype(np.float32))

    def step(inputs, states):
        output = backend.dot(inputs, weights) + states[0] * 0.1
        return output, [output]

    found = []
    for options in ({}, {"unroll": True}, {"go_backwards": True}, {"zero_output_for_mask": True}):
        last, outputs, states = backend.rnn(
            step, x, [backend.variable(_data(4, 3))], mask=mask, **options
        )
        found += [backend.eval(t) for t in (last, outputs, states[0])]
    return found


def biases(tf):
    """A bias has a value for each channel or for each place."""
    backend = tf.keras.backend
    found = []
    for shape in ((4, 3), (2, 4, 3), (2, 2, 4, 3), (2, 2, 2, 4, 3)):
        for sizes in ((3,), shape[1:]):
            x, bias = backend.variable(_data(*shape)), backend.variable(_data(*sizes))
            found.append(backend.eval(backend.bias_add(x, bias, data_format="channels_last")))
    for shape, sizes in (((2, 3, 4), (4, 3)), ((2, 3, 4, 2), (4, 2, 3)), ((2, 3, 4), (3,))):
        x, bias = backend.variable(_data(*shape)), backend.variable(_data(*sizes))
        found.append(backend.eval(backend.bias_add(x, bias, data_format="channels_first")))
    x, wrong = backend.variable(_data(2, 3, 4, 2)), backend.variable(_data(3, 4))
    found.append(says("Unexpected bias dimensions 2, expect", backend.bias_add, x, wrong))
    found.append(says("Unknown data_format: other", backend.bias_add, x, wrong, "other"))
    return found


def repeated_elements(tf):
    """The size of the dimension may be unknown."""
    backend = tf.keras.backend
    found = []
    for axis, shape in ((1, (2, None, 3)), (0, (None, 3)), (1, (None, 3))):
        x = backend.placeholder(shape)
        repeated = backend.repeat_elements(x, 2, axis)
        value = _data(*[2 if n is None else n for n in shape])
        found += [repeated.shape.as_list(), backend.function([x], [repeated])([value])[0]]
    return found


def wrong_arguments(tf):
    backend = tf.keras.backend
    x, kernel = backend.variable(_data(2, 6, 6, 3)), backend.variable(_data(2, 2, 3, 3))
    pool, resize, volumes = backend.pool2d, backend.resize_images, backend.resize_volumes
    return [
        says("Unknown data_format: other", pool, x, (2, 2), data_format="other"),
        says("`pool_size` must be a tuple of 2 integers", pool, x, (2, 2, 2)),
        says("`strides` must be a tuple of 2 integers", pool, x, (2, 2), strides=(2, 2, 2)),
        says("Invalid pooling mode: other", pool, x, (2, 2), pool_mode="other"),
        says("Unknown data_format: other", backend.conv2d, x, kernel, data_format="other"),
        says("Unknown data_format", backend.spatial_2d_padding, x, data_format="other"),
        says("Invalid `data_format` argument", resize, x, 2, 2, data_format="other"),
        says("Invalid data_format: other", volumes, x, 2, 2, 2, data_format="other"),
        says("interpolation should be one", resize, x, 2, 2, "channels_last", "other"),
    ]


def collections(tf):
    return [tf.GraphKeys.TRAINABLE_RESOURCE_VARIABLES]


def printed(tf):
    (op,) = tf.keras.backend.print_tensor(tf.constant(1.0), "x").op.control_inputs
    return [op.type, "stdout" in str(op.get_attr("output_stream"))]
