# SPDX-License-Identifier: Apache-2.0
"""Programs that import modules of TensorFlow's sources for estimators and columns."""

import importlib

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True

_X = np.cos(np.arange(24)).reshape(12, 2).astype(np.float32)
_CLASSES = (np.arange(12) * 5 % 3).astype(np.int64)


def _module(tf, path):
    """The module of a path such as "estimator.canned.head"."""
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def heads_of_ready_made_estimators(tf):
    head, found = _module(tf, "estimator.canned.head"), []
    cases = [
        (head._regression_head(label_dimension=2), _X),
        (head._multi_class_head_with_softmax_cross_entropy_loss(3), _CLASSES[:, None]),
        (head._binary_logistic_head_with_sigmoid_cross_entropy_loss(), _CLASSES[:, None] % 2),
        (head._binary_logistic_or_multi_class_head(2, None, None, "weighted_sum"),
         _CLASSES[:, None] % 2),
    ]  # fmt: skip
    for made, labels in cases:

        def model_fn(features, labels, mode, made=made):
            logits = tf.layers.dense(
                features["x"], made.logits_dimension,
                kernel_initializer=tf.constant_initializer(0.3),
            )  # fmt: skip
            return made.create_estimator_spec(
                features=features, mode=mode, labels=labels, logits=logits,
                optimizer=tf.train.GradientDescentOptimizer(0.01),
            )  # fmt: skip

        given = tf.estimator.inputs.numpy_input_fn({"x": _X}, labels, 4, 2, shuffle=False)
        estimator = tf.estimator.Estimator(model_fn)
        estimator.train(given)
        metrics = estimator.evaluate(given)
        values = [(k, float(metrics[k])) for k in sorted(metrics)]
        found.append([isinstance(made, head._Head), values])
    return found


def heads_of_programs(tf):
    """Ready-made estimators call a head's method by names of arguments."""
    given = []

    class Own:
        logits_dimension, name = 1, "own"

        def create_estimator_spec(self, labels, optimizer, features, logits, mode, **more):
            given.append(sorted(more))
            loss = tf.reduce_mean(tf.square(logits - labels))
            step = optimizer.minimize(loss, tf.train.get_global_step())
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    root = "tensorflow_estimator" if tf.__name__.startswith("tensorflow") else tf.__name__
    dnn = importlib.import_module(f"{root}.python.estimator.canned.dnn")
    linear = importlib.import_module(f"{root}.python.estimator.canned.linear")
    column = [tf.feature_column.numeric_column("x", [2])]
    features, labels = {"x": tf.constant(_X)}, tf.constant(_X[:, :1])
    tf.train.create_global_step()
    deep = dnn._dnn_model_fn(
        features=features, labels=labels, mode="train", head=Own(), hidden_units=[3],
        feature_columns=column, optimizer=tf.train.GradientDescentOptimizer(0.1),
    )  # fmt: skip
    flat = linear._linear_model_fn(
        features=features, labels=labels, mode="train", head=Own(), feature_columns=column,
        optimizer=tf.train.GradientDescentOptimizer(0.1), partitioner=None,
        config=tf.estimator.RunConfig(),
    )  # fmt: skip
    return [given, [v.op.name for v in tf.trainable_variables()], deep.mode, flat.mode]


def optimizers_by_name(tf):
    get = _module(tf, "estimator.canned.optimizers").get_optimizer_instance
    own = tf.train.AdamOptimizer()
    names = "Adagrad", "Adam", "Ftrl", "RMSProp", "SGD"
    found = [type(get(name, 0.1)).__name__ for name in names]
    found += [get(own) is own, type(get(lambda: own)).__name__]
    return [*found, *(outcome(get, *given) for given in (("SGD",), ("Best", 0.1), (3,)))]


def keys_and_names(tf):
    found = [
        _module(tf, "estimator.canned.metric_keys").MetricKeys.LOSS_MEAN,
        _module(tf, "estimator.canned.prediction_keys").PredictionKeys.CLASS_IDS,
        _module(tf, "estimator.run_config").TaskType.CHIEF,
        _module(tf, "estimator.export.export").ServingInputReceiver.__name__,
    ]
    lib = _module(tf, "estimator.estimator_lib")
    names = "Estimator DNNClassifier EvalSpec RunConfig stop_if_no_increase_hook train_and_evaluate"
    found += [hasattr(lib, name) for name in names.split()]
    run_config = _module(tf, "estimator.run_config").get_default_session_config()
    own = tf.estimator.Estimator(lambda features: None).config.session_config
    return [*found, str(run_config), str(own)]


def columns_by_their_classes(tf):
    lib = _module(tf, "feature_column.feature_column_lib")
    old = _module(tf, "feature_column.feature_column")
    kinds = _module(tf, "feature_column.feature_column_v2")
    serialization = _module(tf, "feature_column.serialization")
    price = lib.numeric_column("price", [2], default_value=[1.0, 2.0])
    words = lib.categorical_column_with_hash_bucket("words", 10)
    made = [
        price, lib.bucketized_column(lib.numeric_column("age"), [10, 20]), words,
        lib.indicator_column(words), lib.embedding_column(words, 3),
        lib.crossed_column(["words", "more"], 10), lib.weighted_categorical_column(words, "w"),
        lib.categorical_column_with_identity("id", 4),
    ]  # fmt: skip
    classes = "NumericColumn DenseColumn CategoricalColumn BucketizedColumn EmbeddingColumn"
    found = [[isinstance(c, getattr(kinds, name)) for name in classes.split()] for c in made]
    configs = serialization.serialize_feature_columns(made[:4])
    again = serialization.deserialize_feature_columns(configs)
    found.append([c["class_name"] for c in configs])
    found.append([a.name == b.name for a, b in zip(again, made)])
    found.append([kinds.is_feature_column_v2(made), kinds.is_feature_column_v2([price, "price"])])
    older = [old._numeric_column("price"), old._categorical_column_with_identity("id", 4)]
    return [*found, [c.name for c in older]]
