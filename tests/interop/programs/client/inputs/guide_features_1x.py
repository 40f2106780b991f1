# SPDX-License-Identifier: Apache-2.0
"""Features of the kind that guides make: vocabularies, columns, images, input functions."""

import os
import tempfile

import numpy as np

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True


def _run(tf, fetches, feed=None):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(fetches, feed)


def words_of_sentences(tf):
    """A vocabulary file, ids with buckets for unknown words, padded batches, and back."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("the\ncat\nsat\non\nmat\n")
        table = tf.lookup.StaticVocabularyTable(
            tf.lookup.TextFileInitializer(
                path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER),
            num_oov_buckets=3)  # fmt: skip
        back = tf.lookup.StaticHashTable(
            tf.lookup.TextFileInitializer(
                path, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER,
                tf.string, tf.lookup.TextFileIndex.WHOLE_LINE),
            "?")  # fmt: skip
        lines = tf.data.Dataset.from_tensor_slices(["the cat sat", "on the blue mat", "dogs", ""])
        ids = lines.map(lambda line: table.lookup(tf.string_split([line]).values))
        batches = ids.map(lambda x: (x, tf.size(x))).padded_batch(
            2, ([None], []), (tf.constant(-1, tf.int64), 0)
        )
        iterator = tf.data.make_initializable_iterator(batches)
        numbers, lengths = iterator.get_next()
        words, found = back.lookup(numbers), []
        with tf.Session() as session:
            session.run([tf.tables_initializer(), iterator.initializer])
            for _ in range(2):
                found.append(session.run([numbers, lengths, words]))
            return [found, outcome(session.run, numbers), session.run([table.size(), back.size()])]


def counted_words(tf):
    """A table that steps change."""
    lookup = contrib_of(tf).lookup
    counts = lookup.MutableHashTable(tf.string, tf.int64, 0)
    words = tf.placeholder(tf.string, [None])
    different, _, count = tf.unique_with_counts(words, tf.int64)
    add = counts.insert(different, counts.lookup(different) + count)
    keys, values = counts.export()
    with tf.Session() as session:
        for sentence in ("a b a", "b c", "a"):
            session.run(add, {words: sentence.split()})
        kept = dict(zip(*session.run([keys, values])))
        return [sorted((k.decode(), int(v)) for k, v in kept.items()), session.run(counts.size())]


def _people(tf):
    return {
        "age": np.array([25.0, 40.0, 61.0, 33.0]),
        "job": np.array(["cook", "clerk", "none", "cook"]),
        "hours": np.array([[10.0, 2.0], [0.0, 1.0], [5.0, 5.0], [7.0, 0.5]], np.float32),
        "city": np.array(["a", "b", "a", "zzz"]),
    }, np.array([0, 1, 1, 0])  # fmt: skip


def _person_columns(tf):
    fc = tf.feature_column
    age = fc.numeric_column("age", normalizer_fn=lambda x: (x - 40.0) / 10.0)
    ages = fc.bucketized_column(fc.numeric_column("age"), [30, 50])
    job = fc.categorical_column_with_vocabulary_list("job", ["cook", "clerk"], num_oov_buckets=1)
    city = fc.categorical_column_with_hash_bucket("city", 4)
    both = fc.crossed_column([ages, "job"], 10)
    return age, ages, job, city, both


def columns_of_people(tf):
    fc = tf.feature_column
    age, ages, job, city, both = _person_columns(tf)
    features, _ = _people(tf)
    features = {key: tf.constant(value) for key, value in features.items()}
    features["age"] = tf.cast(features["age"], tf.float32)
    wide = fc.linear_model(features, [ages, job, both], units=2)
    deep = fc.input_layer(features, [
        age, fc.numeric_column("hours", shape=2), fc.indicator_column(job),
        fc.embedding_column(city, 3, initializer=tf.ones_initializer()), ages,
    ])  # fmt: skip
    names = [[v.name, v.shape.as_list()] for v in tf.trainable_variables()]
    return [_run(tf, [wide, deep]), names, deep.shape.as_list()]


def an_input_function_of_arrays(tf):
    features, labels = _people(tf)

    def input_fn(batch, epochs):
        dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
        return dataset.shuffle(4, seed=2).repeat(epochs).batch(batch)

    read = elements(tf, input_fn(3, 2))
    older = tf.estimator.inputs.numpy_input_fn(features, labels, 2, num_epochs=1, shuffle=False)
    with tf.Graph().as_default():
        found, y = older()
        with tf.train.MonitoredSession() as session:
            first = session.run([found, y])
    return [read, first]


def a_trained_linear_classifier(tf):
    features, labels = _people(tf)
    age, ages, job, _, both = _person_columns(tf)

    def input_fn():
        return tf.data.Dataset.from_tensor_slices((features, labels)).repeat(3).batch(4)

    with tempfile.TemporaryDirectory() as folder:
        config = tf.estimator.RunConfig(tf_random_seed=1, model_dir=folder)
        model = tf.estimator.LinearClassifier(
            [age, ages, job, both], optimizer=tf.train.FtrlOptimizer(0.2), config=config
        )
        model.train(input_fn, steps=3)
        scores = model.evaluate(input_fn, steps=1)
        predicted = list(model.predict(input_fn, ["class_ids", "probabilities"]))[:4]
        names = sorted(model.get_variable_names())
    scores = {key: np.float32(value) for key, value in scores.items()}
    return [scores, [p["class_ids"] for p in predicted], [p["probabilities"] for p in predicted],
            names]  # fmt: skip


def image_files_in_a_pipeline(tf):
    """Images of folders, whose names are the labels, decoded, resized and batched."""
    with tempfile.TemporaryDirectory() as folder:
        data = np.random.RandomState(0).randint(0, 255, [4, 6, 5, 3], dtype=np.uint8)
        contents = tf.placeholder(tf.uint8, [None, None, 3])
        encoded = tf.image.encode_png(contents)
        with tf.Session() as session:
            for i, image in enumerate(data):
                kind = os.path.join(folder, "cats" if i % 2 else "dogs")
                os.makedirs(kind, exist_ok=True)
                with open(os.path.join(kind, f"{i}.png"), "wb") as file:
                    file.write(session.run(encoded, {contents: image}))
        classes = tf.constant(["cats", "dogs"])

        def load(path):
            label = tf.equal(tf.strings.split([path], os.sep).values[-2], classes)
            image = tf.image.decode_png(tf.io.read_file(path), channels=3)
            image = tf.image.convert_image_dtype(image, tf.float32)
            small = tf.image.resize_images(image, [4, 4])
            return small, tf.argmax(tf.cast(label, tf.int32)), tf.shape(image)

        dataset = tf.data.Dataset.list_files(folder + "/*/*.png", shuffle=False)
        dataset = dataset.map(load, num_parallel_calls=2).batch(3).prefetch(1)
        return [elements(tf, dataset), str(dataset.output_shapes)]


def changed_images(tf):
    image = np.random.RandomState(1).randint(0, 255, [6, 8, 3], dtype=np.uint8)
    tf.set_random_seed(5)
    calls = [
        tf.image.flip_left_right, tf.image.flip_up_down, tf.image.rot90, tf.image.transpose_image,
        tf.image.rgb_to_grayscale, lambda x: tf.image.central_crop(x, 0.5),
        lambda x: tf.image.adjust_brightness(x, 0.2), lambda x: tf.image.adjust_contrast(x, 2.0),
        lambda x: tf.image.adjust_saturation(x, 0.5), lambda x: tf.image.adjust_hue(x, 0.3),
        lambda x: tf.image.adjust_gamma(tf.image.convert_image_dtype(x, tf.float32), 2.0),
        lambda x: tf.image.resize_image_with_crop_or_pad(x, 4, 10),
        lambda x: tf.image.resize_image_with_pad(x, 5, 5),
        lambda x: tf.image.pad_to_bounding_box(x, 1, 2, 9, 12),
        lambda x: tf.image.crop_to_bounding_box(x, 1, 2, 3, 4),
        lambda x: tf.image.resize_images(x, [3, 4], tf.image.ResizeMethod.NEAREST_NEIGHBOR),
        lambda x: tf.image.resize_images(x, [12, 16], preserve_aspect_ratio=True),
        lambda x: tf.image.resize_images(x, [3, 4], tf.image.ResizeMethod.AREA),
        lambda x: tf.image.resize_bilinear(x[None], [4, 4], align_corners=True),
        lambda x: tf.image.random_flip_left_right(x, seed=1),
        lambda x: tf.random_crop(x, [3, 4, 3], seed=2),
        lambda x: tf.image.random_brightness(x, 0.3, seed=3),
        lambda x: tf.image.per_image_standardization(tf.cast(x, tf.float32)),
        lambda x: tf.image.total_variation(tf.cast(x, tf.float32)),
        lambda x: tf.image.rgb_to_hsv(tf.cast(x, tf.float32) / 255.0),
        lambda x: tf.image.extract_glimpse(tf.cast(x[None], tf.float32), [2, 2], [[0.0, 0.0]]),
        lambda x: tf.image.sobel_edges(tf.cast(x[None], tf.float32)),
        lambda x: tf.image.draw_bounding_boxes(
            tf.cast(x[None], tf.float32), [[[0.1, 0.1, 0.8, 0.7]]]),
        lambda x: tf.image.crop_and_resize(
            tf.cast(x[None], tf.float32), [[0.0, 0.0, 0.5, 1.0]], [0], [3, 3]),
        lambda x: tf.image.psnr(x, tf.image.flip_up_down(x), 255),
    ]  # fmt: skip
    found = [call(tf.constant(image)) for call in calls]
    return [[t.dtype.name, t.shape.ndims, value] for t, value in zip(found, _run(tf, found))]


def augmented_batches(tf):
    images = np.random.RandomState(2).randint(0, 255, [4, 6, 6, 3], dtype=np.uint8)

    def augment(image, label):
        image = tf.image.resize_image_with_crop_or_pad(image, 8, 8)
        image = tf.random_crop(image, [6, 6, 3], seed=1)
        image = tf.image.random_flip_left_right(image, seed=2)
        image = tf.image.random_contrast(tf.cast(image, tf.float32), 0.5, 1.5, seed=3)
        return tf.image.per_image_standardization(image), tf.one_hot(label, 3)

    dataset = tf.data.Dataset.from_tensor_slices((images, [0, 1, 2, 0]))
    dataset = dataset.map(augment).batch(2, drop_remainder=True)
    return [elements(tf, dataset), str(dataset.output_shapes)]


def examples_for_columns(tf):
    """Serialised examples, parsed as columns say, become the input of a model."""
    fc = tf.feature_column
    _, ages, job, city, both = _person_columns(tf)
    cities = fc.embedding_column(city, 2, initializer=tf.ones_initializer())
    columns = [ages, fc.indicator_column(job), cities, fc.indicator_column(both)]
    features, _ = _people(tf)
    serialized = []
    for age, name, place in zip(features["age"], features["job"], features["city"]):
        serialized.append(tf.train.Example(features=tf.train.Features(feature={
            "age": tf.train.Feature(float_list=tf.train.FloatList(value=[age])),
            "job": tf.train.Feature(bytes_list=tf.train.BytesList(value=[name.encode()])),
            "city": tf.train.Feature(bytes_list=tf.train.BytesList(value=[place.encode()] * 2)),
        })).SerializeToString())  # fmt: skip
    spec = fc.make_parse_example_spec(columns)
    dataset = tf.data.Dataset.from_tensor_slices(serialized).batch(3)
    dataset = dataset.map(lambda x: tf.io.parse_example(x, spec))
    iterator = tf.data.make_initializable_iterator(dataset)
    net = fc.input_layer(iterator.get_next(), columns)
    with tf.Session() as session:
        session.run(
            [tf.global_variables_initializer(), tf.tables_initializer(), iterator.initializer]
        )
        return [
            session.run(net),
            session.run(net),
            sorted([key, type(kind).__name__] for key, kind in spec.items()),
        ]


def mixtures(tf):
    """Samples of several sets, choices, scans, sets of unequal lengths."""
    data, more = tf.data.Dataset, tf.data.experimental
    first, second = data.range(5), data.range(10, 14)

    def fibonacci(pair, x):
        return tf.stack([pair[1], pair[0] + pair[1]]), pair[0] + x

    classes = data.from_tensor_slices([0, 0, 0, 1, 0, 0, 1, 0, 0, 0] * 3)
    return [
        elements(tf, more.sample_from_datasets([first, second], [0.5, 0.5], seed=4)),
        elements(tf, more.choose_from_datasets([first, second], data.range(2).repeat(4))),
        elements(tf, classes.apply(more.rejection_resample(
            lambda c: c, [0.5, 0.5], [0.8, 0.2], seed=6)), 6),
        elements(tf, data.from_tensor_slices([3, 1, 3, 2, 1]).apply(more.unique())),
        elements(tf, first.apply(more.scan(tf.constant([0, 1], tf.int64), fibonacci))),
        elements(tf, first.apply(more.take_while(lambda x: x < 3))),
        elements(tf, data.zip((first, second, data.from_tensors("a").repeat()))),
        elements(tf, first.batch(2).apply(more.unbatch()).apply(more.enumerate_dataset(7))),
        elements(tf, first.apply(more.group_by_reducer(lambda x: x % 2, more.Reducer(
            lambda key: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: s * 10)))),
        elements(tf, more.RandomDataset(3).take(3)), elements(tf, more.Counter(5, -2).take(3)),
        elements(tf, first.apply(more.map_and_batch(lambda x: (x, -x), 2, 2, True))),
        elements(tf, data.range(6).shard(3, 1).concatenate(second.skip(3))),
        elements(tf, data.range(1, 4).map(lambda x: tf.fill([x], x)).apply(
            more.dense_to_sparse_batch(2, [4])).map(lambda s: (s.indices, s.values))),
    ]  # fmt: skip
