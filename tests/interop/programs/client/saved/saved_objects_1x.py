# SPDX-License-Identifier: Apache-2.0
"""saved_model.save() of models, layers and modules."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows save functions of models otherwise

X = np.ones([2, 3], np.float32)


def _folder():
    return os.path.join(tempfile.mkdtemp(), "model")


def _read(tf, folder, value=None):
    """The signatures, what the default one returns, and the variables of a SavedModel."""
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.saved_model.load(session, ["serve"], folder).signature_def
        signatures, results = [], None
        for name in sorted(found):
            if not name.startswith("__"):
                sizes = [
                    [[key, info.dtype, [d.size for d in info.tensor_shape.dim]]
                     for key, info in sorted(part.items())]
                    for part in (found[name].inputs, found[name].outputs)
                ]  # fmt: skip
                signatures.append([name, found[name].method_name, *sizes])
        if value is not None:
            served = found["serving_default"]
            feeds = {info.name: value for info in served.inputs.values()}
            results = session.run({k: info.name for k, info in served.outputs.items()}, feeds)
    return signatures, results, tf.train.list_variables(os.path.join(folder, "variables/variables"))


def _own(tf):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.only = tf.keras.layers.Dense(2, kernel_initializer="ones")

        def call(self, inputs):
            return self.only(inputs)

    return Own()


def models(tf):
    """A SavedModel is replaced."""
    folder, keras, found = _folder(), tf.keras, []
    inputs = keras.Input((3,), name="features")
    dense = keras.layers.Dense(2, name="scores", kernel_initializer="ones")
    model = keras.Model(inputs, dense(inputs))
    for trained in (False, True):
        if trained:
            model.compile("adam", "mse")
            model.fit(X, X[:, :2], verbose=0)
        tf.saved_model.save(model, folder)
        found.append(_read(tf, folder, X))
    again = keras.models.load_model(folder)
    return [*found, again.predict(X)]


def models_of_classes(tf):
    found = []
    for prepare in (
        lambda model: model.predict(X), lambda model: model(tf.keras.Input((3,))),
    ):  # fmt: skip
        model, folder = _own(tf), _folder()
        prepare(model)
        tf.saved_model.save(model, folder)
        found.append(_read(tf, folder, X))
    return found


def objects_without_signatures(tf):
    module = tf.Module()
    module.v = tf.Variable([2.0, 3.0], use_resource=True)
    layer = tf.keras.layers.Dense(2)
    layer.build((None, 3))
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for one in (module, layer, tf.Module(), _own(tf), tf.keras.layers.Dense(2)):
            folder = _folder()
            tf.saved_model.save(one, folder)
            found.append(_read(tf, folder))
    return found


def functions_as_signatures(tf):
    module, found = tf.Module(), []
    module.v = tf.Variable(2.0, use_resource=True)
    spec = [tf.TensorSpec([None], tf.float32, name="x")]
    scaled = tf.function(lambda value: {"scaled": value * module.v}, input_signature=spec)
    doubled = tf.function(lambda value: value * 2.0, input_signature=[tf.TensorSpec([2])])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for attribute, signatures in ((None, scaled), (None, {"d": doubled}), (doubled, None)):
            module.f, folder = attribute, _folder()
            tf.saved_model.save(module, folder, signatures)
            value = None if isinstance(signatures, dict) else [1.0, 4.0]
            found.append(_read(tf, folder, value))
    return found


def what_is_refused(tf):
    save, module = tf.saved_model.save, tf.Module()
    module.v = tf.Variable(2.0)
    later = tf.Module()
    later.v = tf.Variable(2.0, use_resource=True)
    return [
        outcome(save, 3, _folder()), outcome(save, [module], _folder()),
        outcome(save, module, _folder()), outcome(save, later, _folder()),
        outcome(save, tf.Module(), _folder(), 3),
        outcome(save, tf.Module(), _folder(), tf.function(lambda x: x)),
        outcome(tf.function(lambda: save(tf.Module(), _folder()))),
    ]  # fmt: skip
