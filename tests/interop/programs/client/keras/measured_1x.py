# SPDX-License-Identifier: Apache-2.0
"""Metrics: their names in a model, what their methods return, and classes of the program."""

import numpy as np

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True

X, Y = np.cos(np.arange(12.0)).reshape(4, 3), np.arange(4.0).reshape(4, 1) % 2


def _net(tf, outputs=1):
    x = tf.keras.Input((3,))
    layers = [
        tf.keras.layers.Dense(1, "sigmoid", kernel_initializer="ones", name=f"out{i}")
        for i in range(outputs)
    ]
    return tf.keras.Model(x, [layer(x) for layer in layers])


def names_of_metrics(tf):
    found, metrics = [], tf.keras.metrics
    for _ in range(2):
        net = _net(tf)
        net.compile("sgd", "mse", ["AUC", "mae"], weighted_metrics=[metrics.Recall(name="r")])
        found.append(net.metrics_names)
        net.compile("sgd", "mse", ["AUC", metrics.AUC(), metrics.AUC(), "Precision"])
        found.append(net.metrics_names)
    return found


def one_metric_for_two_outputs(tf):
    net = _net(tf, 2)
    net.compile("sgd", "mse", [tf.keras.metrics.MeanAbsoluteError(name="off"), "acc"])
    history = net.fit(X, [Y, 0 * Y], shuffle=False, verbose=0).history
    return {k: np.round(v, 5).tolist() for k, v in history.items()}, net.metrics_names


def what_updates_return(tf):
    metrics, session = tf.keras.metrics, tf.keras.backend.get_session()
    found = []
    for metric, args in (
        (metrics.Mean(), [[1.0, 3.0]]), (metrics.Sum(), [[1.0, 3.0]]),
        (metrics.MeanSquaredError(), [[1.0, 3.0], [2.0, 2.0]]),
        (metrics.MeanIoU(2), [[0, 1], [1, 1]]),
    ):  # fmt: skip
        session.run([v.initializer for v in metric.variables])
        update = metric.update_state(*args)
        found.append([session.run(update), session.run(metric.result()), len(metric.updates)])
        found.append(hasattr(metric(*args), "_metric_obj"))
    return found


def metrics_that_cannot_be_made(tf):
    class Half(tf.keras.metrics.Metric):
        def result(self):
            return 1.0

    metrics = tf.keras.metrics
    return [
        says("abstract", metrics.Metric), says("abstract", Half),
        says("", metrics.AUC, thresholds=[0.5, 2.0]),
        list(metrics.AUC(thresholds=[0.7, 0.5]).thresholds),
        metrics.get("accuracy").__name__, says("Could not interpret", metrics.get, None),
    ]  # fmt: skip


def weights_of_matrices(tf):
    """Weights that lack the last dimension count for each value of a row."""
    values, found = np.arange(6, dtype=np.float32).reshape(3, 2), []
    weights = np.array([0.5, 1.0, 2.0], np.float32)
    shapes = [(values, weights), (values, weights[:, None]), (values[..., None], weights),
              (values[:, :1], weights), (weights, weights[:, None]), (values, 2.0)]  # fmt: skip
    with tf.Session() as session:
        for kind in (tf.keras.metrics.Mean, tf.keras.metrics.Sum):
            for given, weight in shapes:
                metric = kind()
                updates = [metric.update_state(values), metric.update_state(given, weight)]
                result = metric.result()
                session.run([v.initializer for v in metric.variables])
                for update in updates:
                    session.run(update)
                found.append(float(session.run(result)))
    return found


def predictions_outside_of_0_and_1(tf):
    """Only weights that lack a dimension make a metric check its predictions."""
    found, metrics = [], tf.keras.metrics

    def value(metric, weights):
        update = metric.update_state([[0, 1], [1, 1]], [[2.0, -1.0], [0.5, 0.3]], weights)
        with tf.Session() as session:
            session.run([v.initializer for v in metric.variables])
            session.run(update)
            found.append(float(session.run(metric.result())))

    for make in (metrics.AUC, metrics.Precision, metrics.FalseNegatives):
        for weights in (None, [[1.0, 1.0], [2.0, 2.0]], [[1.0], [2.0]], [1.0, 2.0]):
            found.append(outcome(value, make(), weights))
    net = tf.keras.Sequential([tf.keras.layers.Dense(2, "linear", False, "ones")])
    net.compile("sgd", "mse", metrics=[metrics.AUC()])
    return found, len(net.fit(X, np.ones((4, 2)), verbose=0).history)
