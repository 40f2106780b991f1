# SPDX-License-Identifier: Apache-2.0
"""What layers are given besides their inputs: constants, states, masks, other tensors; cells in
cells."""

import json
import random

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

X = np.arange(24.0).reshape(2, 4, 3) / 10


def _cell(tf):
    """A cell that adds a vector of the batch to each step."""

    class Attending(tf.keras.layers.Layer):
        def __init__(self, units, **kwargs):
            self.units = self.state_size = units
            super().__init__(**kwargs)

        def build(self, input_shape):
            self.ahead = self.add_weight("ahead", (3, self.units), initializer="ones")
            self.across = self.add_weight("across", (2, self.units), initializer="ones")
            self.built = True

        def call(self, inputs, states, constants):
            dot = tf.keras.backend.dot
            new = 0.1 * (dot(inputs, self.ahead) + states[0] + dot(constants[0], self.across))
            return new, [new]

        def get_config(self):
            return {**super().get_config(), "units": self.units}

    return Attending


def _numbers(model, fed, **custom_objects):
    """What a model and its copy from the configuration predict."""
    copy = type(model).from_config(model.get_config(), custom_objects=custom_objects)
    copy.set_weights(model.get_weights())
    return [m.predict(fed).round(4).tolist() for m in (model, copy)]


def constants_of_cells(tf):
    keras, cell = tf.keras, _cell(tf)
    x, around, state = keras.Input((4, 3)), keras.Input((2,)), keras.Input((5,))
    fed = [X, np.ones((2, 2))]
    alone = keras.Model([x, around], keras.layers.RNN(cell(5))(x, constants=around))
    begun = keras.layers.RNN(cell(5))(x, initial_state=state, constants=around)
    begun = keras.Model([x, state, around], begun)
    twice = keras.layers.Bidirectional(keras.layers.RNN(cell(5)))(x, constants=around)
    twice = keras.Model([x, around], twice)
    return [
        _numbers(alone, fed, Attending=cell), _numbers(twice, fed, Attending=cell),
        _numbers(begun, [X, np.ones((2, 5)), fed[1]], Attending=cell),
        alone.layers[-1].get_config()["num_constants"],
        outcome(keras.layers.LSTM(5), x, constants=around),
    ]  # fmt: skip


def states_of_both_directions(tf):
    keras = tf.keras
    ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
    x = keras.Input((4, 3))
    _, *states = keras.layers.Bidirectional(keras.layers.GRU(5, return_state=True, **ones))(x)
    y = keras.layers.Bidirectional(keras.layers.GRU(5, **ones))(x, initial_state=states)
    mixed = [keras.Input((5,)), keras.backend.ones((2, 5))]
    return [
        _numbers(keras.Model(x, y), X),
        outcome(keras.layers.LSTM(5), x, initial_state=mixed),
        keras.layers.LSTM(5).states, keras.layers.GRU(5).states,
    ]  # fmt: skip


def masks_of_steps(tf):
    """A sequence of sentences: the layer inside makes the mask, or takes it."""
    keras, layers = tf.keras, tf.keras.layers
    ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
    words = keras.Input((3, 4), dtype="int32")
    inside = layers.Embedding(5, 6, mask_zero=True, embeddings_initializer="ones")
    x = layers.TimeDistributed(inside)(words)
    x = layers.TimeDistributed(layers.SimpleRNN(2, **ones))(x)
    text = np.array([[[1, 0, 0, 0], [1, 2, 0, 0], [3, 0, 1, 0]]])
    free = layers.TimeDistributed(layers.Masking())(layers.Reshape((-1, 4, 2))(
        keras.Input((None, None))))  # fmt: skip
    measured = keras.Sequential([layers.TimeDistributed(
        layers.Dense(2, activity_regularizer="l1"), input_shape=(3, 4))])  # fmt: skip
    return [
        keras.Model(words, x).predict(text).round(3).tolist(), free.shape.as_list(),
        len(measured.losses),
    ]  # fmt: skip


def cells_in_a_row(tf):
    keras, layers = tf.keras, tf.keras.layers
    cells = [layers.LSTMCell(4, dropout=0.3, recurrent_dropout=0.2), layers.GRUCell(3, dropout=0.5)]
    model = keras.Sequential([layers.RNN(cells, input_shape=(4, 3)), layers.Dense(1)])
    model.compile("sgd", "mse")
    copy = keras.models.model_from_json(model.to_json())
    copy.set_weights(model.get_weights())
    same = np.allclose(model.predict(X), copy.predict(X))
    losses = model.fit(X, np.ones((2, 1)), epochs=2, verbose=0).history["loss"]
    old = layers.SimpleRNN(3, implementation=2)(keras.Input((4, 3)))
    return bool(same), bool(np.isfinite(losses).all()), old.shape.as_list()


def seeds_after_layers(tf):
    """Weights that are drawn after a layer do not depend on who made its nodes."""
    keras, layers, found = tf.keras, tf.keras.layers, []
    for layer in (
        lambda: layers.LSTM(4, stateful=True), lambda: layers.GRU(4, stateful=True),
        lambda: layers.SimpleRNN(4, stateful=True),
        lambda: layers.SimpleRNN(4, recurrent_initializer=keras.initializers.Identity(0.5)),
    ):  # fmt: skip
        keras.backend.clear_session()
        tf.compat.v1.set_random_seed(7)
        model = keras.Sequential([
            layers.Dense(4, batch_input_shape=(2, 5, 3)), layer(), layers.Dense(2)])  # fmt: skip
        found.append(model.get_weights()[-2].round(4).tolist())
    return found


def kernels_of_places(tf):
    """Locally connected layers that keep the kernel whole, or only what counts of it."""
    keras, layers = tf.keras, tf.keras.layers
    found = []
    for kind, kernel, shape in (
        (layers.LocallyConnected1D, 2, (4, 2)), (layers.LocallyConnected2D, (2, 3), (3, 4, 3)),
    ):  # fmt: skip
        for implementation in (1, 2, 3):
            for padding in ("valid", "same"):
                for order in ("channels_last", "channels_first"):
                    more = {"implementation": implementation, "padding": padding}
                    if implementation == 1 and padding == "same":
                        found.append(outcome(kind, 2, kernel, **more))
                        continue
                    layer = kind(2, kernel, data_format=order, input_shape=shape, **more)
                    model = keras.Sequential([layer])
                    sizes = [list(w.shape) for w in model.get_weights()]
                    filled = [np.arange(np.prod(s, dtype=int)).reshape(s) % 7 for s in sizes]
                    model.set_weights(filled)
                    x = np.arange(np.prod(shape)).reshape(1, *shape)
                    found.append([sizes, model.predict(x).tolist()])
    found.append(outcome(layers.SpatialDropout2D, 0.5, data_format="channels_middle"))
    return found


def epochs_of_sequences(tf):
    """A Sequence is taken in an order that Python draws, and hears of the end of an epoch."""
    keras = tf.keras

    class Steps(keras.utils.Sequence):
        def __init__(self, log):
            self.log = log

        def __len__(self):
            return 4

        def __getitem__(self, index):
            return np.full((2, 1), index / 4), np.full((2, 1), index)

        def on_epoch_end(self):
            self.log.append("end")

    model = keras.Sequential([
        keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])  # fmt: skip
    model.compile("sgd", "mse")
    found = []
    for more in ({}, {"shuffle": False}, {"workers": 0}):
        random.seed(3)
        model.set_weights([np.ones((1, 1)), np.zeros(1)])
        log = []
        history = model.fit_generator(Steps(log), epochs=2, verbose=0, **more)
        # Whether it hears of the last end depends on TensorFlow's thread.
        found.append([[round(float(v), 4) for v in history.history["loss"]], bool(log)])
    return found


def ends_of_training(tf):
    """A callback that ends training in an epoch is not undone by the validation after it."""
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(1,), kernel_initializer="one")])
    model.compile("sgd", "mse")
    x, y = np.full((4, 1), np.inf), np.ones((4, 1))
    history = model.fit(
        x, y, epochs=5, validation_data=(x, y), verbose=0,
        callbacks=[keras.callbacks.TerminateOnNaN()],
    )  # fmt: skip
    one, other = keras.Input((1,)), keras.Input((1,))
    joined = keras.Model([one, other], keras.layers.Add()([one, other]))
    return [
        len(history.history["loss"]), sorted(history.history),
        joined.predict([np.ones((3, 1)), np.ones((5, 1))], batch_size=2).tolist(),
    ]  # fmt: skip


def inputs_that_are_tensors(tf):
    """A model of tensors of a data set is trained for steps, without arrays."""
    keras = tf.keras
    data = tf.data.Dataset.from_tensor_slices((np.ones((8, 2), "f"), np.ones((8, 1), "f")))
    x, y = data.repeat().batch(4).make_one_shot_iterator().get_next()
    x = keras.Input(tensor=x)
    model = keras.Model(x, keras.layers.Dense(1, kernel_initializer="ones")(x))
    model.compile("sgd", "mse", target_tensors=[y])
    history = model.fit(epochs=2, steps_per_epoch=3, verbose=0)
    return [round(float(v), 4) for v in history.history["loss"]]


def _sum_layer(tf):
    class Sum(tf.keras.layers.Layer):
        def call(self, first, second, third=None):
            parts = [] if third is None else [third[key] for key in sorted(third)]
            return sum(parts, first + second)

    return Sum


def _predicted(tf, model, *arrays, **custom_objects):
    """What a model predicts, and its copies: from its configuration and from text."""
    found = [model.predict(list(arrays))]
    text = model.to_json()
    copies = [
        tf.keras.Model.from_config(model.get_config(), custom_objects),
        tf.keras.models.model_from_json(text, custom_objects),
    ]
    for copy in copies:
        copy.set_weights(model.get_weights())
        found.append(copy.predict(list(arrays)))
    layers = json.loads(text)["config"]["layers"]
    return found, [layer["inbound_nodes"] for layer in layers]


def tensors_as_positional_arguments(tf):
    a, b = (tf.keras.Input((3,), name=name) for name in "ab")
    sums = _sum_layer(tf)
    model = tf.keras.Model([a, b], sums(name="sums")(a, b))
    return _predicted(tf, model, np.ones((2, 3)), np.full((2, 3), 4.0), Sum=sums)


def tensors_by_name(tf):
    a, b = (tf.keras.Input((3,), name=name) for name in "ab")
    sums = _sum_layer(tf)
    doubled = tf.keras.layers.Lambda(lambda x: x * 2, name="doubled")(b)
    model = tf.keras.Model([a, b], sums(name="sums")(a, second=doubled))
    return _predicted(tf, model, np.ones((2, 3)), np.full((2, 3), 4.0), Sum=sums)


def structures_of_tensors_and_constants(tf):
    a, b, c = (tf.keras.Input((3,), name=name) for name in "abc")
    sums = _sum_layer(tf)
    third = {"p": b, "q": c, "r": np.full((1, 3), 5.0, np.float32)}
    model = tf.keras.Model([a, b, c], sums(name="sums")(a, 4 * tf.ones((1, 3)), third=third))
    arrays = [np.full((2, 3), float(n)) for n in (1, 2, 3)]
    return _predicted(tf, model, *arrays, Sum=sums)[0]


def operations_before_arguments(tf):
    a, b = (tf.keras.Input((3,), name=name) for name in "ab")
    model = tf.keras.Model([a, b], _sum_layer(tf)()(a, b * 3.0))
    return model.predict([np.ones((2, 3)), np.full((2, 3), 4.0)])


def masks_of_other_inputs(tf):
    steps, mask = tf.keras.Input((5, 2), name="steps"), tf.keras.Input((5,), name="mask")
    cell = tf.keras.layers.SimpleRNNCell(3, "tanh", True, "ones", recurrent_initializer="identity")
    model = tf.keras.Model([steps, mask], tf.keras.layers.RNN(cell, name="rnn")(steps, mask=mask))
    kept = np.array([[1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], np.float32)
    return _predicted(tf, model, np.ones((2, 5, 2)), kept)


def arguments_that_files_cannot_have(tf):
    class Marked(tf.keras.layers.Layer):
        def call(self, inputs, mark=None):
            return inputs if mark is None else inputs + 1.0

    a = tf.keras.Input((3,), name="a")
    model = tf.keras.Model(a, Marked(name="marked")(a, mark=object()))
    nodes = [layer["inbound_nodes"] for layer in model.get_config()["layers"]]
    return model.predict(np.ones((1, 3))), nodes


def trained_through_arguments(tf):
    a, b = (tf.keras.Input((3,), name=name) for name in "ab")
    dense = tf.keras.layers.Dense(3, kernel_initializer="ones", name="dense")
    model = tf.keras.Model([a, b], _sum_layer(tf)()(a, second=dense(b)))
    model.compile("sgd", "mse")
    arrays = [np.ones((4, 3)), np.ones((4, 3))]
    losses = model.fit(arrays, np.zeros((4, 3)), epochs=2, verbose=0).history["loss"]
    return losses, model.get_weights(), len(model.layers)


def functional_models_take_few_arguments(tf):
    a = tf.keras.Input((3,))
    b = tf.keras.layers.Dense(2)(a)
    return [
        outcome(lambda: tf.keras.Model(a, b, dtype="int64")),
        outcome(lambda: tf.keras.Model(a, b, dynamic=False)),
        tf.keras.Model(a, b, name="m", trainable=False).name,
    ]


def shapes_of_outputs_in_structures(tf):
    layers = tf.keras.layers
    a = {"p": tf.keras.Input((1,)), "q": tf.keras.Input((1,))}
    outputs = {"s": layers.Add()([a["p"], a["q"]]), "t": layers.Multiply()([a["p"], a["q"]])}
    network = tf.keras.Model(a["p"], {"u": layers.Dense(2)(a["p"])})
    both = tf.keras.Model([a["p"], a["q"]], [outputs["s"], outputs["t"]])
    return [
        {k: v.as_list() for k, v in network.compute_output_shape((None, 1)).items()},
        [shape.as_list() for shape in both.compute_output_shape([(4, 1), (4, 1)])],
        outcome(lambda: both.compute_output_shape((4, 1))),
    ]
