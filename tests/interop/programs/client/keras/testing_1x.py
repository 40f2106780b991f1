# SPDX-License-Identifier: Apache-2.0
"""The sources of Keras that its tests use: models of each kind, and the test of a layer."""

import importlib

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _testing(tf):
    root = tf.__name__.partition(".")[0]
    return importlib.import_module(f"{root}.python.keras.testing_utils")


def _made(make):
    try:
        return make()
    except ValueError as e:
        return str(e)


def _in_each_kind(tf, kinds, make):
    """What make(testing_utils) gives, where models are of each kind."""
    testing, found = _testing(tf), []
    for kind in kinds:
        with tf.Graph().as_default(), testing.model_type_scope(kind):
            found.append(_made(lambda: make(testing)))
        tf.keras.backend.clear_session()
    return found


_KINDS = ["functional", "sequential", "subclass", "subclass_custom_build", "none"]


def tests_of_layers(tf):
    layers, test = tf.keras.layers, _testing(tf).layer_test
    cases = [
        (layers.Dense, {"units": 3, "kernel_initializer": "ones"}, (2, 4), {}),
        (layers.MaxPooling1D, {"strides": 2, "padding": "same"}, (3, 5, 4), {}),
        (layers.Flatten, {}, (None, 3, 2), {"expected_output_shape": (None, 6)}),
        (layers.Dropout, {"rate": 0.5}, (3, 2), {}),
        (layers.Embedding, {"output_dim": 4, "input_dim": 10, "embeddings_initializer": "ones"},
         (3, 2), {"input_dtype": "int32", "expected_output_dtype": "float32"}),
        (layers.LSTM, {"units": 3, "kernel_initializer": "ones"}, (2, 3, 4), {}),
        (layers.BatchNormalization, {"momentum": 0.9}, (3, 4, 2), {}),
    ]  # fmt: skip
    found = []
    for layer, kwargs, shape, more in cases:
        np.random.seed(1)
        found.append(test(layer, kwargs=kwargs, input_shape=shape, **more))
    return found


def layers_that_differ(tf):
    layers, test = tf.keras.layers, _testing(tf).layer_test
    batch = np.ones((2, 3), np.float32)
    return [
        outcome(lambda: test(layers.Flatten)),
        outcome(lambda: test(layers.Flatten, input_data=batch, expected_output=2 * batch)),
        outcome(lambda: test(layers.Flatten, input_data=batch, expected_output_dtype="int32")),
        outcome(lambda: test(layers.Flatten, input_data=batch, expected_output_shape=(2, 4))),
        test(layers.Flatten, input_data=batch, expected_output=batch),
    ]  # fmt: skip


def small_models(tf):
    def trained(testing):
        model = testing.get_small_mlp(4, 3, input_dim=5)
        model.compile("sgd", "sparse_categorical_crossentropy")
        (x, y), (more, classes) = testing.get_test_data(10, 2, (5,), 3, random_seed=1)
        model.fit(x, y, epochs=1, verbose=0)
        return [len(model.layers), model.predict(more).shape, x, y, classes]

    return _in_each_kind(tf, _KINDS, trained)


def models_of_layers(tf):
    dense = tf.keras.layers.Dense

    def known(testing):
        made = [dense(2, kernel_initializer="ones"), dense(1, kernel_initializer="ones")]
        model = testing.get_model_from_layers(made, input_shape=(3,), name="net")
        return [model.name, model.predict(np.ones((2, 3)))]

    def unknown(testing):
        model = testing.get_model_from_layers([dense(2, kernel_initializer="ones")])
        return model.predict(np.ones((2, 3)))

    return _in_each_kind(tf, _KINDS, known), _in_each_kind(tf, _KINDS, unknown)


def models_of_branches(tf):
    layers, keras = tf.keras.layers, tf.keras

    def made(testing, shared, joined):
        first, second = [layers.Dense(3), layers.Dense(2)], [layers.Dense(2)]
        before = [keras.Input((4,)), layers.Dense(3)] if shared else None
        behind = [layers.Lambda(lambda ab: ab[0] + ab[1]), layers.Dense(1)] if joined else None
        if not shared:
            first, second = [keras.Input((4,)), *first], [keras.Input((4,)), *second]
        model = testing.get_multi_io_model(first, second, before, behind)
        model.compile(testing.get_v2_optimizer("adam"), "mse")
        x, y = np.ones((6, 4)), np.ones((6, 1 if joined else 2))
        model.fit(x if shared else [x, x], y if joined else [y, y], verbose=0)
        found = model.predict(x if shared else [x, x])
        return found.shape if joined else [one.shape for one in found]

    return [
        _in_each_kind(tf, _KINDS, lambda testing, s=s, j=j: made(testing, s, j))
        for s in (False, True)
        for j in (False, True)
    ]


def scopes_and_names(tf):
    testing = _testing(tf)
    names = "get_model_type should_run_eagerly should_run_tf_function".split()
    found = [outcome(getattr(testing, name)) for name in names]
    with testing.run_eagerly_scope(False), testing.experimental_run_tf_function_scope(False):
        found += [testing.should_run_eagerly(), testing.should_run_tf_function()]
    return [
        *found,
        _made(lambda: testing.get_v2_optimizer("none")),
        testing.get_v2_optimizer("rmsprop", learning_rate=0.5).get_config()["learning_rate"],
        testing.get_expected_metric_variable_names(["a", "b"], "_1"),
    ]
