# SPDX-License-Identifier: Apache-2.0
"""Losses and metrics that programs add to models, beside those of the outputs."""

import os
import tempfile

import numpy as np

ONLY_1X = True


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _model(tf):
    layers, backend = tf.keras.layers, tf.keras.backend
    given = tf.keras.Input((3,), name="given")
    middle = layers.Dense(2, kernel_initializer="ones", name="middle")(given)
    out = layers.Dense(3, kernel_initializer="ones", name="out")(middle)
    model = tf.keras.Model(given, out)
    model.add_loss(backend.mean(backend.square(middle)))
    model.add_metric(backend.max(middle), name="largest", aggregation="mean")
    return model


def _trained(tf, model, steps=2):
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
    history = model.fit(
        _data(8, 3), _data(8, 3), epochs=steps, batch_size=4, shuffle=False, verbose=0,
        validation_data=(_data(4, 3), _data(4, 3)),
    ).history  # fmt: skip
    return [history, model.metrics_names, model.evaluate(_data(4, 3), _data(4, 3), verbose=0)]


def losses_and_metrics(tf):
    model = _model(tf)
    classes = [type(layer).__name__ for layer in model.layers]
    found = [classes, [layer.name for layer in model.layers if "add" in layer.name]]
    found += [len(model.losses), len(model.get_losses_for(None))]
    found += [len(model.get_losses_for(model.inputs)), _trained(tf, model)]
    return found


def copies(tf):
    """A copy has the losses and metrics too, and computes them of its own layers."""
    model = _model(tf)
    clone = tf.keras.models.clone_model(model)
    fed = tf.keras.models.clone_model(model, tf.zeros([4, 3]))
    again = tf.keras.Model.from_config(model.get_config())
    found = []
    for copy in (clone, again):
        copy.set_weights(model.get_weights())
        classes = sorted(type(layer).__name__ for layer in copy.layers)
        found.append([classes, len(copy.losses)])
        found.append(_trained(tf, copy))
    found.append([len(fed.losses), [metric.name for metric in fed.metrics]])
    return found


def files(tf):
    """Files of models have them."""
    model = _model(tf)
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=["mae"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.h5")
        model.save(path)
        loaded = tf.keras.models.load_model(path)
    of_text = tf.keras.models.model_from_json(model.to_json())
    of_text.set_weights(model.get_weights())
    evaluated = loaded.evaluate(_data(4, 3), _data(4, 3), verbose=0)
    return [loaded.metrics_names, evaluated, _trained(tf, loaded), _trained(tf, of_text)]


def in_another_model(tf):
    """The losses of a model count where another model calls it."""
    inner = _model(tf)
    given = tf.keras.Input((3,))
    outer = tf.keras.Model(given, inner(given))
    history, names, evaluated = _trained(tf, outer)
    return [history, names, evaluated[:2], len(outer.get_losses_for(outer.inputs))]


def of_models_in_a_row(tf):
    layers, backend = tf.keras.layers, tf.keras.backend
    model = tf.keras.Sequential([
        layers.Dense(2, input_shape=(3,), kernel_initializer="ones", name="a"),
        layers.Dense(3, kernel_initializer="ones", name="b"),
    ])  # fmt: skip
    model.add_loss(backend.sum(model.layers[0].output))
    clone = tf.keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    return [[type(layer).__name__ for layer in m.layers] for m in (model, clone)] + [
        _trained(tf, model), _trained(tf, clone),
    ]  # fmt: skip


def losses_alone(tf):
    """A variational autoencoder has no other loss than the added one."""
    layers, backend = tf.keras.layers, tf.keras.backend
    given = tf.keras.Input((3,))
    mean = layers.Dense(2, kernel_initializer="ones", name="mean")(given)
    out = layers.Dense(3, kernel_initializer="ones", name="out")(mean)
    model = tf.keras.Model(given, out)
    model.add_loss(backend.mean(tf.keras.losses.mse(given, out) + backend.sum(mean**2, axis=-1)))
    model.add_loss(lambda: backend.sum(model.layers[1].kernel) * 0.1)
    model.compile(tf.keras.optimizers.SGD(0.01))
    lines = []
    model.summary(print_fn=lines.append)
    kinds = [line.split("(")[-1].split(")")[0] for line in lines if "tf_op_layer" in line]
    history = model.fit(_data(8, 3), epochs=2, batch_size=4, shuffle=False, verbose=0).history
    return [history, kinds, model.evaluate(_data(4, 3), verbose=0)]
