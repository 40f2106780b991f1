# SPDX-License-Identifier: Apache-2.0
"""hvd.callbacks: learning rates by value, and two ranks that train a model of Keras together."""

import os
import subprocess
import sys

import numpy as np
import pytest
import sluice as sl
from conftest import BUILD
from sluice import hvd
from sluice.horovod import places, variables

X = np.cos(np.arange(48)).reshape(24, 2).astype(np.float32)
Y = np.sin(np.arange(24)).reshape(24, 1).astype(np.float32)
STEPS = 4  # batches of an epoch


class Rates(sl.keras.callbacks.Callback):
    """Notes learning rate and momentum of each batch."""

    def __init__(self):
        super().__init__()
        self.rates, self.momenta = [], []

    def on_batch_begin(self, batch, logs=None):
        value = sl.keras.backend.get_value
        self.rates.append(float(value(self.model.optimizer.lr)))
        self.momenta.append(float(value(self.model.optimizer.momentum)))


def noted(callback, epochs):
    """The rates and momenta of all batches, and the history."""
    with sl.Graph().as_default():
        model = sl.keras.Sequential([sl.keras.layers.Dense(1, input_shape=(2,))])
        model.compile(sl.keras.optimizers.SGD(0.8, momentum=0.9), "mse")
        rates = Rates()
        history = model.fit(
            X, Y, batch_size=len(X) // STEPS, epochs=epochs, verbose=0, callbacks=[callback, rates]
        )
        return rates.rates, rates.momenta, history.history


@pytest.fixture
def eight_ranks(monkeypatch):
    monkeypatch.setattr(places, "size", lambda: 8)


@pytest.mark.usefixtures("eight_ranks")
def test_warm_up_grows_linearly_from_a_rank_to_all():
    rates, momenta, history = noted(
        hvd.callbacks.LearningRateWarmupCallback(0.8, warmup_epochs=3), epochs=5
    )
    # At the end of batch k of 12 the rate is 0.1 + (0.8 - 0.1) k / 12; then it stays.
    expected = [0.1 + 0.7 * min(k, 12) / 12 for k in range(1, 5 * STEPS + 1)]
    np.testing.assert_allclose(rates, expected, 1e-5)
    changes = np.array(expected[:12]) / np.array([0.8, *expected[:11]])
    np.testing.assert_allclose(momenta, [*(0.9 * changes), *[0.9] * 8], 1e-5)
    np.testing.assert_allclose(history["lr"], expected[STEPS - 1 :: STEPS], 1e-5)


@pytest.mark.usefixtures("eight_ranks")
def test_rates_without_a_rate_begin_with_that_of_the_optimizer():
    makers = hvd.callbacks.LearningRateWarmupCallback, hvd.callbacks.LearningRateScheduleCallback
    for make, own in zip(makers, ({"warmup_epochs": 2}, {"multiplier": 0.1, "start_epoch": 1})):
        for found, same in zip(
            noted(make(**own), epochs=3), noted(make(initial_lr=0.8, **own), epochs=3)
        ):
            if isinstance(found, dict):
                found, same = found["lr"], same["lr"]
            np.testing.assert_allclose(found, same, 1e-6)


def test_variables_are_broadcast_as_soon_as_all_ranks_have_them(monkeypatch):
    others, roots = [["w"], ["w", "iter"]], []
    monkeypatch.setattr(variables, "allgather_object", lambda _: [["w", "iter"], others.pop(0)])
    monkeypatch.setattr(
        variables, "broadcast_global_variables", lambda root: roots.append(root) or sl.no_op()
    )
    with sl.Graph().as_default():
        sl.keras.backend.set_session(None)
        callback = hvd.callbacks.BroadcastGlobalVariablesCallback(1)
        callback.on_train_begin()
        assert roots == []
        callback.on_batch_end(0)
        callback.on_batch_end(1)
        assert roots == [1]
        others.append(["w"])
        late = hvd.callbacks.BroadcastGlobalVariablesCallback(1)
        with pytest.raises(ValueError, match="not all ranks have the variables iter"):
            late.on_batch_end(0)


def test_schedules_by_epoch_and_by_batch():
    make = hvd.callbacks.LearningRateScheduleCallback
    rates, _, _ = noted(make(0.4, lambda epoch: 0.1**epoch, momentum_correction=False), epochs=3)
    np.testing.assert_allclose(rates, np.repeat([0.4, 0.04, 0.004], STEPS), 1e-5)
    rates, _, _ = noted(make(0.4, 0.5, start_epoch=1, end_epoch=2), epochs=3)
    np.testing.assert_allclose(rates, np.repeat([0.8, 0.2, 0.2], STEPS), 1e-5)
    rates, _, _ = noted(make(0.4, lambda epoch: 1 / (1 + epoch), staircase=False), epochs=2)
    np.testing.assert_allclose(rates, [0.4 / (1 + k / STEPS) for k in range(2 * STEPS)], 1e-5)


def test_rates_of_the_paper():
    """256 examples a rank, 0.1 each 256, warm-up of 5 epochs (Goyal et al. 2017)."""
    multiplier = hvd.callbacks.warmup_multiplier
    for size in (1, 8, 32):
        for epoch in (0.0, 1.0, 2.5, 5.0):
            linear = 0.1 + (0.1 * size - 0.1) * epoch / 5
            np.testing.assert_allclose(0.1 * size * multiplier(epoch, 5, size), linear, 1e-6)
    with sl.Graph().as_default(), sl.Session() as session:
        for step in (0, 250, 500, 900):
            rate = hvd.scaled_learning_rate(0.1, sl.constant(step), 500, scale=8)
            expected = 0.1 * (1 + 7 * min(step / 500, 1))
            np.testing.assert_allclose(session.run(rate), expected, 1e-6)


PROGRAM = """
import numpy as np, sluice as sl, sluice.hvd as hvd
hvd.init()
sl.keras.backend.set_session(sl.Session(hvd.target(), config=hvd.config()))
sl.set_random_seed(hvd.rank())
x = np.cos(np.arange(48)).reshape(24, 2).astype(np.float32)
y = np.sin(np.arange(24)).reshape(24, 1).astype(np.float32)
model = sl.keras.Sequential([sl.keras.layers.Dense(3, activation="tanh", input_shape=(2,)),
                             sl.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(sl.keras.optimizers.Adam(0.1)), "mse")
first = model.get_weights()
own = slice(hvd.rank(), None, hvd.size())
history = model.fit(x[own], y[own], batch_size=6, epochs=2, verbose=0, shuffle=False, callbacks=[
    hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()])
every = hvd.allgather_object((first, model.get_weights(), history.history["loss"]))
if hvd.rank() == 0:
    assert not np.allclose(every[0][0][0], every[1][0][0])  # they began with other values
    for a, b in zip(every[0][1], every[1][1]):
        np.testing.assert_allclose(a, b, 1e-6)
    assert every[0][2] == every[1][2], every
    with sl.Graph().as_default():
        sl.keras.backend.set_session(None)
        dense = sl.keras.layers.Dense
        alone = sl.keras.Sequential([dense(3, activation="tanh", input_shape=(2,)), dense(1)])
        alone.compile(sl.keras.optimizers.Adam(0.1), "mse")
        alone.set_weights(every[0][0])
        order = np.concatenate([np.r_[2 * k:2 * k + 12:2, 2 * k + 1:2 * k + 12:2] for k in (0, 6)])
        losses = alone.fit(x[order], y[order], batch_size=12, epochs=2, verbose=0, shuffle=False)
        np.testing.assert_allclose(every[0][2], losses.history["loss"], 1e-4)
        for a, b in zip(alone.get_weights(), every[0][1]):
            np.testing.assert_allclose(a, b, 1e-4, 1e-6)
    print("passed")
"""


LOADED = """
import sys, numpy as np, sluice as sl, sluice.hvd as hvd
hvd.init()
backend, keras = sl.keras.backend, sl.keras
class Own(keras.optimizers.SGD):
    pass
x, y = np.float32([[hvd.rank() + 1.0, 2.0]]), np.float32([[hvd.rank()]])
for optimizer in (keras.optimizers.SGD(0.5, momentum=0.9), Own(0.5)):
    with sl.Graph().as_default():
        session = sl.Session(hvd.target(), config=hvd.config())
        backend.set_session(session)
        dense = keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")
        model = keras.Sequential([dense])
        model.compile(hvd.DistributedOptimizer(optimizer), "mse")
        model.train_on_batch(x, y)
        path = sys.argv[1] + str(hvd.rank()) + ".h5"
        model.save(path)
        loaded = hvd.load_model(path, custom_optimizers=[Own])
        assert type(loaded.optimizer).__name__ == type(optimizer).__name__
        assert backend.get_value(loaded.optimizer.lr) == 0.5
        for a, b in zip(model.optimizer.get_weights(), loaded.optimizer.get_weights()):
            np.testing.assert_array_equal(a, b)
        loaded.train_on_batch(x, y)  # the ranks have different data, and stay equal
        every = hvd.allgather_object(loaded.get_weights())
        for a, b in zip(*every):
            np.testing.assert_allclose(a, b, 1e-6)
        backend.set_session(None)
print("passed")
"""


ESTIMATOR = """
import json, os, sys, numpy as np, sluice as sl, sluice.hvd as hvd
hvd.init()
masters = {"session_master": hvd.target(), "eval_session_master": hvd.target()}
os.environ["TF_CONFIG"] = json.dumps(masters)
def model_fn(features, labels, mode):
    w = sl.get_variable("w", initializer=float(hvd.rank()))
    loss = w * features
    train = hvd.DistributedOptimizer(sl.train.GradientDescentOptimizer(1.0)).minimize(
        loss, sl.train.get_global_step())
    return sl.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
estimator = sl.estimator.Estimator(model_fn, sys.argv[1] + str(hvd.rank()),
                                   sl.estimator.RunConfig(session_config=hvd.config()))
estimator.train(lambda: (sl.constant(hvd.rank() + 1.0), None), steps=2,
                hooks=[hvd.BroadcastGlobalVariablesHook(0)])
assert estimator.get_variable_value("w") == -3.0  # from rank 0's value, by the mean of 1 and 2
found = estimator.evaluate(lambda: (sl.constant(1.0), None), steps=1)
assert (found["loss"], found["global_step"]) == (-3.0, 2), found
print("passed")
"""


def ranks_pass(tmp_path, text, *arguments):
    program = tmp_path / "program.py"
    program.write_text(text)
    command = [os.path.join(BUILD, "sluice"), "run", "-np", "2", sys.executable, str(program)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout + done.stderr


def test_optimizers_of_loaded_models_reduce_gradients(tmp_path):
    pytest.importorskip("h5py")
    ranks_pass(tmp_path, LOADED, str(tmp_path / "model"))


def test_ranks_train_and_evaluate_an_estimator(tmp_path):
    ranks_pass(tmp_path, ESTIMATOR, str(tmp_path / "model"))


def test_two_ranks_train_as_one_on_the_whole_batch(tmp_path):
    ranks_pass(tmp_path, PROGRAM)
