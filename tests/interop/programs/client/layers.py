# SPDX-License-Identifier: Apache-2.0
"""Layers: names of variables and operations, values, training, collections, mistakes."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have the layers in Keras only


def _waves(shape, dtype=None, partition_info=None):
    """An initializer without chance."""
    del partition_info
    values = np.sin(np.arange(np.prod(shape, dtype=int))).reshape(shape) * 0.5
    return values.astype(np.float32 if dtype is None else dtype.as_numpy_dtype)


def _initializer(tf):
    def initial(shape, dtype=None, partition_info=None):
        return tf.constant(_waves([int(d) for d in shape], dtype))

    return initial


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _names(tf):
    """(name, op) of the nodes without those that initialise."""
    nodes = tf.get_default_graph().as_graph_def().node
    return [[n.name, n.op] for n in nodes if "/Initializer/" not in n.name]


def _collected(tf):
    keys = ["GLOBAL_VARIABLES", "TRAINABLE_VARIABLES", "REGULARIZATION_LOSSES", "UPDATE_OPS"]
    keys = [getattr(tf.GraphKeys, key) for key in keys]
    return {key: [item.name for item in tf.get_collection(key)] for key in keys}


def _trained(tf, y, inputs=(), steps=3):
    """The output, the loss and the variables as steps of gradient descent go on."""
    loss = tf.reduce_mean(tf.square(y - 0.5))
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    loss = tf.add_n([loss, *losses])
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = optimizer.minimize(loss)
    variables = tf.global_variables()[: len(tf.model_variables()) or None]
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            found.append(sess.run([y, loss], dict(inputs)))
            sess.run(train, dict(inputs))
        return [found, {v.name: sess.run(v) for v in variables}]


def dense_layers(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    init = _initializer(tf)
    y = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=init)
    y = tf.layers.dense(
        y, 5, kernel_initializer=init, bias_initializer=tf.ones_initializer(), name="second",
        kernel_regularizer=lambda v: 0.1 * tf.reduce_sum(v * v),
        activity_regularizer=lambda v: 0.01 * tf.reduce_sum(tf.abs(v)),
    )  # fmt: skip
    y = tf.layers.dense(y, 2, use_bias=False, kernel_initializer=init)
    names, collected = _names(tf), _collected(tf)
    return [str(y.shape), names, collected, _trained(tf, y, {x: _data(4, 3)}.items())]


def dense_layers_of_higher_rank(tf):
    x = tf.placeholder(tf.float32, [None, 2, 3], name="x")
    init = _initializer(tf)
    y = tf.layers.dense(x, 4, kernel_initializer=init)
    z = tf.layers.dense(tf.constant(_data(2, 2, 2, 4)), 3, tf.tanh, kernel_initializer=init)
    loss = tf.reduce_sum(y[:, :, :3] * z[0])
    found = [y, z, *tf.gradients(loss, [x, *tf.trainable_variables()])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        shapes = [y.shape.as_list(), z.shape.as_list()]
        return [sess.run(found, {x: _data(2, 2, 3)}), shapes, _collected(tf), z.op.name]


def _convolutions(tf):
    init = _initializer(tf)
    layers, same = tf.layers, {"padding": "same"}
    x1, x2 = _data(2, 8, 3), _data(2, 8, 7, 3)
    x3 = _data(2, 5, 4, 5, 2)
    more = {"kernel_initializer": init}
    deep = {"depthwise_initializer": init, "pointwise_initializer": init}
    return [
        (x1, lambda x: layers.conv1d(x, 4, 3, activation=tf.nn.relu, **more)),
        (x1, lambda x: layers.conv1d(x, 4, 3, strides=2, padding="SAME", **more)),
        (x1, lambda x: layers.conv1d(x, 4, [3], dilation_rate=2, **more)),
        (x2, lambda x: layers.conv2d(x, 4, 3, activation=tf.nn.relu, **more)),
        (x2, lambda x: layers.conv2d(x, 4, (3, 2), strides=(2, 1), use_bias=False, **more)),
        (x2, lambda x: layers.conv2d(x, 4, 3, strides=2, **same, **more)),
        (x2, lambda x: layers.conv2d(x, 4, 3, dilation_rate=2, **same, **more)),
        (x3, lambda x: layers.conv3d(x, 3, 2, **more)),
        (x3, lambda x: layers.conv3d(x, 3, 3, strides=2, **same, **more)),
        (x2, lambda x: layers.conv2d_transpose(x, 4, 3, **more)),
        (x2, lambda x: layers.conv2d_transpose(x, 4, 3, strides=2, **same, **more)),
        (x2, lambda x: layers.conv2d_transpose(x, 4, 2, strides=3, use_bias=False, **more)),
        (x3, lambda x: layers.conv3d_transpose(x, 3, 3, strides=2, **more)),
        (x3, lambda x: layers.conv3d_transpose(x, 3, 2, **same, **more)),
        (x1, lambda x: layers.separable_conv1d(x, 4, 3, activation=tf.nn.relu, **deep)),
        (x1, lambda x: layers.separable_conv1d(x, 4, 3, strides=2, **same, **deep)),
        (x2, lambda x: layers.separable_conv2d(x, 4, 3, depth_multiplier=2, **deep)),
        (x2, lambda x: layers.separable_conv2d(x, 4, 3, dilation_rate=2, **same, **deep)),
    ]


def convolution_layers(tf):
    found = []
    for i, (data, make) in enumerate(_convolutions(tf)):
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, *data.shape[1:]], name="x")
            y = make(x)
            shapes = [y.shape.as_list(), y.op.name, _collected(tf)]
            found.append([i, shapes, _trained(tf, y, {x: data}.items(), 2)])
    return found


def operations_of_layers(tf):
    """The nodes that layers make, in the order of their names."""
    found = []
    makers = [m for i, m in enumerate(_convolutions(tf)) if i in (0, 1, 3, 4, 5, 7, 8, 12)]
    for data, make in makers + _poolings(tf):
        with tf.Graph().as_default():
            make(tf.constant(data, name="x"))
            found.append(sorted(_names(tf)))
    return found


def _poolings(tf):
    layers = tf.layers
    x1, x2 = _data(2, 8, 3), _data(2, 8, 7, 3)
    x3 = _data(2, 5, 4, 5, 2)
    return [
        (x1, lambda x: layers.max_pooling1d(x, 2, 2)),
        (x1, lambda x: layers.average_pooling1d(x, 3, 2, padding="same")),
        (x1, lambda x: layers.max_pooling1d(x, 2, 2, data_format="channels_first")),
        (x1, lambda x: layers.average_pooling1d(x, 2, 1, data_format="channels_first")),
        (x2, lambda x: layers.max_pooling2d(x, 2, 2)),
        (x2, lambda x: layers.max_pooling2d(x, (3, 2), (1, 2), "SAME", name="mine")),
        (x2, lambda x: layers.average_pooling2d(x, [2, 3], 2)),
        (x3, lambda x: layers.max_pooling3d(x, 2, 2)),
        (x3, lambda x: layers.average_pooling3d(x, 2, 1, padding="same")),
        (x3, lambda x: layers.average_pooling3d(x, 2, 1, data_format="channels_first")),
        (x2, lambda x: layers.flatten(x)),
        (x2, lambda x: layers.flatten(x, data_format="channels_first")),
        (x2, lambda x: layers.dropout(x, 0.4)),
    ]


def pooling_layers(tf):
    found = []
    for data, make in _poolings(tf):
        x = tf.placeholder(tf.float32, [None, *data.shape[1:]])
        y = make(x)
        with tf.Session() as sess:
            gradient = tf.gradients(tf.reduce_sum(y * y), x)
            found.append([y.op.name, y.shape.as_list(), sess.run([y, gradient], {x: data})])
    return found


def batch_normalization_that_trains(tf):
    found = []
    settings = [
        {},
        {"axis": 1},
        {"fused": False},
        {"fused": False, "axis": 2},
        {"axis": [1, 3]},
        {"center": False},
        {"scale": False},
        {"momentum": 0.5, "epsilon": 0.1},
        {"virtual_batch_size": 2},
        {"renorm": True, "renorm_clipping": {"rmax": 1.5, "rmin": 0.7, "dmax": 0.2}},
        {"adjustment": lambda shape: (tf.fill(shape[-1:], 1.5), tf.fill(shape[-1:], 0.25))},
        {"beta_initializer": _initializer(tf), "gamma_regularizer": lambda v: tf.reduce_sum(v)},
    ]
    for i, more in enumerate(settings):
        for rank in (2, 4):
            if rank == 2 and "axis" in more or i == 1:
                continue
            with tf.Graph().as_default():
                shape = [4, 3] if rank == 2 else [4, 3, 2, 3]
                x = tf.placeholder(tf.float32, [None, *shape[1:]], name="x")
                y = tf.layers.batch_normalization(x, training=True, **more)
                names, collected = _names(tf), _collected(tf)
                if i < 8:
                    found.append(names)
                found.append([i, collected, _trained(tf, y, {x: _data(*shape)}.items())])
    return found


def batch_normalization_by_a_flag(tf):
    found = []
    for fused, resource in ((True, False), (False, False), (True, True), (False, True)):
        with tf.Graph().as_default(), tf.variable_scope("s", use_resource=resource):
            x = tf.placeholder(tf.float32, [None, 2, 2, 3], name="x")
            training = tf.placeholder(tf.bool, [])
            y = tf.layers.batch_normalization(x, training=training, momentum=0.5, fused=fused)
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            found.append([len(updates), _collected(tf)["variables"]])
            gradient = tf.gradients(tf.reduce_sum(y * y * y), [x, *tf.trainable_variables()])
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for flag in (True, False, True, False):
                    feed = {x: _data(3, 2, 2, 3) * 3, training: flag}
                    values = sess.run([y, gradient], feed)
                    # 1.15's fused kernel leaves its batch's moments unwritten at inference, and
                    # a moving average that adds 0 times them may become NaN.
                    if flag or not fused:
                        sess.run(updates, feed)
                    found.append([values, sess.run(tf.global_variables())])
    return found


def batch_normalization_in_use(tf):
    x = tf.constant(_data(4, 3))
    y = tf.layers.batch_normalization(x, moving_mean_initializer=_initializer(tf))
    z = tf.layers.batch_normalization(tf.constant(_data(4, 2, 2, 3)), training=tf.constant(False))
    frozen = tf.layers.BatchNormalization(trainable=False)
    w = frozen(x, training=True)
    kinds = [len(frozen.trainable_variables), len(frozen.non_trainable_variables)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([y, z, w]), kinds, _collected(tf)]


def dropout_layers(tf):
    x = tf.ones([200, 30])  # so that some rows are dropped and some are kept
    training = tf.placeholder(tf.bool, [])
    found = [
        tf.layers.dropout(x, 0.3, training=True),
        tf.layers.dropout(x, 0.3, noise_shape=[None, 1], training=True),
        tf.layers.dropout(x, 0.3, training=training),
        tf.layers.Dropout(0.5)(x, training=training),
    ]
    with tf.Session() as sess:
        values = [sess.run(found, {training: flag}) for flag in (True, False)]
    kinds = [[sorted(set(v.ravel().round(4).tolist())) for v in part] for part in values]
    rows = bool(np.all(values[0][1] == values[0][1][:, :1]))
    return [kinds, rows, [f.op.name.split("/")[0] for f in found]]


def names_and_reuse(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    found = []
    with tf.variable_scope("outer"):
        for _ in range(2):
            found.append(tf.layers.dense(x, 3).name)
        with tf.variable_scope("inner", regularizer=lambda v: tf.reduce_sum(v)):
            found.append(tf.layers.dense(x, 3, name="given").name)
            found.append(tf.layers.dense(x, 3, name="given", reuse=True).name)
    with tf.variable_scope("outer", reuse=tf.AUTO_REUSE):
        found.append(tf.layers.dense(x, 3).name)
        found.append(tf.layers.dense(x, 3, name="new").name)
    with tf.variable_scope("outer", reuse=True):
        found.append(outcome(tf.layers.dense, x, 4, name="new"))
        found.append(outcome(tf.layers.dense, x, 4, name="other"))
    with tf.name_scope("names"):
        found.append(tf.layers.dense(x, 3).name)
    found.append(outcome(tf.layers.dense, x, 3, name="twice"))
    found.append(outcome(tf.layers.dense, x, 3, name="twice"))
    layer = tf.layers.Dense(3, name="layer")
    for scope in ("a", "b"):
        with tf.variable_scope(scope):
            found.append(layer(x).name)
            found.append(layer.apply(x).name)
    found += [layer.scope_name, [v.name for v in layer.variables], layer.count_params()]
    one, two = tf.layers.Dense(2), tf.layers.Dense(2)
    found += [one.name, two.name, two(x).name, one(x).name, tf.layers.MaxPooling2D(2, 2).name]
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(3)):
        found.append(tf.layers.dense(x, 2).name)
    return [found, _collected(tf)]


def properties_of_layers(tf):
    x = tf.placeholder(tf.float32, [None, 6, 6, 3])
    layer = tf.layers.Conv2D(4, 3, strides=2, kernel_regularizer=lambda v: tf.reduce_sum(v))
    found = [layer.built, len(layer.variables), outcome(lambda: layer.scope_name)]
    y = layer(x)
    found += [layer.built, y.shape.as_list(), len(layer.losses), len(layer.updates)]
    found += [[v.name for v in layer.trainable_weights], [v.name for v in layer.weights]]
    found += [layer.kernel.shape.as_list(), layer.bias.shape.as_list(), layer.use_bias]
    found += [layer.filters, layer.kernel_size, layer.strides, layer.padding, layer.dilation_rate]
    found += [layer.count_params(), layer.trainable, len(layer.get_losses_for(None))]
    found += [layer.compute_output_shape([2, 9, 8, 3]).as_list()]
    found += [tf.as_dtype(layer.dtype).name, layer.input_spec.ndim, dict(layer.input_spec.axes)]
    others = [
        (tf.layers.Dense(4), [2, 7, 3]),
        (tf.layers.MaxPooling1D(3, 2, padding="same"), [2, 8, 3]),
        (tf.layers.AveragePooling3D(2, 1), [2, 8, 7, 6, 3]),
        (tf.layers.Flatten(), [2, 8, 3]),
        (tf.layers.Conv3DTranspose(2, 3, strides=2), [2, 3, 4, 5, 6]),
        (tf.layers.SeparableConv2D(5, 3), [1, 7, 8, 2]),
        (tf.layers.BatchNormalization(), [1, 7, 8, 2]),
    ]
    found += [tf.TensorShape(o.compute_output_shape(tf.TensorShape(s))).as_list()
              for o, s in others]  # fmt: skip
    layer.trainable = False
    return found + [len(layer.trainable_variables), len(layer.non_trainable_variables)]


def own_layers(tf):
    class Scaled(tf.layers.Layer):
        def __init__(self, factor, **kwargs):
            super().__init__(**kwargs)
            self.factor = factor

        def build(self, input_shape):
            self.w = self.add_weight(
                "w", [int(input_shape[-1])], initializer=tf.ones_initializer(),
                regularizer=lambda v: 0.5 * tf.reduce_sum(v),
            )  # fmt: skip
            self.seen = self.add_variable(
                "seen", [], initializer=tf.zeros_initializer(), trainable=False
            )
            super().build(input_shape)

        def call(self, inputs, twice=False):
            self.add_update(tf.assign_add(self.seen, 1.0))
            self.add_loss(tf.reduce_mean(inputs))
            return inputs * self.w * self.factor * (2.0 if twice else 1.0)

    x = tf.constant([[1.0, 2.0]])
    layer = Scaled(3.0, name="scaled")
    y, z = layer(x), layer(x, twice=True)
    unnamed = Scaled(1.0)
    unnamed(x)
    same = tf.layers.Layer()(x)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        found = sess.run([y, z, layer.seen, same])
    return [found, _collected(tf), [v.name for v in layer.variables], unnamed.name, y.name, z.name]


def layers_with_resource_variables(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3], name="x")
    with tf.variable_scope("r", use_resource=True):
        y = tf.layers.conv2d(x, 2, 3, kernel_initializer=_initializer(tf), name="c")
        y = tf.layers.batch_normalization(y, training=True)
        y = tf.layers.dense(tf.layers.flatten(y), 2, kernel_initializer=_initializer(tf))
    return [_collected(tf), _trained(tf, y, {x: _data(3, 4, 4, 3)}.items())]


def layers_of_half_and_double(tf):
    found = []
    for kind in (tf.float64, tf.float16):
        x = tf.constant(_data(4, 3), dtype=kind)
        y = tf.layers.dense(x, 2, kernel_initializer=_initializer(tf))
        z = tf.layers.batch_normalization(y, training=True)
        found += [y, z]
    kinds = [[v.name, v.dtype.base_dtype.name] for v in tf.global_variables()]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[v.round(2) for v in sess.run(found)], kinds]


def layers_in_checkpoints(tf):
    """A second graph of the same layers finds the values of the first."""

    def model():
        x = tf.constant(_data(3, 6, 6, 2))
        y = tf.layers.conv2d(x, 3, 3, activation=tf.nn.relu, kernel_initializer=_initializer(tf))
        y = tf.layers.batch_normalization(y, training=False)
        return tf.layers.dense(tf.layers.flatten(y), 2, kernel_initializer=_initializer(tf))

    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default(), tf.Session() as sess:
            y = model()
            sess.run(tf.global_variables_initializer())
            change = [v.assign(v * 0.5 + 0.25) for v in tf.global_variables()]
            sess.run(change)
            first = sess.run(y)
            path = tf.train.Saver().save(sess, folder + "/m", write_meta_graph=False)
        with tf.Graph().as_default(), tf.Session() as sess:
            y = model()
            tf.train.Saver().restore(sess, path)
            again = sess.run(y)
        return [first, bool(np.all(first == again)), len(os.listdir(folder))]


def weights_of_layers(tf):
    layer = tf.layers.Dense(2)
    y = layer(tf.constant([[1.0, 2.0]]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        layer.kernel.load([[1.0, 2.0], [3.0, 4.0]], sess)
        return sess.run(y)


def wrong_layers(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    flat = tf.placeholder(tf.float32, [None, 3])
    unknown = tf.placeholder(tf.float32)
    layers = tf.layers
    dense = layers.Dense(2)
    dense(flat)
    calls = [
        lambda: layers.dense(tf.placeholder(tf.float32, [3]), 2),
        lambda: layers.dense(tf.placeholder(tf.float32, [None, None]), 2),
        lambda: layers.dense(tf.placeholder(tf.int32, [None, 3]), 2),
        lambda: layers.dense(unknown, 2),
        lambda: dense(tf.placeholder(tf.float32, [None, 4])),
        lambda: layers.conv2d(flat, 2, 3),
        lambda: layers.conv2d(x, 2, 3, padding="both"),
        lambda: layers.conv2d(x, 2, 3, padding="causal"),
        lambda: layers.conv2d(x, 2, 3, data_format="NHWC"),
        lambda: layers.conv2d(x, 2, (3, 3, 3)),
        lambda: layers.conv2d(x, 2, "many"),
        lambda: layers.conv2d(x, 2, 9),
        lambda: layers.conv2d(tf.placeholder(tf.float32, [None, 4, 4, None]), 2, 3),
        lambda: layers.max_pooling2d(flat, 2, 2),
        lambda: layers.max_pooling2d(x, 2, 2, padding="x"),
        lambda: layers.max_pooling1d(x, 2, 2),
        lambda: layers.batch_normalization(unknown),
        lambda: layers.batch_normalization(x, axis=5),
        lambda: layers.batch_normalization(x, axis=[1, 1]),
        lambda: layers.batch_normalization(x, axis="x"),
        lambda: layers.batch_normalization(tf.placeholder(tf.float32, [2, None])),
        lambda: layers.batch_normalization(flat, virtual_batch_size=0),
        lambda: layers.batch_normalization(flat, renorm=True, renorm_clipping={"r": 1}),
        lambda: layers.dropout(flat, 1.5, training=True),
        lambda: layers.flatten(tf.constant(1.0)),
        lambda: layers.Dense(2).count_params(),
        lambda: layers.Layer(none=1),
        lambda: layers.Layer().compute_output_shape([1]),
    ]
    return [outcome(call) for call in calls]


def input_specs(tf):
    spec = tf.layers.InputSpec(shape=(None, 3), axes={-1: 3})
    other = tf.layers.InputSpec(dtype=tf.float32, min_ndim=2, max_ndim=4)
    return [spec.ndim, spec.shape, dict(spec.axes), other.min_ndim, other.max_ndim, other.ndim]
