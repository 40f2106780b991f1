# SPDX-License-Identifier: Apache-2.0
"""Static shapes of SparseTensors, parsed features and images of which only a part is known."""

import numpy as np

ONLY_1X = True


def _shapes(tf, found):
    """The static shape of each, of a SparseTensor also those of its parts."""
    if not isinstance(found, tf.SparseTensor):
        return str(found.shape)
    return [str(x.shape) for x in (found, found.indices, found.values, found.dense_shape)]


def sparse_tensors(tf):
    place = tf.sparse_placeholder
    unknown = tf.SparseTensor(
        tf.placeholder(tf.int64, [None, None]), tf.placeholder(tf.float32, [None]),
        tf.placeholder(tf.int64, [None]),
    )  # fmt: skip
    values = [
        place(tf.float32), place(tf.float32, [2, 3]), unknown,
        tf.SparseTensor([[0, 1]], [1.0], [2, 3]),
    ]  # fmt: skip
    return [_shapes(tf, value) for value in values]


def sparse_elements_of_unknown_rank(tf):
    value = tf.sparse_placeholder(tf.float32)
    iterator = tf.data.Dataset.from_tensors(value).repeat(2).make_initializable_iterator()
    element = iterator.get_next()
    fed = tf.SparseTensorValue(np.array([[0, 1], [1, 0]]), np.float32([3, 4]), np.array([2, 2]))
    with tf.Session() as session:
        session.run(iterator.initializer, {value: fed})
        return [_shapes(tf, element), tuple(session.run(element))]


def parsed_features(tf):
    io = tf.io
    features = {
        "x": io.FixedLenFeature([], tf.int64), "y": io.FixedLenFeature([2, 3], tf.string),
        "v": io.VarLenFeature(tf.float32),
        "q": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True),
        "s": io.SparseFeature("i", "w", tf.float32, 5),
        "t": io.SparseFeature(["i", "j"], "w", tf.float32, [5, 6], already_sorted=True),
    }  # fmt: skip
    found = []
    for size in ([None], [3], None):
        parsed = io.parse_example(tf.placeholder(tf.string, size), features)
        found.append({key: _shapes(tf, value) for key, value in parsed.items()})
    parsed = io.parse_single_example(tf.placeholder(tf.string, []), features)
    return [*found, {key: _shapes(tf, value) for key, value in parsed.items()}]


def colours(tf):
    image, kind = tf.image, tf.float32
    sizes = ([None, None, 1], [None, 2, None], [4, 3, 1], [None, None, None, 1])
    found = [image.grayscale_to_rgb(tf.placeholder(kind, size)) for size in sizes]
    sizes = ([None, None, 3], [4, 3, 3], [None, 4, None, 3])
    found += [image.rgb_to_grayscale(tf.placeholder(kind, size)) for size in sizes]
    return [str(value.shape) for value in found]
