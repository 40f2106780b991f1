# SPDX-License-Identifier: Apache-2.0
"""What tf.keras of TensorFlow 1.15 saves, sluice.keras loads, and the other way round: weights as
checkpoints of objects and as HDF5 files, whole models, tf.train.Checkpoint.

Both clients train a model for a step, save it, and train it for another step. Each loads what the
other saved, and must predict the same before and after the other step, which needs the slots of
the optimizer.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

from interop.tools.two_clients import our_command


def _is_1x():
    try:
        import tensorflow
    except ImportError:
        return False
    return tensorflow.__version__[0] == "1"


pytestmark = pytest.mark.skipif(
    not _is_1x(), reason="later TensorFlows have another Keras, ours is that of 1.15"
)


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def functional(tf):
    layers = tf.keras.layers
    x = layers.Input((4, 6), name="x")
    y = layers.Bidirectional(layers.GRU(3))(x)
    y = layers.BatchNormalization()(y)
    y = tf.keras.Sequential([layers.Dense(3, input_shape=(6,)), layers.Dense(2)])(y)
    model = tf.keras.Model(x, [y, layers.Activation("tanh")(y)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    model.compile(optimizer, ["mse", "mae"], metrics=["mae"], loss_weights=[1.0, 0.5])
    return model, [_data(8, 2), _data(8, 2)]


def subclassed(tf):
    layers = tf.keras.layers

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.parts = [layers.Dense(2)]
            self.parts.append(layers.LSTM(2))
            self.named = {"first": layers.Dense(4)}

        def call(self, inputs):
            return self.parts[1](self.parts[0](self.named["first"](inputs)))

    model = Net()
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse")
    return model, _data(8, 2)


def _step(model, targets):
    model.fit(_data(8, 4, 6), targets, verbose=0, shuffle=False)


def _predicted(model):
    found = model.predict(_data(8, 4, 6))
    return found if isinstance(found, list) else [found]


def _objects(tf):
    """A checkpoint of a variable, a list of two and an optimizer of tf.train."""
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    optimizer = tf.train.AdamOptimizer(0.1)
    step = optimizer.minimize(tf.reduce_sum(tf.square(v)))
    return tf.train.Checkpoint(v=v, optimizer=optimizer), v, step


def write(tf, folder):
    made = {}
    for make in (functional, subclassed):
        with tf.Graph().as_default(), tf.Session():
            model, targets = make(tf)
            _step(model, targets)
            path = os.path.join(folder, make.__name__)
            model.save_weights(path)
            if make is functional:
                model.save_weights(path + ".h5")
                model.save(path + "_model.h5")
            made[make.__name__] = [_predicted(model)]
            _step(model, targets)
            made[make.__name__].append(_predicted(model))
    with tf.Graph().as_default(), tf.Session() as session:
        checkpoint, v, step = _objects(tf)
        session.run(tf.global_variables_initializer())
        session.run(step)
        checkpoint.save(os.path.join(folder, "objects"))
        made["objects"] = [session.run(v), session.run([step, v])[1:], session.run(v)]
    return made


def _continued(model, targets):
    found = [_predicted(model)]
    _step(model, targets)
    return [*found, _predicted(model)]


def read(tf, folder):
    made = {}
    for make in (functional, subclassed):
        path = os.path.join(folder, make.__name__)
        with tf.Graph().as_default(), tf.Session():
            model, targets = make(tf)
            model.load_weights(path)
            made[make.__name__] = _continued(model, targets)
        if make is functional:
            with tf.Graph().as_default(), tf.Session():
                model, _ = make(tf)
                model.load_weights(path + ".h5")
                made["weights in HDF5"] = [_predicted(model)]
            with tf.Graph().as_default(), tf.Session():
                model = tf.keras.models.load_model(path + "_model.h5")
                made["model in HDF5"] = _continued(model, targets)
    with tf.Graph().as_default(), tf.Session() as session:
        checkpoint, v, step = _objects(tf)
        status = checkpoint.restore(os.path.join(folder, "objects-1"))
        status.assert_consumed().run_restore_ops()
        made["objects"] = [session.run(v), session.run([step, v])[1:], session.run(v)]
    return made


def _ours(what, folder):
    command, env = our_command(__file__, what, str(folder))
    subprocess.run(command, env=env, check=True, timeout=240)
    with np.load(os.path.join(folder, f"{what}.npz")) as found:
        return dict(found)


def _flat(made):
    """name -> array, of nested lists."""
    found = {}
    for name, value in made.items():
        if isinstance(value, list):
            found.update(_flat({f"{name} {i}": part for i, part in enumerate(value)}))
        else:
            found[name] = np.asarray(value)
    return found


def _equal(found, wanted):
    for name, value in wanted.items():
        np.testing.assert_allclose(found[name], value, rtol=2e-4, atol=1e-5, err_msg=name)


def test_each_client_reads_the_files_of_the_other(tmp_path):
    import tensorflow.compat.v1 as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    for writer in ("ours", "theirs"):
        folder = tmp_path / writer
        folder.mkdir()
        if writer == "ours":
            wanted = _ours("write", folder)
            found = _flat(read(tf, str(folder)))
        else:
            wanted = _flat(write(tf, str(folder)))
            found = _ours("read", folder)
        names = [n for n in found if "in HDF5" in n]
        assert len(names) == 6
        for name in names:  # the same values as the checkpoint's
            wanted[name] = wanted["functional" + name.partition("HDF5")[2]]
        _equal(found, wanted)


if __name__ == "__main__" and sys.argv[1:2] in (["write"], ["read"]):
    import sluice

    run = {"write": write, "read": read}[sys.argv[1]]
    np.savez(os.path.join(sys.argv[2], sys.argv[1] + ".npz"), **_flat(run(sluice, sys.argv[2])))
