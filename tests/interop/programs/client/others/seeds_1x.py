# SPDX-License-Identifier: Apache-2.0
"""Seeds of operations that have none of their own: they follow from how many nodes are before them.

So programs draw the same numbers only if functions count the nodes that 1.15 makes.
"""

import numpy as np

ONLY_1X = True  # later TensorFlows make other nodes


def _drawn(tf, functions):
    """name -> the first numbers that random operations behind a function draw."""
    found = {}
    for name, function in functions.items():
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            function()
            after = tf.random_uniform([])
            with tf.Session() as session:
                found[name] = session.run(after)
    return found


def _weights(tf, functions):
    """name -> the sums of the variables that a function makes, and of one that is made after."""
    found = {}
    for name, function in functions.items():
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            function()
            tf.get_variable("after", [2, 3])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                found[name] = [float(np.sum(v)) for v in session.run(tf.global_variables())]
    return found


def _sequences(tf, steps=5):
    return tf.placeholder(tf.float32, [None, steps, 4])


def weights_of_recurrent_layers(tf):
    """A cell makes its variables when the loop first calls it."""
    c, lengths = tf.nn.rnn_cell, tf.placeholder

    def dynamic(cell, inputs=None, lengths=None, **more):
        inputs = _sequences(tf) if inputs is None else inputs
        return tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32, **more)

    def both(cell, *lengths):
        return tf.nn.bidirectional_dynamic_rnn(
            cell(3), cell(3), _sequences(tf), *lengths, dtype=tf.float32
        )

    def from_zeros():
        cell = c.BasicLSTMCell(3)
        return tf.nn.dynamic_rnn(cell, _sequences(tf), initial_state=cell.zero_state(2, tf.float32))

    def stacked():
        cells = [c.DropoutWrapper(c.BasicLSTMCell(n), output_keep_prob=0.5) for n in (3, 2)]
        return dynamic(c.MultiRNNCell(cells))

    return _weights(tf, {
        "simple": lambda: dynamic(c.BasicRNNCell(3)), "lstm": lambda: dynamic(c.LSTMCell(3)),
        "gru": lambda: dynamic(c.GRUCell(3)), "stacked": stacked, "from zeros": from_zeros,
        "peepholes": lambda: dynamic(c.LSTMCell(3, use_peepholes=True, num_proj=2)),
        "lengths": lambda: dynamic(c.GRUCell(3), None, lengths(tf.int32, [None])),
        "steps": lambda: dynamic(c.GRUCell(3), _sequences(tf, None)),
        "sizes": lambda: dynamic(c.GRUCell(3), tf.ones([2, 5, 4])),
        "time first": lambda: dynamic(c.GRUCell(3), tf.ones([5, 2, 4]), time_major=True),
        "both ways": lambda: both(c.LSTMCell),
        "with lengths": lambda: both(c.GRUCell, lengths(tf.int32, [None])),
        "unrolled": lambda: tf.nn.static_rnn(
            c.BasicLSTMCell(3), tf.unstack(_sequences(tf), axis=1), dtype=tf.float32
        ),
    })  # fmt: skip


def after_recurrent_layers_of_keras(tf):
    layers = tf.keras.layers

    def of(name, masked=False, **more):
        inputs = layers.Input((5, 4))
        inputs = layers.Masking()(inputs) if masked else inputs
        return getattr(layers, name)(3, **more)(inputs)

    found = {}
    for name in ("SimpleRNN", "GRU", "LSTM"):
        found.update({
            f"{name} {text}": lambda name=name, more=more: of(name, **more)
            for text, more in (
                ("", {}), ("mask", {"masked": True}), ("no bias", {"use_bias": False}),
                ("dropout", {"dropout": 0.5, "recurrent_dropout": 0.2}),
                ("unrolled", {"unroll": True}), ("unrolled mask", {"unroll": True, "masked": True}),
                ("sequences", {"return_sequences": True, "masked": True,
                               "zero_output_for_mask": True}),
            )
        })  # fmt: skip
    found["both ways"] = lambda: layers.Bidirectional(layers.LSTM(3))(layers.Input((5, 4)))
    return _drawn(tf, found)


def in_and_after_conditionals_and_loops(tf):
    def x():
        return tf.placeholder_with_default([[1.0, 2.0], [3.0, 4.0]], [None, 2])

    found, one = {}, {"parallel_iterations": 1}  # else it is chance which iteration draws first
    for name, function in {
        "cond": lambda: tf.cond(
            tf.reduce_sum(x()) > 0, lambda: tf.random_normal([]), lambda: tf.random_uniform([])
        ),
        "otherwise": lambda: tf.cond(
            tf.reduce_sum(x()) < 0, lambda: tf.random_normal([]), lambda: tf.random_uniform([])
        ),
        "while": lambda: tf.while_loop(
            lambda i, a: i < 3, lambda i, a: (i + 1, a + tf.random_normal([])), [0, 1.0], **one
        )[1],
        "both": lambda: tf.while_loop(
            lambda i, a: i < 3,
            lambda i, a: (i + 1, tf.cond(a > 1, lambda: a * 0.5, lambda: a + tf.random_normal([]))),
            [0, 1.0], **one,
        )[1],
        "map": lambda: tf.map_fn(lambda v: tf.nn.dropout(v, 0.5), x(), **one),
        "scan": lambda: tf.scan(lambda a, v: a + v + tf.random_normal([2]), x(), **one),
        "fold": lambda: tf.foldl(lambda a, v: a + v * tf.random_uniform([]), x(), **one),
        "case": lambda: tf.case(
            [(tf.reduce_sum(x()) > 0, lambda: tf.random_normal([]))],
            default=lambda: tf.random_uniform([]),
        ),
    }.items():  # fmt: skip
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            made, after = function(), tf.random_uniform([])
            with tf.Session() as session:
                found[name] = session.run([made, after])
    return found


def after_losses_and_products(tf):
    def pair(*shape):
        return tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, shape)

    def classes(*shape):
        return tf.placeholder(tf.int32, shape[:-1]), tf.placeholder(tf.float32, shape)

    def of_sizes():
        n = tf.shape(pair(None, 4)[0])[0]
        return tf.zeros([n, 3]), tf.ones([2, n, n]), tf.zeros([n])

    losses, nn = tf.losses, tf.nn
    return _drawn(tf, {
        "squares": lambda: losses.mean_squared_error(*pair(None, 4)),
        "known": lambda: losses.mean_squared_error(*pair(3, 4)),
        "weights": lambda: losses.mean_squared_error(*pair(None, 4), tf.placeholder(tf.float32)),
        "huber": lambda: losses.huber_loss(*pair(None, 4)),
        "classes": lambda: losses.sparse_softmax_cross_entropy(*classes(None, 4)),
        "one hot": lambda: losses.softmax_cross_entropy(*pair(None, 4)),
        "sequences": lambda: nn.sparse_softmax_cross_entropy_with_logits(
            **dict(zip(("labels", "logits"), classes(None, 5, 4)))
        ),
        "softmax": lambda: nn.softmax(pair(None, 5, 4)[0], axis=1),
        "cross entropy": lambda: nn.softmax_cross_entropy_with_logits_v2(
            **dict(zip(("labels", "logits"), pair(None, 5, 4))), axis=1
        ),
        "tensordot": lambda: tf.tensordot(pair(None, 5, 4)[0], tf.ones([4, 2]), 1),
        "known tensordot": lambda: tf.tensordot(tf.ones([2, 4]), tf.ones([4, 2]), 1),
        "dilated": lambda: nn.convolution(
            pair(None, 8, 8, 3)[0], tf.ones([2, 2, 3, 4]), "SAME", dilation_rate=[2, 2]
        ),
        "depthwise": lambda: nn.depthwise_conv2d(
            pair(None, 8, 8, 3)[0], tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "SAME"
        ),
        "check": lambda: tf.Assert(tf.reduce_sum(pair(2)[0]) > 0, ["text", pair(2)[1], 1]),
        "texts": lambda: tf.Assert(tf.reduce_sum(pair(2)[0]) > 0, ["text", 1]),
        "positive": lambda: tf.assert_positive(pair(None, 2)[0]),
        "average": lambda: tf.train.ExponentialMovingAverage(0.9).apply([tf.Variable([1.0])]),
        "parts": lambda: nn.embedding_lookup([tf.ones([5, 2])] * 2, classes(None, 1)[0]),
        "eye": lambda: tf.eye(2, 3, [4]), "mask": lambda: tf.sequence_mask(classes(None, 1)[0], 5),
        "sizes": of_sizes,
        "noise": lambda: nn.nce_loss(
            tf.ones([9, 4]), tf.ones([9]), tf.placeholder(tf.int64, [3, 1]), pair(3, 4)[0], 2, 9
        ),
        "sample": lambda: nn.sampled_softmax_loss(
            tf.ones([9, 4]), tf.ones([9]), tf.placeholder(tf.int64, [3, 1]), pair(3, 4)[0], 2, 9
        ),
        "normalized": lambda: tf.layers.batch_normalization(
            pair(None, 4)[0], training=tf.placeholder(tf.bool, [])
        ),
        "swish": lambda: nn.swish(pair(None, 2)[0]),
    })  # fmt: skip


def after_training_steps(tf):
    """The weights of a second network, which is made behind the training step of the first."""
    layers, train = tf.layers, tf.train

    def classes(logits):
        labels = tf.placeholder(tf.int64, [None])
        found = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return tf.reduce_mean(found)

    def numbers():
        return tf.placeholder(tf.float32, [None, 4])

    def of_matrices():
        w, b = tf.Variable(tf.random_normal([4, 1])), tf.Variable(0.0)
        return tf.reduce_mean(tf.square(tf.matmul(numbers(), w) + b - 1.0))

    def of_resources():
        with tf.variable_scope("net", use_resource=True):
            hidden = layers.dense(numbers(), 3, tf.tanh)
            joined = tf.concat([hidden, tf.nn.dropout(hidden, 0.5)], 1)
            return tf.losses.mean_squared_error(numbers()[:, :1], layers.dense(joined, 1))

    def of_images():
        x = layers.conv2d(tf.placeholder(tf.float32, [None, 8, 8, 3]), 4, 3, activation=tf.nn.relu)
        x = layers.max_pooling2d(layers.batch_normalization(x, training=True), 2, 2)
        labels = tf.one_hot(tf.placeholder(tf.int32, [None]), 2)
        return tf.losses.softmax_cross_entropy(labels, layers.dense(layers.flatten(x), 2))

    def with_known_sizes():
        w = tf.get_variable("w", [4, 2], regularizer=lambda v: tf.nn.l2_loss(v) * 0.1)
        y = tf.nn.softmax(tf.matmul(tf.ones([3, 4]), w) + tf.get_variable("b", [2]))
        entropy = tf.reduce_mean(-tf.reduce_sum(tf.log(y), 1))
        return entropy + tf.losses.get_regularization_loss()

    def clipped(loss):
        optimizer = train.AdamOptimizer()
        pairs = optimizer.compute_gradients(loss)
        return optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs])

    def minimized(optimizer, loss):
        return lambda: optimizer.minimize(loss())

    return _weights(tf, {
        "matrices": minimized(train.GradientDescentOptimizer(0.1), of_matrices),
        "classes": minimized(
            train.AdamOptimizer(), lambda: classes(layers.dense(layers.dense(numbers(), 3), 2))
        ),
        "resources": minimized(train.MomentumOptimizer(0.1, 0.9), of_resources),
        "images": minimized(train.RMSPropOptimizer(0.1), of_images),
        "known": minimized(train.AdagradOptimizer(0.1), with_known_sizes),
        "clipped": lambda: clipped(classes(layers.dense(numbers(), 2))),
    })  # fmt: skip


def of_changed_images(tf):
    """Images change at random behind other changes."""
    image, found = np.arange(8 * 8 * 3, dtype=np.float32).reshape(8, 8, 3) / 200, {}
    kinds = {"known": image.shape, "unknown": (None, None, 3), "batches": (None, 8, 8, 3)}
    changes = {
        "mirrored": tf.image.random_flip_left_right, "upside down": tf.image.random_flip_up_down,
        "turned": tf.image.rot90, "standardized": tf.image.per_image_standardization,
        "padded": lambda x: tf.image.resize_image_with_crop_or_pad(x, 10, 6),
        "cut": lambda x: tf.image.crop_to_bounding_box(x, 1, 1, 4, 4),
        "framed": lambda x: tf.image.pad_to_bounding_box(x, 1, 1, 12, 12),
        "grey": tf.image.rgb_to_grayscale,
        "resized": lambda x: tf.image.resize_images(x, [4, 4]),
        "part": lambda x: tf.random_crop(x, [2, 4, 4, 3][-x.shape.ndims :]),
    }  # fmt: skip
    for kind, shape in kinds.items():
        for name, change in changes.items():
            with tf.Graph().as_default():
                tf.set_random_seed(1)
                x = tf.placeholder(tf.float32, shape)
                made, after = change(x), tf.random_uniform([])
                given = np.stack([image] * 3) if len(shape) == 4 else image
                with tf.Session() as session:
                    found[f"{name}, {kind}"] = session.run([made, after], {x: given})
    return found
