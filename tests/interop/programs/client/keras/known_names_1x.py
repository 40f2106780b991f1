# SPDX-License-Identifier: Apache-2.0
"""What programs use of models and layers although TensorFlow does not publish it, and what it
refuses."""

import threading

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def functions_before_threads(tf):
    """Servers of models make the function of predict() before threads share the model."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,), kernel_initializer="ones")])
    model.compile("sgd", "mse")
    model._make_predict_function()
    model._make_train_function()
    model._make_test_function()
    graph, found = tf.get_default_graph(), []
    session = tf.keras.backend.get_session()

    def predict():
        with graph.as_default(), session.as_default():
            found.append(model.predict(_data(2, 3)))

    thread = threading.Thread(target=predict)
    thread.start()
    thread.join()
    return [found, model.run_eagerly]


def nodes_of_layers(tf):
    """Programs change models by the records of their layers' calls."""
    layers = tf.keras.layers
    a, b = tf.keras.Input((4,), name="a"), tf.keras.Input((4,), name="b")
    dense = layers.Dense(3, name="dense")
    first, second = dense(a), dense(b)
    model = tf.keras.Model([a, b], layers.add([first, second], name="sum"))
    of_input = a._keras_history[0]._inbound_nodes[0]
    inside = [
        [node.outbound_layer.name, node.output_shapes] for node in dense._inbound_nodes
    ]  # fmt: skip
    found = [
        inside, [node.outbound_layer.name for node in dense._outbound_nodes],
        list(of_input.inbound_layers), of_input.outbound_layer.name, len(of_input.input_tensors),
        [layer.name for layer in model._input_layers + model._output_layers],
        model._is_graph_network, model._feed_input_names, list(dense._call_fn_args),
    ]  # fmt: skip
    dense._outbound_nodes = []
    return [*found, len(dense._outbound_nodes)]


def of_compile(tf):
    layers = tf.keras.layers
    x = tf.keras.Input((3,), name="x")
    outputs = [layers.Dense(1, name="one")(x), layers.Dense(1, name="two")(x)]
    model = tf.keras.Model(x, outputs)
    model.compile("adam", {"one": "mae", "two": "mse"}, loss_weights=[1.0, 2.0], metrics=["mae"])
    return [
        [loss.fn.__name__ for loss in model.loss_functions], list(model._loss_weights_list),
        [t.shape.as_list() for t in model._targets], len(model._feed_targets),
        model._compile_metrics, repr(layers.InputSpec("float32", max_ndim=3)),
    ]  # fmt: skip


def refused(tf):
    """What is refused, and how it is said."""
    layers = tf.keras.layers
    x = tf.keras.Input((3,))
    inside = layers.Dense(3)(x)
    model = tf.keras.Model(x, layers.Dense(1)(inside))
    model.compile("sgd", "mse")
    wider = tf.keras.Sequential([layers.Lambda(
        lambda t: tf.reshape(t, [-1, 2]), input_shape=(4,))])  # fmt: skip
    fit = {"verbose": 0, "validation_steps": 2}
    return [
        says("Graph disconnected", tf.keras.Model, inside, layers.Dense(2)(inside)),
        says("should not be specified if", model.fit, _data(4, 3), _data(4, 1), **fit),
        says("Mismatch between expected batch size", wider.predict, _data(6, 4), batch_size=6),
        says("Expected a symbolic Tensor", model.add_metric, 3.0, name="n", aggregation="mean"),
    ]


def parts_set_anew(tf):
    """Lists of layers are let go when their attribute is set anew."""
    layers = tf.keras.layers

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.parts = [layers.Dense(2), layers.Dense(3)]
            self.parts = [layers.Dense(1)]
            self.rest = {"a": layers.Dense(4)}
            self.rest = None

        def call(self, inputs):
            return self.parts[0](inputs)

    net = Net()
    net.build((None, 3))
    sequential = tf.keras.Sequential([layers.Dense(2, input_shape=(3,))])
    sequential.pop()
    return [[v.name for v in net.weights], len(net.layers), sequential.built]


def masks_of_models(tf):
    """compute_mask() of a model computes the masks of its layers."""
    layers = tf.keras.layers
    x = tf.keras.Input((3, 2))
    model = tf.keras.Model(x, layers.Dense(2)(layers.Masking()(x)))
    data = _data(2, 3, 2)
    data[0, 1:] = 0
    masked = model.compute_mask(x, None)
    plain = tf.keras.Model(x, layers.Dense(2)(x))
    found = tf.keras.backend.function([x], [masked])([data])
    return [found, plain.compute_mask(x, None)]


def deferred_models_in_files(tf):
    """A Sequential whose data said its input, saved and made again."""
    path = tf.test.get_temp_dir() + "/deferred.h5"
    model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.train_on_batch(_data(4, 3), _data(4, 1))
    model.save(path)
    again = tf.keras.models.load_model(path)
    return [np.allclose(again.predict(_data(4, 3)), model.predict(_data(4, 3)), atol=1e-5)]
