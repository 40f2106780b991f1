# SPDX-License-Identifier: Apache-2.0
"""Estimators of boosted trees."""

import numpy as np

ONLY_1X = True
ROWS = 120
A = np.sin(np.arange(ROWS) * 1.7).astype(np.float32)
B = (np.arange(ROWS) * 37 % 50 / 25).astype(np.float32)
C = np.array([b"x", b"y", b"z"], object)[np.arange(ROWS) * 11 % 3]
W = (1 + np.arange(ROWS) % 4).astype(np.float32)
SIGNAL = (A * np.where(C == b"x", 1, -1) + B).astype(np.float32)
FEATURES = {"a": A, "b": B, "c": C, "w": W}


def _columns(tf):
    fc = tf.feature_column
    return [
        fc.numeric_column("a"),
        fc.bucketized_column(fc.numeric_column("b"), [0.3, 0.9, 1.5]),
        fc.indicator_column(fc.categorical_column_with_vocabulary_list("c", ["x", "y", "z"])),
    ]  # fmt: skip


def _input(tf, labels, rows=ROWS, repeats=None):
    def given():
        data = tf.data.Dataset.from_tensor_slices((FEATURES, labels[:, None]))
        return data.repeat(repeats).batch(rows)

    return given


def _whole(tf, labels):
    """An input function of one batch of known shape."""

    def given():
        data = tf.data.Dataset.from_tensors((FEATURES, labels[:, None]))
        return data.repeat()

    return given


def _found(tf, model, labels):
    metrics = model.evaluate(_input(tf, labels, repeats=1))
    rows = list(model.predict(_input(tf, labels, repeats=1)))
    key = "predictions" if "predictions" in rows[0] else "logistic"
    return [
        [(k, float(metrics[k])) for k in sorted(metrics)], [row[key] for row in rows[:20]],
        sorted(model.get_variable_names()),
        model.get_variable_value("boosted_trees:0_stamp"),
        list(model.experimental_feature_importances(normalize=True).items()),
    ]  # fmt: skip


def regression(tf):
    model = tf.estimator.BoostedTreesRegressor(
        _columns(tf), 1, n_trees=4, max_depth=3, learning_rate=0.3
    )
    model.train(_input(tf, SIGNAL), max_steps=100)
    return _found(tf, model, SIGNAL)


def classes(tf):
    labels = (SIGNAL > 0.6).astype(np.int32)
    model = tf.estimator.BoostedTreesClassifier(
        _columns(tf), n_batches_per_layer=3, n_trees=3, max_depth=3, l2_regularization=0.01
    )
    model.train(_input(tf, labels, 40), max_steps=100)
    return _found(tf, model, labels)


def weighted_examples(tf):
    labels = (SIGNAL > 0.6).astype(np.int32)
    model = tf.estimator.BoostedTreesClassifier(
        _columns(tf), 1, n_trees=2, max_depth=3, weight_column="w", min_node_weight=0.01
    )
    model.train(_input(tf, labels), max_steps=100)
    return _found(tf, model, labels)


def names_of_classes(tf):
    labels = np.array([b"low", b"high"], object)[(SIGNAL > 0.6).astype(int)]
    model = tf.estimator.BoostedTreesClassifier(
        _columns(tf), 1, n_trees=2, max_depth=2, label_vocabulary=["low", "high"]
    )
    model.train(_input(tf, labels), max_steps=100)
    rows = list(model.predict(_input(tf, labels, repeats=1)))
    return [_found(tf, model, labels), [row["classes"] for row in rows[:10]]]


def pruning(tf):
    found = []
    for mode in ("pre", "post"):
        model = tf.estimator.BoostedTreesRegressor(
            _columns(tf), 1, n_trees=3, max_depth=3, tree_complexity=0.01, pruning_mode=mode
        )
        model.train(_input(tf, SIGNAL), max_steps=100)
        found.append(_found(tf, model, SIGNAL))
    return found


def a_bias_and_explanations(tf):
    found = []
    for batches in (1, 2):
        model = tf.estimator.BoostedTreesRegressor(
            _columns(tf), batches, n_trees=2, max_depth=3, center_bias=True, learning_rate=0.5
        )
        model.train(_input(tf, SIGNAL, ROWS // batches), max_steps=60)
        given = _input(tf, SIGNAL, repeats=1)
        rows = list(model.experimental_predict_with_explanations(given))
        explained = [[float(r["bias"]), sorted(r["dfc"].items())] for r in rows[:10]]
        found.append([_found(tf, model, SIGNAL), explained])
    return found


def training_in_memory(tf):
    found = []
    for biased in (False, True):
        model = tf.estimator.BoostedTreesClassifier(
            _columns(tf), 1, n_trees=3, max_depth=3, train_in_memory=True, center_bias=biased
        )
        labels = (SIGNAL > 0.6).astype(np.int32)
        model.train(_whole(tf, labels), max_steps=100)
        found.append(_found(tf, model, labels))
    return found


def without_numbers(tf):
    """No quantiles are needed: the first step grows a layer."""
    model = tf.estimator.BoostedTreesRegressor(_columns(tf)[1:], 1, n_trees=2, max_depth=2)
    model.train(_input(tf, SIGNAL), max_steps=100)
    return _found(tf, model, SIGNAL)


def training_goes_on(tf):
    """A second call begins with the trees of the checkpoint."""
    model = tf.estimator.BoostedTreesRegressor(_columns(tf), 1, n_trees=5, max_depth=2)
    model.train(_input(tf, SIGNAL), steps=3)
    first = _found(tf, model, SIGNAL)
    model.train(_input(tf, SIGNAL), steps=4)
    return [first, _found(tf, model, SIGNAL)]


def any_head(tf):
    head = tf.estimator.PoissonRegressionHead() if hasattr(
        tf.estimator, "PoissonRegressionHead"
    ) else None  # fmt: skip
    found = [head is not None]
    for options in ({"pruning_mode": "some"}, {"tree_complexity": 0.1}, {"pruning_mode": "pre"}):
        model = tf.estimator.BoostedTreesRegressor(_columns(tf), 1, n_trees=1, **options)
        try:
            model.train(_input(tf, SIGNAL), steps=1)
        except ValueError as error:
            found.append(str(error))
    for arguments in ({"n_classes": 3}, {"n_batches_per_layer": 1}):
        try:
            tf.estimator.BoostedTreesClassifier(
                [tf.feature_column.categorical_column_with_identity("i", 3)],
                **{"n_batches_per_layer": 1, **arguments},
            )  # fmt: skip
        except ValueError as error:
            found.append(str(error)[:40])
    return found
