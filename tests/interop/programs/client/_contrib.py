# SPDX-License-Identifier: Apache-2.0
"""The module contrib of either client."""


def contrib_of(tf):
    """TensorFlow's compat.v1, which the programs get, does not have it."""
    if hasattr(tf, "contrib"):
        return tf.contrib
    import tensorflow

    return tensorflow.contrib
