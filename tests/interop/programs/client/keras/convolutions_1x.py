# SPDX-License-Identifier: Apache-2.0
"""Arguments of layers of windows, their configurations, and what metrics have counted."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _both(tf, layer, shape):
    """What a layer and its copy from the configuration compute."""
    model = tf.keras.Sequential([layer])
    model.build((None, *shape))
    copy = tf.keras.Sequential.from_config(model.get_config())
    copy.build((None, *shape))
    x = np.linspace(-1, 1, 2 * int(np.prod(shape))).reshape(2, *shape).astype("float32")
    weights = [np.linspace(-1, 1, w.size).reshape(w.shape) for w in model.get_weights()]
    model.set_weights(weights)
    copy.set_weights(weights)
    shape = layer.compute_output_shape((None, *shape)).as_list()
    return [shape, model.predict(x), copy.predict(x)]


def longer_and_dilated_transposes(tf):
    layers = tf.keras.layers
    return [
        _both(tf, layers.Conv2DTranspose(2, 3, 2, "same", output_padding=1), (4, 5, 2)),
        _both(tf, layers.Conv2DTranspose(2, 3, (3, 2), "valid", (1, 0)), (4, 5, 2)),
        _both(tf, layers.Conv2DTranspose(2, 3, padding="same", dilation_rate=2), (6, 5, 2)),
        _both(tf, layers.Conv2DTranspose(2, 2, dilation_rate=(2, 2)), (6, 5, 2)),
        _both(tf, layers.Conv3DTranspose(2, 2, 2, "same", output_padding=1), (2, 3, 2, 1)),
        outcome(lambda: layers.Conv2DTranspose(2, 3, 2, output_padding=2)),
    ]


def depthwise_copies(tf):
    layers = tf.keras.layers
    return [
        _both(tf, layers.DepthwiseConv2D(2, trainable=False), (4, 5, 2)),
        _both(tf, layers.DepthwiseConv2D(2, depth_multiplier=2, dilation_rate=2), (5, 5, 2))[1:],
        outcome(lambda: layers.Cropping2D(lambda x: x)),
        outcome(lambda: layers.SpatialDropout2D(0.5, "channels_middle")),
    ]


def counts_of_metrics(tf):
    keras = tf.keras
    found = []
    for metric in (keras.metrics.Precision(), keras.metrics.Recall(top_k=2, class_id=1)):
        value = metric([[0, 1, 1, 0]], [[0.9, 0.8, 0.1, 0.2]])
        keras.backend.get_session().run([v.initializer for v in metric.variables])
        found.append(float(keras.backend.eval(value)))
        found.append(keras.backend.eval(metric.true_positives))
    return found
