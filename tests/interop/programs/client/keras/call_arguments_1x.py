# SPDX-License-Identifier: Apache-2.0
"""Models in which tensors of layers are further arguments of calls, and structures of tensors."""

import json

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _sum_layer(tf):
    class Sum(tf.keras.layers.Layer):
        def call(self, first, second, third=None):
            more = [] if third is None else [third[key] for key in sorted(third)]
            return tf.add_n([first, second, *more]) if more else first + second

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
