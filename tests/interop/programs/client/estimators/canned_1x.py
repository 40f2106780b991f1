# SPDX-License-Identifier: Apache-2.0
"""Ready-made estimators: values, names in checkpoints and summaries, exports."""

import glob
import os
import tempfile

import numpy as np

ONLY_1X = True

_DRAWN = np.random.RandomState(1)
_ROWS = {
    "age": _DRAWN.randint(18, 70, 40).astype(np.float32),
    "hours": _DRAWN.rand(40).astype(np.float32) * 40,
    "edu": np.array([b"BA", b"MA", b"PhD"], object)[_DRAWN.randint(0, 3, 40)],
    "occ": np.array([b"a", b"b", b"c", b"d"], object)[_DRAWN.randint(0, 4, 40)],
}
_BINARY = ((_ROWS["age"] > 40) & (_ROWS["hours"] > 15)).astype(np.int64)
_THREE = _BINARY + (_ROWS["hours"] > 30)


def _input(tf, labels, repeats=True):
    def input_fn():
        rows = tf.data.Dataset.from_tensor_slices((_ROWS, labels))
        return (rows.repeat() if repeats else rows).batch(20)

    return input_fn


def _columns(tf):
    """(linear columns, deep columns)."""
    fc = tf.feature_column
    age = fc.numeric_column("age")
    hours = fc.numeric_column("hours", normalizer_fn=lambda x: (x - 20) / 10)
    edu = fc.categorical_column_with_vocabulary_list("edu", ["BA", "MA", "PhD"])
    occ = fc.categorical_column_with_hash_bucket("occ", 10)
    ages = fc.bucketized_column(age, [25, 35, 50])
    linear = [edu, occ, ages, fc.crossed_column(["edu", "occ"], hash_bucket_size=20)]
    return linear, [hours, fc.indicator_column(edu), fc.embedding_column(occ, 4), ages]


def _found(tf, make, labels):
    """What a few steps, an evaluation and predictions give, and all names."""
    losses = []

    class Seen(tf.train.SessionRunHook):
        def before_run(self, run_context):
            found = tf.get_default_graph().get_collection(tf.GraphKeys.LOSSES)
            return tf.train.SessionRunArgs(found[-1])

        def after_run(self, run_context, run_values):
            losses.append(float(run_values.results))

    config = tf.estimator.RunConfig(tempfile.mkdtemp(), tf_random_seed=5, save_summary_steps=2)
    estimator = make(config=config)
    estimator.train(_input(tf, labels), hooks=[Seen()], steps=3)
    results = estimator.evaluate(_input(tf, labels, False))
    first = next(estimator.predict(_input(tf, labels, False)))
    tags = [_tags(tf, folder) for folder in (estimator.model_dir, estimator.eval_dir())]
    return [losses, results, first, estimator.get_variable_names(), *tags]


def _tags(tf, folder):
    found = set()
    for path in glob.glob(os.path.join(folder, "*tfevents*")):
        for event in tf.train.summary_iterator(path):
            found |= {v.tag for v in event.summary.value}
    return sorted(found)


def deep_classifier(tf):
    return _found(tf, lambda **k: tf.estimator.DNNClassifier([6, 3], _columns(tf)[1], **k), _BINARY)


def deep_classifier_with_dropout(tf):
    return _found(
        tf,
        lambda **k: tf.estimator.DNNClassifier(
            [4], _columns(tf)[1], n_classes=3, dropout=0.3, batch_norm=True, optimizer="Adam",
            activation_fn=tf.nn.tanh, **k,
        ),
        _THREE,
    )  # fmt: skip


def linear_classifier(tf):
    return _found(tf, lambda **k: tf.estimator.LinearClassifier(_columns(tf)[0], **k), _BINARY)


def wide_and_deep(tf):
    linear, deep = _columns(tf)
    return _found(
        tf,
        lambda **k: tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=linear, dnn_feature_columns=deep, dnn_hidden_units=[5], **k
        ),
        _BINARY,
    )


def linear_regressor_with_weights(tf):
    hours = tf.feature_column.numeric_column("hours")
    return _found(
        tf,
        lambda **k: tf.estimator.LinearRegressor([hours], weight_column="age", **k),
        _ROWS["hours"] / 10,
    )


def deep_regressor(tf):
    hours = tf.feature_column.numeric_column("hours")
    return _found(
        tf,
        lambda **k: tf.estimator.DNNRegressor(
            [4], [hours], optimizer=lambda: tf.train.GradientDescentOptimizer(0.001),
            loss_reduction=tf.losses.Reduction.MEAN, **k,
        ),
        _ROWS["hours"] / 10,
    )  # fmt: skip


def baselines(tf):
    return [
        _found(tf, lambda **k: tf.estimator.BaselineClassifier(n_classes=3, **k), _THREE),
        _found(tf, lambda **k: tf.estimator.BaselineRegressor(**k), _ROWS["age"]),
    ]


def words_as_labels(tf):
    labels = np.array([b"no", b"yes"], object)[_BINARY]
    return _found(
        tf,
        lambda **k: tf.estimator.LinearClassifier(
            _columns(tf)[0][:1], label_vocabulary=["no", "yes"], **k
        ),
        labels,
    )


def exported_classifier(tf):
    _, deep = _columns(tf)
    estimator = tf.estimator.DNNClassifier([3], deep, n_classes=3)
    estimator.train(_input(tf, _THREE), steps=1)
    spec = tf.feature_column.make_parse_example_spec(deep)
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = estimator.export_saved_model(tempfile.mkdtemp(), receiver).decode()
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.load(sess, ["serve"], path)
        found = {
            key: [
                s.method_name,
                sorted(s.inputs),
                sorted((k, v.name) for k, v in s.outputs.items()),
            ]
            for key, s in model.signature_def.items()
        }
    return found


def own_optimizers(tf):
    """minimize() of an optimizer that takes no variables."""

    class Own(tf.train.GradientDescentOptimizer):
        def minimize(self, loss, global_step=None):
            return super().minimize(loss, global_step=global_step)

    column = tf.feature_column.numeric_column("x")
    estimator = tf.estimator.LinearClassifier([column], optimizer=Own(0.5))
    x, y = np.array([[1.0], [2.0]]), np.array([[0], [1]])
    data = tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=2, shuffle=False)
    estimator.train(data, steps=1)
    return [
        estimator.get_variable_value(f"linear/linear_model/{n}")
        for n in ("x/weights", "bias_weights")
    ]
