# SPDX-License-Identifier: Apache-2.0
"""Training programs that read their input from files in the graph: images, text, rows, speech.

Each is given a server and an empty folder, and returns what it computed.
"""

import os

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
data = tf.data
TF1 = tensorflow.__version__.startswith("1.")
if TF1:
    from tensorflow.contrib import lookup

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


def placed():
    return tf.device(tf.train.replica_device_setter(ps_tasks=1, worker_device="/job:worker/task:0"))


def initial(seed):
    return tf.random_uniform_initializer(-0.3, 0.3, seed=seed)


def weights(shape, seed):
    """A variable: later releases have no tf.layers."""
    return tf.Variable(tf.random_uniform(shape, -0.3, 0.3, seed=seed))


def trained(target, loss, more, start, steps, rate=0.05):
    """Losses and further values of so many steps, and the variables after them."""
    step = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss)
    variables = tf.trainable_variables()
    start = [tf.global_variables_initializer(), tf.tables_initializer(), start]
    with tf.Session(target) as session:
        for op in start:
            session.run(op)
        found = [session.run([loss, more, step])[:2] for _ in range(steps)]
        return found, session.run(variables)


# ---- Images ------------------------------------------------------------------------------------


def int64(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def text(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def floats(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def example(**features):
    found = tf.train.Example(features=tf.train.Features(feature=features))
    return found.SerializeToString()


def pictures(count):
    """JPEG images of different sizes, encoded by TensorFlow in this process."""
    rng = np.random.RandomState(1)
    graph = tf.Graph()
    with graph.as_default():
        pixels = tf.placeholder(tf.uint8, [None, None, 3])
        encoded = tf.image.encode_jpeg(pixels, quality=90)
    found = []
    with tf.Session(graph=graph) as session:
        for _ in range(count):
            height, width = rng.randint(40, 64, 2)
            rows, columns = np.mgrid[:height, :width]
            waves = rng.uniform(0.05, 0.4, 3) * rows[..., None] + rng.uniform(0, 6, 3)
            image = 120 + 100 * np.sin(waves + rng.uniform(0.05, 0.4) * columns[..., None])
            found.append(session.run(encoded, {pixels: image.astype(np.uint8)}))
    return found


def image_records(folder):
    """Three files of records as of ImageNet: a JPEG image, its label, a box."""
    images = pictures(24)
    for shard in range(3):
        with tf.python_io.TFRecordWriter(os.path.join(folder, f"train-{shard}-of-3")) as out:
            for k in range(shard, len(images), 3):
                box = {"ymin": 0.1, "xmin": 0.2, "ymax": 0.9, "xmax": 0.8}
                out.write(
                    example(
                        **{"image/encoded": text(images[k]), "image/class/label": int64(k % 5 + 1)},
                        **{f"image/object/bbox/{side}": floats(box[side]) for side in box},
                    )
                )


def parsed(record):
    boxes = {f"image/object/bbox/{s}": tf.VarLenFeature(tf.float32) for s in ("ymin", "xmin")}
    features = {
        "image/encoded": tf.FixedLenFeature([], tf.string, ""),
        "image/class/label": tf.FixedLenFeature([], tf.int64, -1),
        **boxes,
    }
    found = tf.parse_single_example(record, features)
    corner = tf.stack([tf.sparse_tensor_to_dense(found[name])[0] for name in sorted(boxes)])
    return found["image/encoded"], tf.cast(found["image/class/label"], tf.int32) - 1, corner


def small_resnet(images, labels):
    """A residual net of three blocks."""

    def conv(x, filters, strides=1):
        shape = [3, 3, int(x.shape[-1]), filters]
        return tf.nn.conv2d(x, weights(shape, 3), [1, strides, strides, 1], "SAME")

    def norm(x):
        scale, offset = (tf.Variable(tf.fill(x.shape[-1:], v)) for v in (1.0, 0.0))
        return tf.nn.relu(tf.nn.fused_batch_norm(x, scale, offset)[0])

    net = conv(images, 4, 2)
    for filters in (4, 8):
        strides = 1 if filters == 4 else 2
        short = conv(net, filters, strides)
        net = short + conv(norm(conv(norm(net), filters, strides)), filters)
    net = tf.reduce_mean(norm(net), [1, 2])
    logits = tf.matmul(net, weights([8, 5], 4))
    return tf.losses.sparse_softmax_cross_entropy(labels, logits)


def train_on_images(target, files, preprocess, calls, drop):
    def read(record):
        image, label = preprocess(*parsed(record))
        return image, label

    with placed():
        records = files().apply(
            data.experimental.parallel_interleave(
                tf.data.TFRecordDataset, cycle_length=2, block_length=2, sloppy=False
            )
        )
        records = records.shuffle(10, seed=7).repeat()
        batches = records.apply(
            data.experimental.map_and_batch(read, 6, num_parallel_calls=calls, drop_remainder=drop)
        )
        iterator = data.make_initializable_iterator(batches.prefetch(2))
        images, labels = iterator.get_next()
        images.set_shape([None, 24, 24, 3])
        loss = small_resnet(images, labels)
        more = [tf.reduce_mean(images, [1, 2]), labels]
        return trained(target, loss, more, iterator.initializer, 5, 0.02)


@program
def images_decoded_then_cropped(target, folder):
    """decode_jpeg, a resize, a random crop and flip, standardisation."""
    image_records(folder)

    def preprocess(encoded, label, corner):
        image = tf.image.decode_jpeg(encoded, channels=3)
        image = tf.image.convert_image_dtype(image, tf.float32)
        image = tf.image.resize_images(image, [28, 28], tf.image.ResizeMethod.BILINEAR)
        image = tf.random_crop(image, [24, 24, 3], seed=11)
        image = tf.image.random_flip_left_right(image, seed=12)
        image = tf.image.random_brightness(image, 0.1, seed=13)
        return tf.image.per_image_standardization(image), label

    def files():
        return data.Dataset.list_files(os.path.join(folder, "train-*-of-3"), shuffle=False)

    # One call at a time: the random ops have one order.
    return train_on_images(target, files, preprocess, 1, True)


@program
def images_cropped_while_decoded(target, folder):
    """decode_and_crop_jpeg of a sampled box, four calls at a time, random by the record's label."""
    image_records(folder)

    def preprocess(encoded, label, corner):
        shape = tf.image.extract_jpeg_shape(encoded)
        seed = tf.stack([label, 5])
        size = 30 + tf.cast(8 * tf.random.stateless_uniform([], seed), tf.int32)
        begin = tf.cast(tf.cast(shape[:2] - size, tf.float32) * corner, tf.int32)
        window = tf.concat([begin, tf.stack([size, size])], 0)
        image = tf.image.decode_and_crop_jpeg(encoded, window, channels=3)
        flip = tf.random.stateless_uniform([], seed + 1) < 0.5
        image = tf.cond(flip, lambda: tf.image.flip_left_right(image), lambda: image)
        image = tf.image.resize_images(image, [24, 24], tf.image.ResizeMethod.BICUBIC)
        return (image - [123.68, 116.78, 103.94]) / 60.0, label

    paths = [os.path.join(folder, f"train-{k}-of-3") for k in range(3)]

    def files():
        return data.Dataset.from_tensor_slices(paths).shuffle(3, seed=2)

    return train_on_images(target, files, preprocess, 4, False)


# ---- Text --------------------------------------------------------------------------------------

WORDS = "the king rules land queen cat eats fish dog meat a man walks woman and".split()


def sentences(folder, lines=40):
    rng = np.random.RandomState(3)
    path = os.path.join(folder, "text")
    with open(path, "w") as out:
        for _ in range(lines):
            out.write(" ".join(rng.choice(WORDS + ["rare"], rng.randint(4, 9))) + "\n")
    return path


def skip_grams(ids):
    """(centre, other) of all words of a sentence that stand next to each other."""
    return tf.concat([tf.stack([ids[:-1], ids[1:]], 1), tf.stack([ids[1:], ids[:-1]], 1)], 0)


def split(line):
    return tf.string_split([line]).values


def word2vec(target, table, path, steps=10):
    def pairs(line):
        return data.Dataset.from_tensor_slices(skip_grams(table.lookup(split(line))))

    with placed():
        lines = data.TextLineDataset(path).filter(lambda line: tf.size(split(line)) > 4)
        batches = lines.flat_map(pairs).shuffle(50, seed=5).repeat().batch(16)
        iterator = data.make_initializable_iterator(batches)
        found = iterator.get_next()
        inputs, labels = found[:, 0], found[:, 1:]
        size = len(WORDS) + 2
        embeddings = tf.get_variable("embeddings", [size, 8], initializer=initial(1))
        nce_weights = tf.get_variable("nce", [size, 8], initializer=initial(2))
        biases = tf.get_variable("biases", [size], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(
            tf.nn.nce_loss(
                nce_weights,
                biases,
                labels,
                tf.nn.embedding_lookup(embeddings, inputs),
                num_sampled=5,
                num_classes=size,
            )
        )
        return trained(target, loss, found, iterator.initializer, steps, 0.1)


@program
def word2vec_with_a_vocabulary_in_the_graph(target, folder):
    path = sentences(folder)
    with tf.device("/job:worker/task:0"):
        if TF1:
            table = lookup.index_table_from_tensor(tf.constant(WORDS), num_oov_buckets=2)
        else:
            numbered = tf.lookup.KeyValueTensorInitializer(WORDS, np.arange(len(WORDS)))
            table = tf.lookup.StaticVocabularyTable(numbered, 2)
    return word2vec(target, table, path)


@program
def word2vec_with_a_vocabulary_file(target, folder):
    path, words = sentences(folder), os.path.join(folder, "words")
    with open(words, "w") as out:
        out.write("".join(word + "\n" for word in WORDS))
    with tf.device("/job:worker/task:0"):
        if TF1:
            table = lookup.index_table_from_file(words, num_oov_buckets=2)
        else:
            numbered = tf.lookup.TextFileInitializer(
                words, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER,
            )  # fmt: skip
            table = tf.lookup.StaticVocabularyTable(numbered, 2)
    return word2vec(target, table, path)


# ---- Rows --------------------------------------------------------------------------------------

JOBS = ["clerk", "cook", "nurse", "pilot"]


def census(folder, rows=60):
    """A file of records: numbers, words, words of which some have several or none, a label."""
    rng = np.random.RandomState(6)
    path = os.path.join(folder, "census")
    with tf.python_io.TFRecordWriter(path) as out:
        for _ in range(rows):
            age, job, town = rng.randint(18, 70), rng.choice(JOBS), "town%d" % rng.randint(30)
            hobbies = [b"hobby%d" % h for h in rng.randint(0, 9, rng.randint(0, 4))]
            rich = int(age > 40 or job == "pilot")
            out.write(
                example(
                    age=floats(age), hours=floats(*rng.randint(10, 60, 2)),
                    job=text(job.encode()), town=text(town.encode()), hobbies=text(*hobbies),
                    label=int64(rich),
                )
            )  # fmt: skip
    return path


def wide_and_deep_columns():
    columns = tf.feature_column
    age = columns.numeric_column("age", normalizer_fn=lambda x: (x - 40.0) / 15.0)
    hours = columns.numeric_column("hours", (2,), normalizer_fn=lambda x: (x - 35.0) / 15.0)
    ages = columns.bucketized_column(columns.numeric_column("age"), [25.0, 35.0, 45.0, 60.0])
    job = columns.categorical_column_with_vocabulary_list("job", JOBS[:3], num_oov_buckets=1)
    town = columns.categorical_column_with_hash_bucket("town", 12)
    hobbies = columns.categorical_column_with_hash_bucket("hobbies", 7)
    both = columns.crossed_column([ages, "job"], 20)
    wide = [ages, job, town, hobbies, both]
    deep = [
        age,
        hours,
        columns.indicator_column(job),
        columns.embedding_column(town, 3, initializer=initial(8)),
        columns.embedding_column(hobbies, 2, combiner="sqrtn", initializer=initial(9)),
    ]
    return wide, deep


def rows(path, epochs=None, shuffle=True, part=(1, 0)):
    """Batches of (features, labels) of census(), parsed by the batch; `part` is (number, index)."""
    columns = [column for part in wide_and_deep_columns() for column in part]
    features = tf.feature_column.make_parse_example_spec(columns)
    features["label"] = tf.FixedLenFeature([], tf.int64)

    def parse(records):
        found = tf.parse_example(records, features)
        return found, found.pop("label")

    records = data.TFRecordDataset(path).shard(*part)
    records = records.shuffle(30, seed=3) if shuffle else records
    return records.repeat(epochs).batch(12).map(parse).prefetch(1)


@program
def wide_and_deep(target, folder):
    """linear_model() and input_layer() over rows of records, trained together."""
    path = census(folder)
    wide, deep = wide_and_deep_columns()
    with placed():
        iterator = data.make_initializable_iterator(rows(path))
        features, labels = iterator.get_next()
        linear = tf.feature_column.linear_model(features, wide)
        net = tf.feature_column.input_layer(features, deep)
        net = tf.nn.relu(tf.matmul(net, weights([int(net.shape[1]), 6], 1)))
        logits = linear + tf.matmul(net, weights([6, 1], 2))
        loss = tf.losses.sigmoid_cross_entropy(tf.cast(labels, tf.float32)[:, None], logits)
        return trained(target, loss, [labels, logits], iterator.initializer, 8, 0.02)


# ---- Speech ------------------------------------------------------------------------------------


def spoken(folder):
    """A file of sequences: frames of unequal count, and fewer characters."""
    rng = np.random.RandomState(8)
    path = os.path.join(folder, "speech")
    with tf.python_io.TFRecordWriter(path) as out:
        for _ in range(18):
            length = rng.randint(8, 15)
            frames = [floats(*rng.uniform(-1, 1, 5)) for _ in range(length)]
            marks = [int64(k) for k in rng.randint(0, 6, rng.randint(2, 4))]
            lists = {
                "frames": tf.train.FeatureList(feature=frames),
                "marks": tf.train.FeatureList(feature=marks),
            }
            found = tf.train.SequenceExample(
                feature_lists=tf.train.FeatureLists(feature_list=lists)
            )
            out.write(found.SerializeToString())
    return path


@program
def speech(target, folder):
    """An LSTM in both directions, ctc_loss, greedy and beam search decoders, edit distance."""
    path = spoken(folder)

    def parse(record):
        _, lists = tf.parse_single_sequence_example(
            record,
            sequence_features={
                "frames": tf.FixedLenSequenceFeature([5], tf.float32),
                "marks": tf.FixedLenSequenceFeature([], tf.int64),
            },
        )
        return lists["frames"], tf.shape(lists["frames"])[0], lists["marks"]

    with placed():
        batches = data.TFRecordDataset(path).map(parse).repeat()
        batches = batches.padded_batch(6, ([None, 5], [], [None]), (0.0, 0, np.int64(-1)))
        iterator = data.make_initializable_iterator(batches)
        frames, lengths, marks = iterator.get_next()
        where = tf.where(tf.not_equal(marks, -1))
        values = tf.cast(tf.gather_nd(marks, where), tf.int32)
        labels = tf.SparseTensor(where, values, tf.shape(marks, out_type=tf.int64))
        with tf.variable_scope("net", initializer=initial(4)):
            states = lstm(frames, lengths, 8)
        flat = tf.matmul(tf.reshape(states, [-1, 8]), weights([8, 7], 1))
        logits = tf.reshape(flat, tf.concat([tf.shape(states)[:2], [7]], 0))
        by_time = tf.transpose(logits, [1, 0, 2])
        loss = tf.reduce_mean(tf.nn.ctc_loss(labels, by_time, lengths))
        (greedy,), score = tf.nn.ctc_greedy_decoder(by_time, lengths)
        (beam,), _ = tf.nn.ctc_beam_search_decoder(by_time, lengths, 4, merge_repeated=False)
        far = tf.edit_distance(tf.cast(greedy, tf.int32), labels, normalize=True)
        more = [greedy.indices, greedy.values, score, beam.values, far]
        return trained(target, loss, more, iterator.initializer, 5, 0.05)


def lstm(frames, lengths, units):
    """Its states at each time. Later releases have no tf.nn.rnn_cell: tf.scan() runs the cell."""
    if TF1:
        cell = tf.nn.rnn_cell.LSTMCell(units)
        return tf.nn.dynamic_rnn(cell, frames, lengths, dtype=tf.float32)[0]
    kernel, bias = weights([int(frames.shape[2]) + units, 4 * units], 3), weights([4 * units], 4)

    def cell(last, x):
        gates = tf.matmul(tf.concat([x, last[1]], 1), kernel) + bias
        i, j, f, o = tf.split(gates, 4, 1)
        c = last[0] * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        return c, tf.tanh(c) * tf.sigmoid(o)

    zeros = tf.zeros([tf.shape(frames)[0], units])
    _, states = tf.scan(cell, tf.transpose(frames, [1, 0, 2]), (zeros, zeros))
    return tf.transpose(states, [1, 0, 2])


# ---- Input that fails --------------------------------------------------------------------------


@program
def input_that_fails(target, folder):
    """The kind of each error, and what is read after it."""
    image_records(folder)
    whole, cut, noise = (os.path.join(folder, name) for name in ("train-0-of-3", "cut", "noise"))
    with open(whole, "rb") as found:
        content = found.read()
    with open(cut, "wb") as out:
        out.write(content[:-20])
    with open(noise, "wb") as out:
        out.write(content[:40] + b"????" + content[44:])
    no_image = example(**{"image/encoded": text(b"no image"), "image/class/label": int64(1)})

    def pixels(record):
        return tf.image.decode_jpeg(parsed(record)[0])

    def words(record):
        return tf.parse_single_example(record, {"words": tf.FixedLenFeature([2], tf.string)})

    records = tf.data.TFRecordDataset
    sets = {
        "cut": records(cut).map(tf.strings.length),
        "noise": records(noise).map(tf.strings.length),
        "missing": records([whole, folder + "/missing"]).map(tf.strings.length),
        "folder": records(folder),
        "shapes": records(whole).map(pixels).batch(3),
        "features": records(whole).map(words),
        "no record": data.Dataset.from_tensors(b"??").map(words),
        "no image": data.Dataset.from_tensors(no_image).map(pixels),
        "no box": data.Dataset.from_tensors(no_image).map(parsed),
        "no file": data.Dataset.list_files(folder + "/none-*"),
        "map_and_batch": records(cut).apply(data.experimental.map_and_batch(pixels, 3)),
    }
    found = []
    with tf.Session(target) as session:
        for name in sorted(sets):
            found.append(name)
            iterator = data.make_initializable_iterator(sets[name])
            element = iterator.get_next()
            for op in [iterator.initializer] + 12 * [element]:
                try:
                    value = session.run(op)
                    found.append([value] if value is not None else [])
                except tf.errors.OpError as error:
                    found.append(type(error).__name__)
                    # Reading on after a file that is not there, TensorFlow looks for it again.
                    if isinstance(error, (tf.errors.OutOfRangeError, tf.errors.NotFoundError)):
                        break
    return found
