# SPDX-License-Identifier: Apache-2.0
"""Layers and models that are made or called in a wrong way, and what their names are."""

ONLY_1X = True


def _outcome(function):
    try:
        return function()
    except Exception as error:
        return [type(error).__name__, str(error).split(" object at ")[0]]


def constructors_that_are_not_called(tf):
    class Own(tf.keras.Model):
        def __init__(self):
            self.dense = tf.keras.layers.Dense(1)

    class Late(tf.keras.layers.Layer):
        def __init__(self):
            pass

    return [_outcome(Own), "Late" in repr(Late()), "Sequential" in repr(tf.keras.Sequential())]


def models_without_variables(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    return [
        _outcome(lambda: model.trainable_weights), _outcome(lambda: model.non_trainable_weights),
        _outcome(lambda: model.input_shape), _outcome(lambda: model.output_shape),
        _outcome(lambda: setattr(model, "layers", [])),
    ]  # fmt: skip


def layers_of_another_kind(tf):
    found = _outcome(lambda: tf.keras.Sequential([tf.layers.Dense(1)]))
    text = found[1].splitlines()
    return [found[0], text[0], _outcome(lambda: tf.keras.Input((2,), other=1))]


def arguments_of_models(tf):
    given = tf.keras.Input((2,))
    output = tf.keras.layers.Dense(1)(given)
    return _outcome(lambda: tf.keras.Model(inputs=given, outputs=output, other=1))


def python_control_flow(tf):
    class Own(tf.keras.layers.Layer):
        def call(self, inputs):
            return [value for value in inputs][0]

    found = _outcome(lambda: Own()(tf.keras.Input((3,))))
    return [found[0], found[1].partition("\n")[0]]


def names_of_backward_layers(tf):
    layers = tf.keras.layers
    ahead = layers.LSTM(2, name="ahead")
    back = layers.LSTM(2, go_backwards=True, name="back")
    layer = layers.Bidirectional(ahead, backward_layer=back)
    layer(tf.keras.Input((4, 3)))
    names = [weight.name for weight in layer.weights]
    return [back.name, layer.get_config()["backward_layer"]["config"]["name"], names]


def cells_with_several_outputs(tf):
    class Pair(tf.keras.layers.Layer):
        state_size, output_size = [2, 3], [2, 3]

        def call(self, inputs, states):
            return list(inputs), [states[0] + inputs[0], states[1] + inputs[1]]

    given = tf.keras.Input((4, 2)), tf.keras.Input((4, 3))
    layer = tf.keras.layers.RNN(Pair(), return_sequences=True, return_state=True)
    return [str(tensor.shape) for tensor in layer(given)]


def order_of_a_configuration(tf):
    layer = tf.keras.layers.RNN(tf.keras.layers.GRUCell(2))
    mixed = [tf.ones((2, 2)), tf.keras.Input((2,))]
    around = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(2))
    found = _outcome(lambda: around(tf.keras.Input((4, 3)), initial_state=mixed))
    return [list(layer.get_config()), found]


def processes_that_make_batches(tf):
    return tf.keras.experimental.terminate_keras_multiprocessing_pools(grace_period=0.1)
