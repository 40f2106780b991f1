# SPDX-License-Identifier: Apache-2.0
"""Less common arguments of compile()."""

import numpy as np

ONLY_1X = True
X = np.cos(np.arange(60)).reshape(5, 4, 3).astype(np.float32)
Y = np.sin(np.arange(40)).reshape(5, 4, 2).astype(np.float32)
STEPS = (np.arange(20).reshape(5, 4) % 3).astype(np.float32)


def _model(tf):
    keras = tf.keras
    layer = keras.layers.SimpleRNN(
        2, return_sequences=True, kernel_initializer=keras.initializers.Constant(0.2),
        recurrent_initializer="identity", input_shape=(4, 3),
    )  # fmt: skip
    return keras.Sequential([layer])


def weights_of_steps(tf):
    model = _model(tf)
    model.compile(
        tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"], weighted_metrics=["mse"],
        sample_weight_mode="temporal",
    )  # fmt: skip
    fitted = model.fit(X, Y, 2, 2, shuffle=False, verbose=0, sample_weight=STEPS).history
    return [
        fitted, model.evaluate(X, Y, verbose=0, sample_weight=STEPS),
        model.evaluate(X, Y, verbose=0), model.train_on_batch(X, Y, sample_weight=STEPS),
        model.sample_weight_mode,
    ]  # fmt: skip


def weights_of_masked_steps(tf):
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Masking(input_shape=(4, 3)), keras.layers.SimpleRNN(
            2, return_sequences=True, kernel_initializer="ones", recurrent_initializer="identity"
        ),
    ])  # fmt: skip
    model.compile("sgd", "mae", sample_weight_mode="temporal")
    x = X.copy()
    x[1, 2:] = 0
    return [model.train_on_batch(x, Y, sample_weight=STEPS) for _ in range(2)]


def modes_of_outputs(tf):
    keras = tf.keras
    given = keras.Input((4, 3))
    steps = keras.layers.Dense(2, kernel_initializer="ones", name="steps")(given)
    last = keras.layers.Lambda(lambda t: t[:, -1], name="last")(steps)
    model = keras.Model(given, [steps, last])
    model.compile("sgd", "mse", sample_weight_mode={"steps": "temporal", "last": None})
    weights = {"steps": STEPS, "last": np.arange(5.0)}
    found = [model.evaluate(X, [Y, Y[:, -1]], verbose=0, sample_weight=weights)]
    model.compile("sgd", "mse", sample_weight_mode=["temporal", None])
    found.append(model.evaluate(X, [Y, Y[:, -1]], verbose=0, sample_weight=[STEPS, np.ones(5)]))
    return found


def weights_that_do_not_fit(tf):
    found = []
    for mode, weights, target in (
        ("temporal", np.ones(5), Y), ("temporal", STEPS, Y[:, -1]), (None, STEPS, Y),
        ("temporal", np.ones((5, 3)), Y),
    ):  # fmt: skip
        model = _model(tf)
        if target.ndim == 2:
            model.add(tf.keras.layers.Lambda(lambda t: t[:, -1]))
        try:
            model.compile("sgd", "mse", sample_weight_mode=mode)
            model.train_on_batch(X, target, sample_weight=weights)
            found.append("fine")
        except ValueError as error:
            found.append("ValueError " + str(error)[:30])
    return found


def running_eagerly(tf):
    model = _model(tf)
    model.compile("sgd", "mse", run_eagerly=False)
    found = [model.train_on_batch(X, Y)]
    try:
        model.compile("sgd", "mse", run_eagerly=True)
    except ValueError as error:
        found.append(str(error))
    return found


def options_of_steps(tf):
    model, metadata = _model(tf), tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    model.compile("sgd", "mse", options=options, run_metadata=metadata)
    found = [model.train_on_batch(X, Y)]
    return found + [len(metadata.step_stats.dev_stats) > 0]


def fetches_of_steps(tf):
    model = _model(tf)
    count = tf.Variable(0.0, use_resource=True)
    tf.keras.backend.get_session().run(count.initializer)
    model.compile("sgd", "mse", fetches=[count.assign_add(1.0)])
    model.fit(X, Y, 1, 2, verbose=0)
    found = [tf.keras.backend.get_session().run(count)]
    try:
        model.compile("sgd", "mse", other=3)
        model.train_on_batch(X, Y)
    except ValueError as error:
        found.append(str(error)[:24])
    return found


def one_replica(tf):
    model = _model(tf)
    model.compile("sgd", "mse", distribute=None)
    return model.train_on_batch(X, Y)
