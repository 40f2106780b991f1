# SPDX-License-Identifier: Apache-2.0
"""Layers that programs put together of others, in the shape of those of known packages."""

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def shapes_of_functions(tf):
    """Layers of packages ask a Lambda for the shape of its output, before or without a call."""
    keras = tf.keras
    last = keras.layers.Lambda(lambda x: x[:, -1, :])
    joined = keras.layers.Lambda(lambda xs: tf.concat(xs, 1))
    found = [
        last.compute_output_shape(tf.TensorShape([None, 7, 3])).as_list(),
        last.compute_output_shape((5, 7, None)).as_list(),
        joined.compute_output_shape([(None, 2), (None, 3)]).as_list(),
        keras.layers.Lambda(lambda x: x, output_shape=(4,)).compute_output_shape((None, 2)).
        as_list(),
        outcome(keras.layers.Lambda(lambda x: x[1, 2, 3, 4]).compute_output_shape, (None, 2)),
    ]  # fmt: skip
    return found


def version(tf):
    return tf.keras.__version__
