# SPDX-License-Identifier: Apache-2.0
"""What the seed of a graph decides: the seeds of operations that come after layers, and losses."""

import threading

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _seeds_after(tf, layers):
    """name -> the seeds of the random operations of a layer and of one operation after it."""
    found = {}
    for name, (make, *shapes) in layers.items():
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(1)
            np.random.seed(1)
            given = [tf.keras.layers.Input(shape) for shape in shapes]
            make(given[0] if len(given) == 1 else given)
            tf.random_uniform([])
            random = [op for op in graph.get_operations() if op.type.startswith("Random")]
            found[name] = [int(op.get_attr("seed2")) for op in random]
    return found


def seeds_after_layers(tf):
    """Programs whose layers have no seeds get equal first values."""
    keras = tf.keras.layers
    image, sequence = (6, 6, 3), (6, 3)
    return _seeds_after(tf, {
        "dense": (keras.Dense(3), (4,)),
        "dense of sequences": (keras.Dense(3), sequence),
        "dense of images": (keras.Dense(3, use_bias=False, activation="selu"), image),
        "dilated": (keras.Conv2D(3, 2, dilation_rate=2), image),
        "dilated, padded": (keras.Conv2D(3, 2, dilation_rate=2, padding="same"), image),
        "dilated, of any size": (keras.Conv2D(3, 2, dilation_rate=2), (None, None, 3)),
        "causal": (keras.Conv1D(3, 2, dilation_rate=2, padding="causal"), sequence),
        "transposed": (keras.Conv2DTranspose(3, 2, strides=2), image),
        "separable": (keras.SeparableConv2D(3, 2), image),
        "depthwise": (keras.DepthwiseConv2D(2), image),
        "depthwise, dilated": (keras.DepthwiseConv2D(2, dilation_rate=2), image),
        "recurrent convolution": (keras.ConvLSTM2D(2, 2, dropout=0.1), (4, 6, 6, 3)),
        "noise": (keras.GaussianNoise(0.1), sequence),
        "factors": (keras.GaussianDropout(0.1), sequence),
        "alpha": (keras.AlphaDropout(0.1), sequence),
        "normalised": (tf.layers.BatchNormalization(), image),
    })  # fmt: skip


def _alone(work):
    """What work() returns where no graph but the thread's own is entered."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def losses_from_the_seeds_of_a_program(tf):
    """Neither layers nor initializers have seeds of their own; some examples are held back."""
    keras, layers = tf.keras, tf.keras.layers

    def work():
        keras.backend.clear_session()
        np.random.seed(3)
        tf.set_random_seed(3)
        model = keras.Sequential([
            layers.Conv1D(4, 2, dilation_rate=2, padding="causal", input_shape=(6, 3)),
            layers.AlphaDropout(0.2), layers.GaussianNoise(0.1), layers.Dense(4, "relu"),
            layers.Dropout(0.2), layers.Flatten(), layers.Dense(2, "softmax"),
        ])  # fmt: skip
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        draws = np.random.RandomState(1)
        x, y = draws.rand(21, 6, 3), draws.randint(0, 2, 21)
        return model.fit(x, y, 8, epochs=3, verbose=0, validation_split=0.3).history

    history = _alone(work)
    return {key: [float(v) for v in values] for key, values in history.items()}


def variables_with_drawn_seeds(tf):
    """The backend draws the seeds of its variables from NumPy."""
    backend = tf.keras.backend
    np.random.seed(5)
    made = [
        backend.random_uniform_variable((2, 3), -1, 1),
        backend.random_normal_variable((3,), 1.0, 0.5),
        backend.random_uniform_variable((2,), 0, 1, seed=9),
    ]
    return [backend.eval(v) for v in made]


def a_model_without_variables(tf):
    """Training changes nothing, but is not refused."""
    inputs = tf.keras.layers.Input((3,))
    model = tf.keras.Model(inputs, tf.keras.layers.Activation("tanh")(inputs))
    model.compile("sgd", "mse")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    return float(model.train_on_batch(x, x)), float(model.evaluate(x, x, verbose=0))


def seeds_after_compile(tf):
    """A network that is made after another one was compiled gets TensorFlow's first values."""
    keras, found = tf.keras, {}
    losses = (
        "mse", "mae", "mape", "msle", "hinge", "logcosh", "categorical_crossentropy",
        "sparse_categorical_crossentropy", "binary_crossentropy", "poisson",
    )  # fmt: skip
    for loss in losses:
        for activation in (None, "softmax", "sigmoid"):
            with tf.Graph().as_default() as graph:
                tf.set_random_seed(1)
                net = keras.Sequential([keras.layers.Dense(3, activation, input_shape=(4,))])
                net.compile("sgd", loss, metrics=["mae"])
                tf.random_uniform([], name="drawn")
                seed = graph.get_operation_by_name("drawn/RandomUniform").get_attr("seed2")
                assert graph is tf.get_default_graph()
                found[f"{loss} of {activation}"] = int(seed)
    return found


def losses_of_later_loops(tf):
    """A second fit(), evaluate() and a single batch go on with the random numbers of the first."""
    keras, layers = tf.keras, tf.keras.layers

    def work():
        keras.backend.clear_session()
        np.random.seed(4)
        tf.set_random_seed(4)
        model = keras.Sequential([
            layers.Dense(5, "relu", input_shape=(3,)), layers.Dropout(0.3), layers.Dense(1),
        ])  # fmt: skip
        model.compile("adam", "mse")
        draws = np.random.RandomState(2)
        x, y = draws.rand(22, 3), draws.rand(22, 1)
        found = [model.fit(x, y, 8, epochs=2, verbose=0).history["loss"] for _ in range(2)]
        found.append(model.evaluate(x, y, verbose=0))
        return [*found, model.train_on_batch(x, y), model.test_on_batch(x, y)]

    return _alone(work)


def _seed_after(tf, optimizer, loss, net, classes):
    """The seed of a layer that is made after a model was trained, measured and asked."""
    layers = tf.keras.layers
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        model = tf.keras.Sequential([layers.Dense(3, "relu", input_shape=(5,)), *net(layers)])
        model.compile(optimizer, loss, ["accuracy"])
        x, y = np.ones((4, 5), np.float32), np.ones((4, classes or 1), np.float32)
        model.fit(x, y, verbose=0)
        model.evaluate(x, y, verbose=0)
        model.predict(x)
        layers.Dense(2, name="after")(layers.Input((3,)))
        drawn = "after/kernel/Initializer/random_uniform/RandomUniform"
        return int(graph.get_operation_by_name(drawn).get_attr("seed2"))


def seeds_after_training(tf):
    """A model that is made after another one was trained gets equal first values."""
    plain = ("mse", lambda layers: [layers.Dense(1)], 0)
    nets = {
        "classes": ("sparse_categorical_crossentropy", lambda n: [n.Dense(4, "softmax")], 0),
        "one hot": ("categorical_crossentropy", lambda n: [n.Dense(4, "softmax")], 4),
        "binary": ("binary_crossentropy", lambda n: [n.Dense(1, "sigmoid")], 0),
        "dropped": ("mse", lambda n: [n.Dropout(0.5), n.Dense(1)], 0),
        "normalized": ("mse", lambda n: [n.BatchNormalization(), n.Dense(1)], 0),
        "regularized": ("mae", lambda n: [n.Dense(1, kernel_regularizer="l2")], 0),
    }
    found = {name: _seed_after(tf, "adam", *net) for name, net in nets.items()}
    for optimizer in ("sgd", "adam", "rmsprop", "adagrad", "adadelta", "adamax"):
        found[optimizer] = _seed_after(tf, optimizer, *plain)
    return found
