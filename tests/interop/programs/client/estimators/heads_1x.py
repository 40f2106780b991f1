# SPDX-License-Identifier: Apache-2.0
"""Heads: losses, predictions, metrics and specs, alone and several together."""

import tempfile

import numpy as np

ONLY_1X = True

_DRAWN = np.random.RandomState(5)
_X = _DRAWN.randn(12, 3).astype(np.float32)
_WEIGHTS = (_DRAWN.randint(1, 4, [12, 1])).astype(np.float32)
_BINARY = (_X[:, :1] > 0).astype(np.int64)
_THREE = _X.argmax(1)[:, None].astype(np.int64)
_LABELS = (_X > 0.2).astype(np.int64)
_NUMBERS = (_X[:, :2] * 2 + 1).astype(np.float32)
_COUNTS = np.abs(_X[:, :1] * 3).round().astype(np.float32)


def _input(tf, labels, repeats=True):
    def input_fn():
        rows = tf.data.Dataset.from_tensor_slices(({"x": _X, "w": _WEIGHTS}, labels))
        return (rows.repeat() if repeats else rows).batch(5)

    return input_fn


def _logits(tf, features, size, name="logits"):
    start = tf.constant(np.linspace(-1, 1, 3 * size, dtype=np.float32).reshape(3, size))
    return tf.matmul(features["x"], tf.get_variable(name, initializer=start, use_resource=True))


def _used(tf, make, labels, regularized=False):
    """What two steps, an evaluation and predictions with a head give."""

    def model_fn(features, labels, mode):
        head = make()
        logits, more = _logits(tf, features, head.logits_dimension), {}
        if regularized and mode != "infer":
            more["regularization_losses"] = [
                0.1 * tf.reduce_sum(tf.square(logits)),
                tf.constant(2.0),
            ]

        def train_op_fn(loss):
            step = tf.train.get_global_step()
            return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)

        return head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn,
            **more,
        )  # fmt: skip

    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    model.train(_input(tf, labels), steps=2)
    results = model.evaluate(_input(tf, labels, False))
    predicted = next(model.predict(_input(tf, labels, False)))
    return [
        results,
        {str(key): value for key, value in predicted.items()},
        model.get_variable_names(),
        model.get_variable_value("logits"),
    ]


def two_classes(tf):
    return _used(tf, lambda: tf.estimator.BinaryClassHead(), _BINARY)


def two_classes_with_all_options(tf):
    def make():
        return tf.estimator.BinaryClassHead(
            weight_column="w", thresholds=[0.3, 0.7], name="sign",
            loss_reduction="sum",
        )  # fmt: skip

    return [_used(tf, make, _BINARY), _used(tf, make, _BINARY, True)]


def two_classes_with_names(tf):
    labels = np.array([[b"no"], [b"yes"]], object)[_BINARY[:, 0]]
    return _used(tf, lambda: tf.estimator.BinaryClassHead(label_vocabulary=["no", "yes"]), labels)


def three_classes(tf):
    return [
        _used(tf, lambda: tf.estimator.MultiClassHead(3), _THREE),
        _used(tf, lambda: tf.estimator.MultiClassHead(3, "w", name="kind"), _THREE, True),
    ]


def several_labels(tf):
    head = tf.estimator.MultiLabelHead
    return [
        _used(tf, lambda: head(3), _LABELS),
        _used(tf, lambda: head(3, "w", [0.4], name="all"), _LABELS),
        _used(tf, lambda: head(3, classes_for_class_based_metrics=[0, 2]), _LABELS),
        _used(
            tf,
            lambda: head(
                3, label_vocabulary=["a", "b", "c"], classes_for_class_based_metrics=["b"]
            ),
            _LABELS,
        ),
    ]


def labels_as_lists(tf):
    """Labels are sparse: the classes that are true."""

    def loss(values, **options):
        labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], values, [2, 2])
        head = tf.estimator.MultiLabelHead(3, **options)
        return head.loss(labels, tf.constant(_X[:2]), {})

    found = [
        loss(tf.constant([0, 2, 1], tf.int64)),
        loss(tf.constant(["c", "a", "b"]), label_vocabulary=["a", "b", "c"]),
    ]
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        return sess.run(found)


def numbers(tf):
    head = tf.estimator.RegressionHead
    return [
        _used(tf, lambda: head(2), _NUMBERS),
        _used(tf, lambda: head(2, "w", name="pair"), _NUMBERS, True),
        _used(tf, lambda: head(1, inverse_link_fn=tf.exp), _COUNTS),
    ]


def other_numbers(tf):
    return [
        _used(tf, lambda: tf.estimator.PoissonRegressionHead(), _COUNTS),
        _used(tf, lambda: tf.estimator.PoissonRegressionHead(compute_full_loss=False), _COUNTS),
        _used(tf, lambda: tf.estimator.LogisticRegressionHead("w"), _BINARY.astype(np.float32)),
    ]


def own_losses(tf):
    def absolute(labels, logits):
        return tf.abs(labels - logits)

    return _used(tf, lambda: tf.estimator.RegressionHead(2, loss_fn=absolute), _NUMBERS)


def _heads(tf):
    return [
        tf.estimator.BinaryClassHead("w", name="sign"),
        tf.estimator.MultiClassHead(3, name="kind"),
        tf.estimator.RegressionHead(2, name="pair"),
    ]


_ALL = {"sign": _BINARY, "kind": _THREE, "pair": _NUMBERS}


def several_heads(tf):
    return [
        _used(tf, lambda: tf.estimator.MultiHead(_heads(tf)), _ALL),
        _used(tf, lambda: tf.estimator.MultiHead(_heads(tf), [1.0, 0.5, 2.0]), _ALL, True),
    ]


def several_heads_alone(tf):
    """Without an estimator, and with logits by name."""
    head = tf.estimator.MultiHead(_heads(tf), head_weights=[1.0, 0.0, 0.5])
    features = {"x": tf.constant(_X), "w": tf.constant(_WEIGHTS)}
    labels = {key: tf.constant(value) for key, value in _ALL.items()}
    sizes = {"sign": 1, "kind": 3, "pair": 2}
    logits = {key: _logits(tf, features, size, key) for key, size in sizes.items()}
    loss = head.loss(labels, logits, features, regularization_losses=[tf.constant(0.25)])
    predictions = {str(k): v for k, v in head.predictions(logits).items()}
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return [
            head.name, head.logits_dimension, head.loss_reduction,
            *sess.run([loss, predictions]),
        ]  # fmt: skip


def exported_heads(tf):
    def model_fn(features, labels, mode):
        head = tf.estimator.MultiHead(_heads(tf))
        logits = _logits(tf, features, head.logits_dimension)
        return head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels,
            train_op_fn=lambda loss: tf.assign_add(tf.train.get_global_step(), 1),
        )  # fmt: skip

    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    model.train(_input(tf, _ALL), steps=1)
    spec = {"x": tf.FixedLenFeature([3], tf.float32), "w": tf.FixedLenFeature([1], tf.float32)}
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = model.export_saved_model(tempfile.mkdtemp(), receiver).decode()
    with tf.Graph().as_default(), tf.Session() as sess:
        found = tf.saved_model.load(sess, ["serve"], path).signature_def
        return {k: [s.method_name, sorted(s.inputs), sorted(s.outputs)] for k, s in found.items()}


def metrics_of_heads(tf):
    """metrics() and update_metrics(), without an estimator."""
    found = []
    features = {"x": tf.constant(_X), "w": tf.constant(_WEIGHTS)}
    for head, labels in (
        (tf.estimator.BinaryClassHead("w", [0.5]), _BINARY),
        (tf.estimator.MultiClassHead(3), _THREE),
        (tf.estimator.MultiLabelHead(3, "w", classes_for_class_based_metrics=[1]), _LABELS),
        (tf.estimator.RegressionHead(2), _NUMBERS),
    ):
        with tf.Graph().as_default(), tf.Session() as sess:
            features = {"x": tf.constant(_X), "w": tf.constant(_WEIGHTS)}
            metrics = head.metrics(regularization_losses=[1.0])
            keys = sorted(metrics)
            logits = _logits(tf, features, head.logits_dimension)
            updated = head.update_metrics(
                metrics, features, logits, tf.constant(labels), regularization_losses=[1.0]
            )
            variables = [v for metric in updated.values() for v in metric.variables]
            sess.run(tf.global_variables_initializer())
            sess.run(tf.variables_initializer(variables))
            sess.run([u for metric in updated.values() for u in metric.updates])
            results = {key: metric.result() for key, metric in updated.items()}
            found.append([keys, sess.run(results), head.loss_reduction])
    return found


def chosen_predictions(tf):
    head = tf.estimator.BinaryClassHead()
    found = head.predictions(tf.constant(_X[:, :1]), ["logistic", "class_ids"])
    return [sorted(found), tf.Session().run(found)]


def unknown_prediction(tf):
    tf.estimator.BinaryClassHead().predictions(tf.constant(_X[:, :1]), ["chances"])


def heads_without_names(tf):
    tf.estimator.MultiHead([tf.estimator.BinaryClassHead()])


def no_heads(tf):
    tf.estimator.MultiHead([])


def too_many_weights(tf):
    tf.estimator.MultiHead(_heads(tf), [1.0])


def missing_labels(tf):
    head = tf.estimator.MultiHead(_heads(tf))
    head.loss({"sign": tf.constant(_BINARY)}, tf.ones([12, 6]), {"w": tf.constant(_WEIGHTS)})


def wrong_logits(tf):
    tf.estimator.MultiHead(_heads(tf)).predictions(tf.ones([12, 5]))


def trained_by_keras(tf):
    """The optimizer is one of Keras, which counts the steps."""

    def model_fn(features, labels, mode):
        logits = _logits(tf, features, 1)
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.iterations = tf.train.get_or_create_global_step()
        return tf.estimator.BinaryClassHead().create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, optimizer=optimizer,
            trainable_variables=tf.trainable_variables(),
        )  # fmt: skip

    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    model.train(_input(tf, _BINARY), steps=3)
    return [model.get_variable_value("logits"), int(model.get_variable_value("global_step"))]


def metrics_of_keras_by_updates(tf):
    """update_state() makes the update of a metric that a model function returns."""

    class Hits(tf.keras.metrics.Metric):
        def __init__(self):
            super().__init__(name="hits")
            self.count = self.add_weight(name="count", initializer="zeros")

        def update_state(self, y_true, y_pred, sample_weight=None):
            same = tf.cast(tf.equal(tf.cast(y_true, tf.float32), y_pred), tf.float32)
            self.count.assign_add(tf.reduce_sum(same))

        def result(self):
            return self.count

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", initializer=[[1.0], [0.0], [0.1]])
        guess = tf.cast(tf.matmul(features["x"], w) > 0, tf.float32)
        found = {}
        for key, metric in (("accuracy", tf.keras.metrics.Accuracy()), ("hits", Hits())):
            metric.update_state(labels, guess)
            found[key] = metric
        loss = tf.reduce_mean(tf.square(guess - tf.cast(labels, tf.float32)))
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return tf.estimator.EstimatorSpec(mode, guess, loss, step, found)

    model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    model.train(_input(tf, _BINARY), steps=1)
    return model.evaluate(_input(tf, _BINARY, False))


def logit_functions(tf):
    call, found = tf.estimator.experimental.call_logit_fn, []

    def all_of(features, mode, params, config):
        return features["x"] * params + (1.0 if mode == "train" and config is None else 0.0)

    def named(features):
        return {"a": features["x"], "b": -features["x"]}

    features = {"x": tf.constant(_X[:2])}
    found = [call(all_of, features, "train", 2.0, None), call(named, features, "eval", None, None)]
    return tf.Session().run(found)


def wrong_logit_function(tf):
    call = tf.estimator.experimental.call_logit_fn
    call(lambda features: [features], tf.constant(1.0), "train", None, None)


def strategies_of_a_config(tf):
    class Both:
        train_distribute = tf.distribute.OneDeviceStrategy("/cpu:0")
        eval_distribute = None
        remote_cluster = None

    config = tf.estimator.RunConfig(experimental_distribute=Both)
    return config.train_distribute is not None


def more_metrics(tf):
    def model_fn(features, labels, mode):
        head = tf.estimator.BinaryClassHead()
        step = tf.train.get_global_step()
        return head.create_estimator_spec(
            features=features, mode=mode, logits=_logits(tf, features, 1), labels=labels,
            train_op_fn=lambda loss: tf.assign_add(step, 1),
        )  # fmt: skip

    def metric_fn(features, labels, predictions, config):
        values = tf.reduce_sum(features["x"], 1, keepdims=True) * predictions["logistic"]
        return {
            "extra": tf.metrics.mean(values, features["w"]),
            "accuracy": tf.metrics.mean(labels),
            "saves": tf.metrics.mean(float(config.save_summary_steps)),
        }

    config = tf.estimator.RunConfig(tempfile.mkdtemp(), save_summary_steps=7)
    model = tf.estimator.Estimator(model_fn, config=config)
    model.train(_input(tf, _BINARY), steps=1)
    more = tf.estimator.add_metrics(model, metric_fn)
    return more.evaluate(_input(tf, _BINARY, False))


def wrong_metric_function(tf):
    model = tf.estimator.Estimator(lambda features, labels, mode: None, tempfile.mkdtemp())
    tf.estimator.add_metrics(model, lambda features, others: {})
