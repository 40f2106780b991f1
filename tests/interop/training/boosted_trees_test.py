# SPDX-License-Identifier: Apache-2.0
"""Estimators of boosted trees on our server and on TensorFlow's: the same trees and losses.

TensorFlow 2 no longer has them.
"""

import json
import os
import tempfile
from unittest import mock

import numpy as np
import pytest

from interop.tools.tables import LATER, tf

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(LATER, reason="TensorFlow 2 has no estimators of boosted trees"),
]
JOBS = {"worker": 1}
ROWS = 240


def examples():
    """Numbers, a category and weights; the labels depend on all of the features."""
    rng = np.random.RandomState(5)
    features = {
        "a": rng.randn(ROWS).astype(np.float32),
        "b": rng.exponential(size=ROWS).astype(np.float32),
        "c": np.array([b"x", b"y", b"z"], object)[rng.randint(0, 3, ROWS)],
        "w": rng.uniform(0.5, 2, ROWS).astype(np.float32),
    }
    signal = features["a"] * np.where(features["c"] == b"x", 1, -1) + features["b"]
    return features, (signal + 0.3 * rng.randn(ROWS)).astype(np.float32)


def columns():
    fc = tf.feature_column
    return [
        fc.numeric_column("a"),
        fc.bucketized_column(fc.numeric_column("b"), [0.2, 0.5, 1.0, 2.0]),
        fc.indicator_column(fc.categorical_column_with_vocabulary_list("c", ["x", "y", "z"])),
    ]


def input_fn(batch, regression, repeat):
    features, signal = examples()
    labels = signal if regression else (signal > 0.5).astype(np.int32)

    def make():
        data = tf.data.Dataset.from_tensor_slices((features, labels[:, np.newaxis]))
        return data.repeat(repeat).batch(batch)

    return make


def outcome(target, regression, batch, steps, **options):
    kind = tf.estimator.BoostedTreesRegressor if regression else None
    tf.Session.reset(target)  # ensembles outlive sessions
    masters = {"session_master": target, "eval_session_master": target}
    with tempfile.TemporaryDirectory() as folder:
        with mock.patch.dict(os.environ, TF_CONFIG=json.dumps(masters)):
            config = tf.estimator.RunConfig(model_dir=folder, tf_random_seed=3)
        assert config.master == target and config.evaluation_master == target
        model = (kind or tf.estimator.BoostedTreesClassifier)(
            columns(), n_batches_per_layer=ROWS // batch, config=config, **options
        )
        model.train(input_fn(batch, regression, None), max_steps=steps)
        found = {"evaluated": model.evaluate(input_fn(batch, regression, 1))}
        found["predicted"] = [
            {key: value for key, value in row.items() if value.dtype != object}
            for row in model.predict(input_fn(batch, regression, 1))
        ]
        name = next(n for n in model.get_variable_names() if n.endswith("_serialized"))
        found["trees"] = model.get_variable_value(name)
        found["boundaries"] = {
            n: model.get_variable_value(n)
            for n in model.get_variable_names()
            if "bucket_boundaries" in n
        }
        if options.get("center_bias"):
            found["explained"] = [
                (row["bias"], row["dfc"])
                for row in model.experimental_predict_with_explanations(
                    input_fn(batch, regression, 1)
                )
            ]
        return found


def trees_in(serialized):
    """The splits of all trees and the values of their leaves; gradients differ in the last bit."""
    from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2

    splits, values = [], []
    for tree in boosted_trees_pb2.TreeEnsemble.FromString(serialized).trees:
        for node in tree.nodes:
            splits.append(str(node.bucketized_split))
            values += [node.leaf.scalar, node.metadata.gain, node.metadata.original_leaf.scalar]
    return splits, values


def close(actual, expected):
    """Sums over a batch are rounded in another order."""
    if isinstance(expected, dict):
        assert sorted(actual) == sorted(expected)
        for key, value in expected.items():
            close(actual[key], value)
    elif isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected):
            close(a, e)
    elif isinstance(expected, bytes):
        assert actual == expected
    else:
        np.testing.assert_allclose(actual, expected, 1e-4, 1e-5)


MODELS = [
    {"regression": False, "batch": 240, "steps": 24, "n_trees": 6, "max_depth": 3},
    {"regression": True, "batch": 240, "steps": 24, "n_trees": 6, "max_depth": 4},
    {
        "regression": False,
        "batch": 60,
        "steps": 48,
        "n_trees": 5,
        "max_depth": 2,
        "center_bias": True,
        "weight_column": "w",
    },
    {
        "regression": True,
        "batch": 80,
        "steps": 50,
        "n_trees": 4,
        "max_depth": 3,
        "center_bias": True,
        "weight_column": "w",
        "l1_regularization": 0.01,
        "l2_regularization": 0.1,
        "tree_complexity": 0.005,
        "pruning_mode": "post",
        "learning_rate": 0.4,
    },
    {
        "regression": True,
        "batch": 120,
        "steps": 30,
        "n_trees": 4,
        "max_depth": 4,
        "tree_complexity": 0.01,
        "pruning_mode": "pre",
        "min_node_weight": 0.02,
    },
]


@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_model(ours, theirs, model):
    actual = outcome(ours.target(), **model)
    expected = outcome(theirs.target(), **model)
    assert len(actual["trees"]) > 200, "the trees grew"
    for found in (actual, expected):
        found["trees"], found["values"] = trees_in(found["trees"])
    assert actual.pop("trees") == expected.pop("trees")
    np.testing.assert_equal(actual["boundaries"], expected["boundaries"])
    close(actual, expected)
