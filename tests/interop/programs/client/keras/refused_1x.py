# SPDX-License-Identifier: Apache-2.0
"""Initializers, layers and metrics: the arguments that they refuse, and those that they keep."""

import os
import tempfile

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True  # later TensorFlows have another Keras


def scaled_variances(tf):
    """VarianceScaling knows its modes and distributions when it is made."""
    make = tf.keras.initializers.VarianceScaling
    older = tf.variance_scaling_initializer
    return [
        [says("must be positive", each, -1.0), says("mode", each, 1.0, "odd"),
         says("distribution", each, 1.0, "fan_in", "odd"), outcome(each, 1.0, "fan_in", "Normal")]
        for each in (make, older)
    ]  # fmt: skip


def kept_arguments(tf):
    """What configurations of constants and of relative errors have."""
    constant = tf.keras.initializers.Constant(2.0)
    metric = tf.keras.metrics.MeanRelativeError([1.0, 2.0])
    again = tf.keras.metrics.MeanRelativeError.from_config(metric.get_config())
    return [constant.get_config(), metric.get_config(), again.get_config()]


def uncallable(tf):
    """Lambda takes functions."""
    return outcome(tf.keras.layers.Lambda, 3)


def absent_files(tf):
    """Weights of files that are not there."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    absent = os.path.join(tempfile.mkdtemp(), "absent")
    return says("Failed to find any matching files", model.load_weights, absent)
