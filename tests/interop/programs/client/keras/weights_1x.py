# SPDX-License-Identifier: Apache-2.0
"""Weights in files, models that make their variables late, and what merging layers mask."""

import os
import tempfile

import numpy as np

ONLY_1X = True


def _two(tf):
    class Two(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(3)
            self.last = tf.keras.layers.Dense(1)

        def call(self, inputs):
            return self.last(self.first(inputs))

    return Two()


def _outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return [type(error).__name__, str(error).split(" object at ")[0]]


def hdf5_without_an_ending(tf):
    given = tf.keras.Input((2,))
    model = tf.keras.Model(given, tf.keras.layers.Dense(2, kernel_initializer="ones")(given))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights")
        model.save_weights(path, save_format="h5")
        model.set_weights([np.zeros((2, 2)), np.zeros(2)])
        model.load_weights(path)
    return model.get_weights()


def restored_when_made(tf):
    x = tf.constant([[1.0, 2.0]])
    with tempfile.TemporaryDirectory() as folder, tf.Session().as_default() as session:
        path = os.path.join(folder, "weights")
        model = _two(tf)
        y = model(x)
        session.run([v.initializer for v in model.variables])
        before = session.run(y)
        model.save_weights(path)
        other = _two(tf)
        other.load_weights(path)
        return bool(np.array_equal(before, session.run(other(x))))


def own_variable_of_a_model(tf):
    class Own(tf.keras.Model):
        pass

    with tempfile.TemporaryDirectory() as folder, tf.Session().as_default() as session:
        path = os.path.join(folder, "below", "")
        model = Own()
        v = model.add_weight(name="v", shape=[])
        session.run(v.assign(42.0))
        model.save_weights(path)
        session.run(v.assign(1.0))
        model.load_weights(path)
        return [session.run(v), os.path.exists(path + ".index")]


def checkpoints_of_something_else(tf):
    class Own(tf.keras.Model):
        pass

    with tempfile.TemporaryDirectory() as folder, tf.Session().as_default():
        path = tf.train.Checkpoint().save(os.path.join(folder, "other"))
        model = Own()
        nothing = _outcome(lambda: model.load_weights(path))
        model.dense = tf.keras.layers.Dense(2)
        model.dense(tf.constant([[1.0]]))
        found = _outcome(lambda: model.load_weights(path))
    return [nothing[0], nothing[1][:15], found[0], found[1].split(":")[0]]


def sequential_after_an_input_layer(tf):
    layers = tf.keras.layers
    inner = tf.keras.Sequential([layers.InputLayer((4,)), layers.Dense(3), layers.Dense(2)])
    given = tf.keras.Input((4,))
    model = tf.keras.Model(given, layers.add([inner(given), inner(given)]))
    again = tf.keras.Model.from_config(model.get_config())
    first = inner.get_config()["layers"][0]["config"]
    return [first["batch_input_shape"], [tuple(w.shape.as_list()) for w in again.weights]]


def inputs_by_name(tf):
    columns, layers = tf.feature_column, tf.keras.layers
    words = columns.categorical_column_with_vocabulary_list("b", ["one", "two"])
    given = {
        "b": tf.keras.Input((1,), name="b", dtype="string"),
        "a": tf.keras.Input((1,), name="a"),
    }
    made = layers.DenseFeatures([columns.numeric_column("a"), columns.indicator_column(words)])
    model = tf.keras.Model(given, layers.Dense(2, kernel_initializer="ones")(made(given)))
    again = tf.keras.models.model_from_json(model.to_json())
    config = again.get_config()
    with tf.Session().as_default() as session:
        session.run(tf.tables_initializer())
        found = again.predict({"a": np.array([[1.0], [2.0]]), "b": np.array([["two"], ["no"]])})
    return [found, config["input_layers"], config["layers"][2]["inbound_nodes"]]


def saved_without_inputs(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        try:
            tf.keras.models.save_model(_two(tf), path, save_format="tf")
        except ValueError as error:
            return str(error).split(" because ")[-1]


def arguments_of_a_lambda(tf):
    layer = tf.keras.layers.Lambda(lambda x, by: x * by, arguments={"by": 3})
    return [layer.arguments, tf.keras.backend.eval(layer(tf.constant([2.0])))]


def lengths_of_an_embedding(tf):
    layers = tf.keras.layers

    def shape(length, *given):
        layer = layers.Embedding(10, 4, input_length=length)
        return _outcome(lambda: tf.TensorShape(layer.compute_output_shape(given)).as_list())

    cases = ((None, 3, 2), (2, 3, 2), (2, 3, None), (2, 3, 4), ((None, 5), 3, 2, 5), (2, 3))
    return [shape(*case) for case in cases]


def states_of_a_layer_built_by_hand(tf):
    layers = tf.keras.layers
    found = []
    for layer, sizes in (
        (layers.LSTM(2, stateful=True), (1, 3, 4)),
        (layers.ConvLSTM2D(2, (2, 2), stateful=True), (1, 3, 4, 4, 1)),
    ):
        layer.build(sizes)
        found.append([str(tf.keras.backend.dtype(state)) for state in layer.states])
        found.append(layer(tf.keras.Input(batch_shape=sizes)).dtype.name)
    return found


def masks_of_merged(tf):
    layers, backend = tf.keras.layers, tf.keras.backend
    given = tf.keras.Input((4, 5))
    mask = backend.variable(np.ones((2, 4, 5)))
    found = []
    for layer in (layers.Add(), layers.Concatenate(1)):
        layer([given, given])
        made = layer.compute_mask([given, given], [mask, mask])
        found += [made.dtype.name, bool(np.all(backend.eval(made)))]
        found += [layer.compute_mask([given, given], [None, None])]
        for inputs, masks in (([given] * 2, mask), (given, [None, mask]), ([given] * 2, [None])):
            found.append(_outcome(layer.compute_mask, inputs, masks))
    return found
