# SPDX-License-Identifier: Apache-2.0
"""Input of slim programs: files of records, items of Examples, queues, summaries."""

import os
import tempfile

import numpy as np

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows do not have slim


def _features(**more):
    made = {}
    for key, value in more.items():
        kind = {float: "float_list", int: "int64_list", bytes: "bytes_list"}[type(value[0])]
        made[key] = {kind: {"value": value}}
    return made


def _example(tf, features):
    return tf.train.Example(features=tf.train.Features(feature={
        key: tf.train.Feature(**{
            kind: {"bytes_list": tf.train.BytesList, "float_list": tf.train.FloatList,
                   "int64_list": tf.train.Int64List}[kind](**value)
        })
        for key, of_key in features.items() for kind, value in of_key.items()
    })).SerializeToString()  # fmt: skip


def _png(tf, values):
    with tf.Session() as sess:
        return sess.run(tf.image.encode_png(values))


def _files(tf, folder, counts=(3, 2)):
    pixels = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    for i, count in enumerate(counts):
        with tf.python_io.TFRecordWriter(os.path.join(folder, f"part-{i}")) as writer:
            for j in range(count):
                writer.write(_example(tf, _features(
                    **{"image/encoded": [_png(tf, pixels + 10 * i + j)]},
                    **{"image/format": [b"png"], "image/class/label": [10 * i + j]},
                )))  # fmt: skip
    return os.path.join(folder, "part-*")


def _dataset(tf, pattern):
    slim = contrib_of(tf).slim
    decoder = slim.tfexample_decoder.TFExampleDecoder(
        {
            "image/encoded": tf.FixedLenFeature((), tf.string, default_value=""),
            "image/format": tf.FixedLenFeature((), tf.string, default_value="png"),
            "image/class/label": tf.FixedLenFeature([1], tf.int64),
        },
        {
            "image": slim.tfexample_decoder.Image(shape=[2, 2, 3]),
            "label": slim.tfexample_decoder.Tensor("image/class/label", shape=[]),
        },
    )
    return slim.dataset.Dataset(
        data_sources=pattern, reader=tf.TFRecordReader, decoder=decoder, num_samples=5,
        items_to_descriptions={"image": "An image."}, num_classes=3, labels_to_names=None,
    )  # fmt: skip


def a_data_set(tf):
    """Without readers in parallel, the order is that of the files."""
    slim = contrib_of(tf).slim
    with tempfile.TemporaryDirectory() as folder:
        dataset = _dataset(tf, _files(tf, folder))
        provider = slim.dataset_data_provider.DatasetDataProvider(
            dataset, shuffle=False, num_epochs=1, common_queue_capacity=8, common_queue_min=2
        )
        items = provider.get(["image", "label", "record_key"])
        batch = tf.train.batch(items[:2], 2, allow_smaller_final_batch=True)
        queue = slim.prefetch_queue.prefetch_queue(items[:2], capacity=3)
        names = [op.name for op in tf.get_default_graph().get_operations()]
        found = [
            sorted(provider.list_items()), provider.num_samples(), dataset.num_classes,
            [item.shape.as_list() for item in items[:2]], [item.name for item in items[1:]],
            [name for name in names if "full" in name and "tags" not in name], queue.name,
            [runner.name for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)],
        ]  # fmt: skip
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            labels, images = [], 0.0
            with slim.queues.QueueRunners(sess):
                nested = slim.queues.NestedQueueRunnerError.__name__
                try:
                    while True:
                        image, label = sess.run(batch)
                        images += float(image.sum())
                        labels.extend(label.tolist())
                except tf.errors.OutOfRangeError:
                    pass
        return [found, len(labels) <= 5, nested]


def records_of_files(tf):
    slim, found = contrib_of(tf).slim, []
    with tempfile.TemporaryDirectory() as folder:
        pattern = _files(tf, folder)
        key, value = slim.parallel_reader.single_pass_read(pattern, tf.TFRecordReader)
        shuffled = slim.parallel_reader.parallel_read(
            [pattern], tf.TFRecordReader, num_epochs=2, num_readers=2, capacity=20,
            min_after_dequeue=1, seed=3, scope="mine",
        )  # fmt: skip
        found.append([[part.name for part in pair] for pair in ((key, value), shuffled)])
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            for fetches in (key, shuffled[0]):
                keys = []
                try:
                    while True:
                        keys.append(os.path.basename(sess.run(fetches).decode()))
                except tf.errors.OutOfRangeError:
                    found.append(sorted(keys))
            coord.request_stop()
            coord.join(threads)
        files = slim.parallel_reader.get_data_files([pattern, "part"])
        found.append([os.path.basename(file) for file in sorted(files)])
        found.append(outcome(slim.parallel_reader.get_data_files, pattern + "x"))
    return found


def items_of_an_example(tf):
    slim = contrib_of(tf).slim.tfexample_decoder
    kinds, sides = tf.VarLenFeature(tf.float32), ["ymin", "xmin", "ymax", "xmax"]
    serialized = _example(tf, _features(
        ymin=[0.1, 0.5], xmin=[0.2, 0.6], ymax=[0.3, 0.7], xmax=[0.4, 0.8], counts=[2, 3],
        values=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], places=[1, 4], words=[b"b", b"a"],
        raw=[np.arange(4, dtype=np.float32).tobytes()], format=[b"raw"],
    ))  # fmt: skip
    features = {
        **{side: kinds for side in sides}, "counts": tf.FixedLenFeature([2], tf.int64),
        "values": kinds, "places": tf.VarLenFeature(tf.int64),
        "words": tf.FixedLenFeature([2], tf.string), "raw": tf.FixedLenFeature([], tf.string),
        "format": tf.FixedLenFeature([], tf.string), "none": tf.VarLenFeature(tf.float32),
    }  # fmt: skip
    table = contrib_of(tf).lookup.index_table_from_tensor(["a", "b"])
    handlers = {
        "boxes": slim.BoundingBox(),
        "flat": slim.Tensor("values"),
        "shaped": slim.Tensor("values", shape_keys="counts"),
        "fixed": slim.Tensor("values", shape=[3, 2], default_value=7.0),
        "sparse": slim.SparseTensor("places", "ymin", shape=[6], densify=True),
        "words": slim.LookupTensor("words", table),
        "image": slim.Image("raw", "format", shape=[2, 2, 1], channels=1, dtype=tf.float32),
        "twice": slim.ItemHandlerCallback("counts", lambda found: found["counts"] * 2),
        "backup": slim.BackupHandler(slim.Tensor("none"), slim.Tensor("values")),
    }
    decoder = slim.TFExampleDecoder(features, handlers)
    text = tf.placeholder(tf.string, [])
    items = decoder.decode(text)
    shapes = [item.shape.as_list() if item.shape.ndims is not None else None for item in items]
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        values = sess.run(items, {text: serialized})
    wrong = [
        outcome(lambda: slim.Tensor("a", shape=[1], shape_keys="b")),
        outcome(lambda: slim.BackupHandler(slim.Tensor("a"), 1)),
        outcome(lambda: slim.BoundingBox(["a"])),
    ]
    return [list(decoder.list_items()), shapes, values, wrong]


def images_of_files(tf):
    slim, found = contrib_of(tf).slim.tfexample_decoder, []
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3) * 5
    with tf.Session() as sess:
        png, jpeg, deep = sess.run([
            tf.image.encode_png(pixels), tf.image.encode_jpeg(pixels),
            tf.image.encode_png(pixels.astype(np.uint16) * 100),
        ])  # fmt: skip
        for file, more in (
            (png, {}), (png, {"channels": 1}), (jpeg, {"dct_method": "INTEGER_ACCURATE"}),
            (jpeg, {"dtype": tf.uint16}), (png, {"dtype": tf.float32}), (deep, {"dtype": tf.int32}),
        ):  # fmt: skip
            image = slim.Image(**more).tensors_to_item(
                {"image/encoded": tf.constant(file), "image/format": tf.constant("any")}
            )
            found.append([image.shape.as_list(), sess.run(image)])
        several = slim.Image(repeated=True, shape=[4, 4, 3]).tensors_to_item(
            {"image/encoded": tf.constant([png, png]), "image/format": tf.constant("png")}
        )
        found.append([several.shape.as_list(), sess.run(several)])
    return found


def prefetched(tf):
    slim, found = contrib_of(tf).slim, []
    number = tf.constant([4.0, 5.0])
    queue = slim.prefetch_queue.prefetch_queue({"b": number, "a": number * 2}, name="ahead")
    got = queue.dequeue()
    padded = slim.prefetch_queue.prefetch_queue(
        [tf.placeholder_with_default([1, 2], [None])], dynamic_pad=True
    )
    found.append([sorted(got), padded.dequeue().shape.as_list()])
    found.append(outcome(slim.prefetch_queue.prefetch_queue, [tf.placeholder(tf.int32, [None])]))
    found.append(outcome(tf.FIFOQueue, 3, tf.int32, [[None]]))
    found.append(outcome(tf.RandomShuffleQueue, 3, 1, [tf.int32], [[2, None]]))
    found.append(outcome(tf.PaddingFIFOQueue, 3, [tf.int32], [tf.TensorShape(None)]))
    with tf.Session() as sess:
        with slim.queues.QueueRunners(sess):
            found.append([sess.run(got) for _ in range(3)])
            found.append(outcome(slim.queues.QueueRunners(sess).__enter__))
    return found


def printed_summaries(tf):
    summaries = contrib_of(tf).slim.summaries
    value, images = tf.constant(2.0, name="value"), tf.zeros([1, 2, 2, 1], name="images")
    made = [
        summaries.add_scalar_summary(value), summaries.add_scalar_summary(value, "mine", "before"),
        summaries.add_histogram_summary(images, prefix="h"),
        summaries.add_zero_fraction_summary(images), summaries.add_image_summary(images, "shown"),
        *summaries.add_scalar_summaries([value], "all"),
        *summaries.add_histogram_summaries([value, images]),
        *summaries.add_image_summaries([images], "all"),
        *summaries.add_zero_fraction_summaries([images], "all"),
        summaries.add_scalar_summary(value, "printed", print_summary=True),
    ]  # fmt: skip
    with tf.Session() as sess:
        found = [tf.Summary.FromString(text) for text in sess.run(made)]
    tags = [[entry.tag, entry.simple_value] for one in found for entry in one.value]
    return [[one.op.type for one in made], tags, len(tf.get_collection(tf.GraphKeys.SUMMARIES))]
