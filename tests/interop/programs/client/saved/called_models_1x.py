# SPDX-License-Identifier: Apache-2.0
"""Models of classes with call(): their inputs and outputs are those of the first call."""

import tempfile

import numpy as np

ONLY_1X = True  # later TensorFlows have other models

X = np.ones([4, 3], np.float32)
Y = np.ones([4, 1], np.float32)


def _own(tf, name="own"):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name=name)
            self.first = tf.keras.layers.Dense(2, kernel_initializer="ones", name="first")
            self.last = tf.keras.layers.Dense(1, kernel_initializer="ones", name="last")

        def call(self, inputs):
            return self.last(self.first(inputs))

    return Own()


def _ends(model):
    def names(tensors):
        return [tensor.name for tensor in tensors]

    more = [model.input_names, model.output_names] if model.inputs else []
    return [names(model.inputs), names(model.outputs), *more]


def _input(tf, name="given"):
    return tf.keras.Input((3,), name=name)


def of_inputs(tf):
    model = _own(tf)
    before = _ends(model)
    first, second = model(_input(tf)), model(_input(tf, "later"))
    around = tf.keras.Model(model.inputs, model.outputs)
    return [
        before, _ends(model), first.name, second.name, around.predict(X), model.predict(X),
        [layer.name for layer in around.layers],
    ]  # fmt: skip


def of_tensors(tf):
    models = [_own(tf, f"own{i}") for i in range(3)]
    models[0](tf.ones([2, 3]))
    models[1](X)
    models[2]._set_inputs(_input(tf))
    return [_ends(model) for model in models]


def several(tf):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name="own")
            self.both = tf.keras.layers.Dense(2, name="both")

        def call(self, inputs):
            return {"a": self.both(inputs[0]), "b": self.both(inputs[1])}

    model = Own()
    model([_input(tf), _input(tf, "other")])
    return _ends(model)


def trained_after_a_call(tf):
    """The model may be compiled before or after the call."""
    found = []
    for compiled_first in (True, False):
        model = _own(tf)
        for step in (True, False):
            if step == compiled_first:
                model.compile("sgd", "mse")
            else:
                model(_input(tf))
        losses = model.fit(X, Y, epochs=2, verbose=0).history["loss"]
        data = tf.data.Dataset.from_tensors((X, Y)).repeat()
        losses += model.fit(data, steps_per_epoch=1, verbose=0).history["loss"]
        found += [losses, _ends(model)]
    return found


def called_within_others(tf):
    inner = _own(tf, "inner")

    class Outer(tf.keras.Model):
        def __init__(self):
            super().__init__(name="outer")
            self.inner = inner

        def call(self, inputs):
            return self.inner(inputs) * 2.0

    outer, row = Outer(), tf.keras.Sequential([_own(tf)], name="row")
    outer(_input(tf))
    row(_input(tf, "other"))
    return [_ends(outer), _ends(inner), _ends(row), row.predict(X), outer.predict(X)]


def saved_for_any_batch(tf):
    """A model that was first called on a batch of a fixed size."""
    model, found = _own(tf), []
    model.compile("sgd", "mse")
    model(tf.ones([4, 3]))
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        tf.keras.backend.set_session(session)
        session.run(tf.global_variables_initializer())
        model.save(folder, save_format="tf")
        with tf.Graph().as_default(), tf.Session() as again:
            meta = tf.saved_model.load(again, ["serve"], folder)
            signature = meta.signature_def["serving_default"]
            for name, info in (*signature.inputs.items(), *signature.outputs.items()):
                found.append((name, [d.size for d in info.tensor_shape.dim]))
            x, y = signature.inputs["input_1"].name, signature.outputs["output_1"].name
            found.append(again.run(y, {x: X[:2]}))
    return found
