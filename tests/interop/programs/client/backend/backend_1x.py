# SPDX-License-Identifier: Apache-2.0
"""The functions of the backend."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

ROWS = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7 - 1
TABLE = np.arange(6, dtype=np.float32).reshape(2, 3)
IMAGES = np.random.RandomState(0).rand(2, 6, 6, 3).astype(np.float32)
VOLUMES = np.random.RandomState(1).rand(1, 4, 4, 4, 2).astype(np.float32)
LABELS = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
SHARES = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])


def _run(tf, *tensors):
    """The static shapes and the values."""
    session = tf.keras.backend.get_session()
    session.run(tf.global_variables_initializer())
    return [(t.shape.as_list() if t.shape.ndims else [], session.run(t)) for t in tensors]


def _constants(tf):
    k = tf.keras.backend
    return k, k.constant(ROWS), k.constant(TABLE)


def ranges_and_pieces(tf):
    k, x, m = _constants(tf)
    one, zero = k.constant([1, 0], dtype="int32"), k.constant([True, False], dtype="bool")
    return _run(
        tf, k.arange(5), k.arange(1, 7, 2), k.arange(1, 4, dtype="float32"), k.arange(-2),
        k.gather(x, one), k.concatenate([m, m]), k.concatenate([m, m], axis=0), k.tile(m, [2, 1]),
        k.reshape(x, (-1, 4)), k.permute_dimensions(x, (2, 0, 1)), k.repeat_elements(x, 2, 1),
        k.repeat(m, 3), k.flatten(x), k.batch_flatten(x), k.expand_dims(m, 0), k.stack([m, m], 1),
        k.squeeze(k.expand_dims(m, 0), 0), k.one_hot(one, 4), k.reverse(x, 1), k.reverse(x, [0, 2]),
        k.temporal_padding(x, (1, 2)), k.switch(zero, m, m * 2), k.tile(k.flatten(x), 2),
        k.switch(k.constant(1.0), lambda: m, lambda: m * 2), k.cast(m, "int32"), k.eye(3),
        k.zeros((2, 2)), k.ones((2,)), k.zeros_like(m), k.ones_like(m), k.shape(x),
    )  # fmt: skip


def reductions_and_products(tf):
    k, x, m = _constants(tf)
    return _run(
        tf, k.dot(m, k.transpose(m)), k.dot(x, k.constant(ROWS[0].T)), k.batch_dot(m, m, axes=1),
        k.batch_dot(x, x, axes=[2, 2]), k.batch_dot(x, k.constant(np.ones((2, 4))), axes=(2, 1)),
        k.max(x, axis=1), k.max(x, axis=[0, 2], keepdims=True), k.min(x), k.sum(x, -1),
        k.prod(m, 0), k.mean(k.constant([True, False])), k.std(x, 1), k.argmax(x),
        k.var(x, [1, 2], keepdims=True), k.any(k.constant([0, 1.0])), k.argmin(x, axis=0),
        k.all(k.constant([0, 1.0]), axis=0), k.cumsum(m, 1), k.cumprod(m, 0),
        k.map_fn(lambda v: v * 2, m), k.foldl(lambda a, b: a + b, m),
        k.foldr(lambda a, b: a - b, m),
    )  # fmt: skip


def element_by_element(tf):
    k, x, m = _constants(tf)
    comparisons = [k.equal, k.not_equal, k.greater, k.greater_equal, k.less, k.less_equal]
    return _run(
        tf, k.square(m), k.abs(x), k.sqrt(x), k.log(m + 1), k.sign(x), k.pow(m, 3), k.sin(m),
        k.cos(m), k.clip(x, -0.5, 0.5), k.clip(x, 1.0, None), k.clip(x, 2, 1), k.maximum(m, 2.0),
        k.minimum(m, 2.0), *[compare(m, 1.0) for compare in comparisons], k.elu(x, 0.5),
        k.relu(x, 0.1, 1.0, 0.2), k.relu(x, max_value=0.5), k.softmax(x), k.softmax(x, axis=1),
        k.softplus(x), k.softsign(x), k.sigmoid(x), k.hard_sigmoid(x * 3), k.tanh(x),
        k.dropout(m, 0.0), k.l2_normalize(x, axis=-1), k.in_train_phase(m, m * 2, training=0),
        k.in_test_phase(m, m * 2, training=1),
    )  # fmt: skip


def losses(tf):
    k = tf.keras.backend
    labels, shares = k.constant(LABELS), k.constant(SHARES)
    steps = k.constant([[[0.1, 0.6, 0.2, 0.1], [0.1, 0.2, 0.6, 0.1], [0.3, 0.3, 0.2, 0.2]]])
    ctc = k.ctc_batch_cost(k.constant([[1, 2.0]]), steps, k.constant([[3.0]]), k.constant([[2.0]]))
    return _run(
        tf, k.categorical_crossentropy(labels, shares), k.binary_crossentropy(labels, shares), ctc,
        k.categorical_crossentropy(labels, shares, from_logits=True),
        k.sparse_categorical_crossentropy(k.constant([1, 0]), shares),
        k.in_top_k(shares, k.constant([1, 0], dtype="int32"), 1),
    )  # fmt: skip


def windows(tf):
    k, x, _ = _constants(tf)
    images, volumes = k.constant(IMAGES), k.constant(VOLUMES)
    channels_first = k.constant(IMAGES.transpose(0, 3, 1, 2))

    def ones(*shape):
        return k.constant(np.ones(shape))

    return _run(
        tf, k.conv1d(x, ones(2, 4, 3), padding="causal"), k.conv3d(volumes, ones(2, 2, 2, 2, 1)),
        k.conv2d(images, ones(2, 2, 3, 2), strides=(2, 2), padding="same"),
        k.conv2d_transpose(images, ones(2, 2, 2, 3), (2, 12, 12, 2), (2, 2), padding="same"),
        k.separable_conv2d(images, ones(2, 2, 3, 1), ones(1, 1, 3, 2)),
        k.pool2d(images, (2, 2), pool_mode="avg"), k.pool3d(volumes, (2, 2, 2)),
        k.pool2d(channels_first, (2, 2), (2, 2), "same", "channels_first"),
        k.local_conv1d(x, ones(2, 8, 3), (2,), (1,)), k.bias_add(x, k.constant([1.0, 2, 3, 4])),
        k.bias_add(channels_first, k.constant([1.0, 2, 3]), data_format="channels_first"),
        k.resize_images(images, 2, 3, "channels_last"),
        k.resize_images(images, 2, 2, "channels_last", interpolation="bilinear"),
        k.resize_images(channels_first, 2, 2, "channels_first"),
        k.resize_volumes(volumes, 2, 1, 2, "channels_last"),
        k.spatial_2d_padding(images, ((1, 0), (0, 2))),
        k.spatial_3d_padding(volumes, ((1, 0), (0, 2), (1, 1))),
    )  # fmt: skip


def updates(tf):
    k = tf.keras.backend
    average = k.variable(np.full(2, 3.0))
    moved = k.moving_average_update(average, k.constant([1.0, 2.0]), 0.9)
    other = [k.update(k.variable(TABLE), TABLE * 2), k.update_add(k.variable(TABLE), TABLE),
             k.update_sub(k.variable(TABLE), TABLE)]  # fmt: skip
    session = k.get_session()
    session.run(tf.global_variables_initializer())
    found = [session.run(each) for each in (moved, moved, average, *other)]
    return found, [variable.name for variable in tf.global_variables()]


def of_python(tf):
    k, x, m = _constants(tf)
    table = k.variable(TABLE)
    twice = k.function([k.placeholder((2, 3))], [m * 2])
    return [
        k.int_shape(x), k.ndim(x), k.dtype(x), k.is_sparse(x), int(k.count_params(table)),
        k.epsilon(), k.floatx(), k.image_data_format(), k.eval(m), k.get_value(table),
        twice([TABLE]), k.get_uid("of_python"), k.get_uid("of_python"),
        outcome(lambda: k.int_shape(3)),
    ]  # fmt: skip
