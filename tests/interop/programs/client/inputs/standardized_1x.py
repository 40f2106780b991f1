# SPDX-License-Identifier: Apache-2.0
"""Images of mean 0 and deviation 1. Later TensorFlows return floats for every dtype."""

import numpy as np

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True


def _standardized(tf, *images):
    found = [tf.image.per_image_standardization(image) for image in images]
    with tf.Session() as session:
        return [[t.dtype.name, t.shape.as_list(), session.run(t)] for t in found]


def floats(tf):
    image = np.arange(24).reshape(2, 4, 3) * 7
    return _standardized(tf, *(image.astype(d) for d in ("float16", "float32", "float64")))


def integers(tf):
    image = np.arange(24).reshape(2, 4, 3) * 7
    return _standardized(tf, *(image.astype(d) for d in ("uint8", "int16", "int32", "int8")))


def batches(tf):
    images = np.random.RandomState(0).randint(0, 255, [2, 2, 4, 3])
    flat = np.full([2, 2, 1], 9)
    sizes = tf.placeholder_with_default(images.astype(np.uint8), [None, None, None, 3])
    return _standardized(tf, images.astype("uint8"), flat.astype("uint8"), flat.astype("f"), sizes)


def converted_first(tf):
    image = (np.arange(24).reshape(2, 4, 3) * 7).astype(np.uint8)
    return _standardized(
        tf, tf.cast(image, tf.float32), tf.image.convert_image_dtype(image, tf.float32)
    )


def too_flat(tf):
    call = tf.image.per_image_standardization
    return [outcome(call, np.zeros([3, 3])), message(call, np.zeros([3, 3]))]
