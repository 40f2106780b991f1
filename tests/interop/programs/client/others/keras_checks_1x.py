# SPDX-License-Identifier: Apache-2.0
"""What functions and models of Keras refuse."""

import numpy as np

from interop.programs.client._outcomes import outcome
from interop.programs.client.others.keras_sources_1x import _module

ONLY_1X = True  # later TensorFlows have another Keras


def lengths_for_paddings(tf):
    utils, found = _module(tf, "utils.conv_utils"), []
    for padding in ("same", "valid", "full", "causal", "other"):
        for call in (utils.conv_output_length, utils.conv_input_length, utils.deconv_output_length):
            arguments = {"padding": padding, "stride": 2}
            done = outcome(call, 7, 3, **arguments)
            found.append([done, call(7, 3, **arguments) if done == "fine" else None])
    return found


def modes_of_weights(tf):
    found = []
    for mode in ("temporal", "samplewise", "other", 3, ["other"], {"out": "other"}, {"no": None}):
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4, 3), name="out")])
        compiled = outcome(model.compile, "sgd", "mse", sample_weight_mode=mode)
        found.append(compiled)
        if compiled == "fine":
            x, y = np.ones([2, 4, 3]), np.ones([2, 4, 2])
            found += [
                outcome(model.fit, x, y, verbose=0, sample_weight=np.ones(shape))
                for shape in ([2], [2, 4])
            ]
    return found


def identities(tf):
    make = tf.initializers.identity(2.0)
    values = tf.keras.backend.eval(make((2, 3)))
    return values, [outcome(make, shape) for shape in ((2, 2, 2, 2), (3,), ())]
