# SPDX-License-Identifier: Apache-2.0
"""Callbacks: what they print, save and refuse."""

import contextlib
import io
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _fitted(tf, callbacks, epochs=2, **kwargs):
    """(the model, what fit() printed)."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,),
                                                       kernel_initializer="ones")])  # fmt: skip
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        model.fit(_data(8, 3), _data(8, 1), 4, epochs, 0, callbacks, shuffle=False, **kwargs)
    return model, printed.getvalue()


def checkpoints(tf):
    """Which files are saved, and what is said of it."""
    make = tf.keras.callbacks.ModelCheckpoint
    folder = tempfile.mkdtemp()
    best = os.path.join(folder, "best.h5")
    printed = _fitted(tf, [make(best, "loss", 1, True)], 3)[1]
    each = os.path.join(folder, "{epoch:02d}.h5")
    printed += _fitted(tf, [make(each, verbose=1, save_freq=12)], 3)[1]
    _fitted(tf, [make(os.path.join(folder, "none.h5"), "absent", save_best_only=True)])
    files = sorted(os.listdir(folder))
    return [printed.replace(folder, "there"), files, says("Unrecognized save_freq", make, each,
            save_freq="now")]  # fmt: skip


def restarts(tf):
    """Training begins with the variables of the newest file."""
    path = os.path.join(tempfile.mkdtemp(), "{epoch}.h5")
    make = tf.keras.callbacks.ModelCheckpoint
    first = _fitted(tf, [make(path, save_weights_only=True)], 3)[0].get_weights()
    none = make(path + ".none", save_weights_only=True, load_weights_on_restart=True)
    again = make(path, save_weights_only=True, load_weights_on_restart=True)
    found = [_fitted(tf, [callback], 1)[0].get_weights() for callback in (again, none)]
    return [first, found]


def stopping(tf):
    """What EarlyStopping and ReduceLROnPlateau say."""
    calls = tf.keras.callbacks
    stop = calls.EarlyStopping("loss", 10.0, 1, 1, restore_best_weights=True)
    model, printed = _fitted(tf, [stop], 5)
    slower = calls.ReduceLROnPlateau("loss", 0.5, 1, 1, epsilon=10.0)
    printed += _fitted(tf, [slower], 4)[1]
    odd = [calls.EarlyStopping("absent", mode="odd"), calls.ReduceLROnPlateau("absent", mode="odd")]
    printed += _fitted(tf, odd)[1]
    return [printed, model.get_weights(), slower.min_delta, odd[1].mode]


def schedules(tf):
    """LearningRateScheduler refuses optimizers without a learning rate."""
    scheduler = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.25, 1)
    _, printed = _fitted(tf, [scheduler])

    class Bare:
        optimizer = object()

    scheduler.model = Bare()
    return [printed, says('must have a "lr" attribute', scheduler.on_epoch_begin, 0)]


def logs_as_tables(tf):
    """CSVLogger ends lines as spreadsheets do."""
    path = os.path.join(tempfile.mkdtemp(), "log.csv")
    _fitted(tf, [tf.keras.callbacks.CSVLogger(path, ";")])
    logger = tf.keras.callbacks.CSVLogger(path, ";", append=True)
    with open(path, "rb") as file:
        first = [line.split(b";")[0] + line[-2:] for line in file.read().splitlines(True)]
    _fitted(tf, [logger])
    with open(path, "rb") as file:
        return [first, len(file.readlines())]


def stopped_before_training(tf):
    """A callback that stops at the beginning leaves no epoch."""

    class Stop(tf.keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            self.model.stop_training = True

    model, _ = _fitted(tf, [Stop()])
    return model.history.epoch, model.history.history, outcome(_fitted, tf, (Stop(),))


def compared_by_programs(tf):
    """A program may compare the values of a plateau itself."""
    plateau = tf.keras.callbacks.ReduceLROnPlateau("loss", 0.5, 1)
    found = [bool(plateau.monitor_op(1.0, 2.0)), bool(plateau.monitor_op(2.0, 1.0))]
    plateau.on_train_begin = lambda logs=None: None
    plateau.monitor_op = lambda value, best: False
    model, _ = _fitted(tf, [plateau], 3)
    return found, model.history.history["lr"]
