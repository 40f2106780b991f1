# SPDX-License-Identifier: Apache-2.0
"""Programs with data sets, whose graphs by our client and by TensorFlow's are compared."""

import numpy as np


def data_sets(tf):
    data = tf.data.Dataset
    numbers = data.range(12).shuffle(5, 3, False).repeat(2).skip(1).take(20).shard(2, 1)
    numbers = numbers.map(lambda x: x * 2).map(lambda x: x + 1, num_parallel_calls=2)
    numbers = numbers.filter(lambda x: x > 4).batch(2).prefetch(1)
    it = numbers.make_initializable_iterator()
    element = it.get_next()
    return it.initializer, [([element], {})] * 4


def structured_data_sets(tf):
    data = tf.data.Dataset
    pairs = data.from_tensor_slices({"a": [1, 2, 3, 4], "b": [[1.0], [2.0], [3.0], [4.0]]})
    both = data.zip((pairs, data.range(4))).concatenate(data.zip((pairs, data.range(4, 8))))
    rows = both.padded_batch(3, ({"a": [], "b": [2]}, []), drop_remainder=True)
    it = tf.data.Iterator.from_structure(rows.output_types, rows.output_shapes)
    element = it.get_next(name="element")
    return it.make_initializer(rows, name="begin"), [([element[0]["b"], element[1]], {})] * 2


def nested_data_sets(tf):
    data = tf.data.Dataset
    nested = data.range(3).flat_map(lambda x: data.range(x + 1))
    others = data.range(3).interleave(lambda x: data.from_tensors(x).repeat(2), 2)
    windows = data.range(6).window(2).flat_map(lambda w: w.batch(2).cache())
    all_of = data.zip((nested, others, windows))
    it = all_of.make_initializable_iterator("shared")
    element = it.get_next()
    return it.initializer, [([element[0], element[2]], {})] * 3


def experimental_data_sets(tf):
    data, more = tf.data.Dataset, tf.data.experimental
    numbers = data.range(9).apply(more.map_and_batch(lambda x: x + 1, 3)).unbatch()
    counted = numbers.apply(more.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s)))
    grouped = counted.apply(more.group_by_window(lambda x: x % 2, lambda k, w: w.batch(2), 2))
    chosen = more.choose_from_datasets([grouped, grouped], data.range(2).repeat())
    it = tf.data.make_initializable_iterator(chosen.apply(more.ignore_errors()))
    return it.initializer, [([it.get_next()], {})] * 3


def one_shot_data_sets(tf):
    x = tf.constant(3, tf.int64)
    element = tf.data.Dataset.range(5).map(lambda y: x * y).make_one_shot_iterator().get_next()
    return tf.no_op(), [([element], {})] * 3


def parsed_examples(tf):
    text = tf.placeholder(tf.string, [None], name="text")
    features = {
        "n": tf.FixedLenFeature([2], tf.int64, [1, 2]),
        "rows": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
        "words": tf.VarLenFeature(tf.string),
    }
    batch = tf.parse_example(text, features)
    one = tf.parse_single_example(text[0], {"n": features["n"]}, name="one")
    context, lists = tf.parse_single_sequence_example(
        text[1],
        {"n": features["n"]},
        {"rows": tf.FixedLenSequenceFeature([], tf.float32, True)},
    )
    fetches = [batch["n"], batch["rows"], batch["words"].values, one["n"]]
    fetches += [context["n"], lists["rows"]]
    return tf.no_op(), [(fetches, {text: [b"", b""]})]


def parsed_data_sets(tf):
    text = tf.constant([b"", b"", b""])
    features = {"n": tf.FixedLenFeature([], tf.int64, 4), "words": tf.VarLenFeature(tf.string)}
    parse = tf.data.experimental.parse_example_dataset(features)
    data = tf.data.Dataset.from_tensor_slices(text).batch(2).apply(parse)
    it = tf.data.make_initializable_iterator(data)
    return it.initializer, [([it.get_next()["n"]], {})] * 2


def image_files(tf):
    pixels = np.arange(27, dtype=np.uint8).reshape(3, 3, 3)
    encoded = tf.image.encode_png(pixels, name="encoded")
    image = tf.image.decode_png(encoded, channels=3)
    worse = tf.image.adjust_jpeg_quality(image, 40)
    part = tf.image.decode_and_crop_jpeg(tf.image.encode_jpeg(image, quality=90), [0, 1, 2, 2])
    return tf.no_op(), [([image, worse, part], {})]


def data_sets_with_options(tf):
    options = tf.data.Options()
    options.experimental_slack = True
    options.experimental_threading.private_threadpool_size = 2
    options.experimental_threading.max_intra_op_parallelism = 1
    options.experimental_optimization.map_fusion = True
    options.experimental_deterministic = False
    data = tf.data.Dataset.range(4).with_options(options).prefetch(1)
    it = tf.data.make_initializable_iterator(data)
    return it.initializer, [([it.get_next()], {})] * 2
