# SPDX-License-Identifier: Apache-2.0
"""Linear estimators trained by stochastic dual coordinate ascent.

Threads share the examples of a step, so only what training converges to is compared.
"""

import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

_DRAWN = np.random.RandomState(4)
_ROWS = {
    "age": _DRAWN.rand(24, 1).astype(np.float32),
    "sizes": _DRAWN.randn(24, 2).astype(np.float32),
    "job": np.array([b"a", b"b", b"c", b"d"], object)[_DRAWN.randint(0, 4, [24, 2])],
    "weight": _DRAWN.randint(1, 4, [24, 1]).astype(np.float32),
    "id": np.array([b"%d" % i for i in range(24)], object),
}
_NUMBERS = (_ROWS["sizes"][:, :1] * 2 - _ROWS["age"] + (_ROWS["job"][:, :1] == b"a")).astype(
    np.float32
)
_CLASSES = (_NUMBERS > 0.2).astype(np.int64)


def _input(tf, labels, repeats=True):
    def input_fn():
        rows = tf.data.Dataset.from_tensor_slices((_ROWS, labels))
        return (rows.repeat() if repeats else rows).batch(24)

    return input_fn


def _columns(tf):
    fc = tf.feature_column
    age = fc.numeric_column("age")
    return [
        age, fc.numeric_column("sizes", shape=(2,)), fc.bucketized_column(age, [0.3, 0.6]),
        fc.categorical_column_with_vocabulary_list("job", ["a", "b", "c"]),
    ]  # fmt: skip


def _found(tf, kind, labels, weight_column=None, **options):
    sdca = tf.estimator.experimental.LinearSDCA("id", **options)
    config = tf.estimator.RunConfig(tempfile.mkdtemp())
    model = kind(_columns(tf), optimizer=sdca, weight_column=weight_column, config=config)
    model.train(_input(tf, labels), steps=120)
    results = model.evaluate(_input(tf, labels, False))
    names = [name for name in model.get_variable_names() if "Sharded" not in name]
    values = {name: model.get_variable_value(name) for name in names}
    keys = model.get_variable_value("ShardedMutableHashTable-1-of-1-keys")
    return [
        {name: np.round(value, 2) for name, value in values.items()},
        {key: round(float(value), 2) for key, value in results.items()},
        [keys.shape[-1], len(keys) >= 24],
        sorted(model.get_variable_names()),
    ]


def regressor(tf):
    kind = tf.estimator.LinearRegressor
    return [
        _found(tf, kind, _NUMBERS),
        _found(tf, kind, _NUMBERS, "weight", symmetric_l1_regularization=1.5),
    ]


def classifier(tf):
    kind = tf.estimator.LinearClassifier
    return _found(tf, kind, _CLASSES, symmetric_l2_regularization=2.0, adaptive=True)


def what_does_not_fit(tf):
    sdca, columns = tf.estimator.experimental.LinearSDCA("id"), _columns(tf)
    linear = tf.estimator.LinearClassifier
    return [
        outcome(linear, columns, n_classes=3, optimizer=sdca),
        outcome(linear, columns, sparse_combiner="mean", optimizer=sdca),
        outcome(tf.estimator.LinearRegressor, columns, label_dimension=2, optimizer=sdca),
    ]
