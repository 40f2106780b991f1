# SPDX-License-Identifier: Apache-2.0
"""What layers, generators and tensors say of themselves."""

import json

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True


def _doubled(x):
    return x * 2


def _masked(x, mask):
    return mask


def layers_that_drop(tf):
    layers, found = tf.keras.layers, []
    for name in ("SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "AlphaDropout"):
        layer = getattr(layers, name)(0.25, name="drop")
        config = layer.get_config()
        found += [config, type(layer).from_config(config).rate]
    return found


def windows_of_series(tf):
    sequence, rows = tf.keras.preprocessing.sequence, np.arange(12).reshape(6, 2)
    generator = sequence.TimeseriesGenerator(rows, rows[:, 0], length=2, batch_size=3)
    described = json.loads(generator.to_json())
    strange = sequence.TimeseriesGenerator([{1}] * 6, [1] * 6, length=2)
    return [generator.get_config(), described, says("not JSON", strange.get_config)]


def sources_of_tensors(tf):
    layers = tf.keras.layers
    first, second = tf.keras.Input((2,), name="first"), tf.keras.Input((2,), name="second")
    joined = layers.add([layers.Dense(2)(first), layers.Dense(2)(second), first])
    sources = tf.keras.utils.get_source_inputs
    return [[t.name for t in sources(tensor)] for tensor in (joined, first)]


def objects_without_names(tf):
    return says("Cannot serialize", tf.keras.utils.serialize_keras_object, 3)


def functions_in_configurations(tf):
    """Functions with a name are described by their code, as lambdas are."""
    made = tf.keras.layers.Lambda(_doubled, output_shape=(3,), mask=_masked)
    config = made.get_config()
    again = tf.keras.layers.Lambda.from_config(config)
    kept = {k: v for k, v in config.items() if k not in ("function", "mask", "module")}
    kept["mask_module"] = kept["mask_module"] == config["module"]
    with tf.Session() as sess:
        return kept, again.function.__name__, sess.run(again(tf.constant([[1.0, 2.0, 3.0]])))
