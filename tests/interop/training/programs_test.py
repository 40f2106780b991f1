# SPDX-License-Identifier: Apache-2.0
"""Whole programs of TensorFlow 1: recurrent networks, attention, beam search, map and fold.

Each is built for each placement and run by TensorFlow's own servers (a ps and two workers) and
by ours: a ps and two workers, one task, and one task with two devices. The losses and outputs of
all steps are equal, relative error 1e-4 (float32 sums in other orders).
"""


import numpy as np
import pytest
import tensorflow

from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)
TF1 = tensorflow.__version__.startswith("1.")

STEPS, BATCH, WIDTH, UNITS, WORDS = 5, 3, 4, 6, 9


def weight(name, *shape):
    """From its name and shape alone: the same in every session."""
    seed = sum(map(ord, name)) + sum(shape)
    value = np.random.RandomState(seed).uniform(-0.4, 0.4, shape).astype(np.float32)
    return tf.get_variable(name, shape, initializer=tf.constant_initializer(value))


def inputs(step):
    return np.random.RandomState(step).uniform(-1, 1, (BATCH, STEPS, WIDTH)).astype(np.float32)


class Cell:
    """Replacements of TensorFlow's cells for its RNN functions; later clients have none."""

    def __init__(self, name, units=UNITS):
        self.name, self.output_size = name, units

    def zero_state(self, batch, dtype):
        shape = tf.stack([batch, self.output_size])
        if isinstance(self.state_size, tuple):
            return tuple(tf.zeros(shape, dtype) for _ in self.state_size)
        return tf.zeros(shape, dtype)

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return self.zero_state(batch_size, dtype)

    def dense(self, name, x, h, width):
        rows = int(x.shape[-1]) + int(h.shape[-1])
        with tf.variable_scope(self.name, reuse=tf.AUTO_REUSE):
            kernel = weight(name, rows, width)
            bias = weight(name + "_bias", width)
        return tf.matmul(tf.concat([x, h], 1), kernel) + bias


class Lstm(Cell):
    @property
    def state_size(self):
        return (self.output_size, self.output_size)

    def __call__(self, x, state, scope=None):
        c, h = state
        i, j, f, o = tf.split(self.dense("gates", x, h, 4 * self.output_size), 4, axis=1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
        return h, (c, h)


class Gru(Cell):
    @property
    def state_size(self):
        return self.output_size

    def __call__(self, x, h, scope=None):
        r, u = tf.split(tf.sigmoid(self.dense("gates", x, h, 2 * self.output_size)), 2, axis=1)
        new = tf.tanh(self.dense("candidate", x, r * h, self.output_size))
        h = u * h + (1 - u) * new
        return h, h


def sequences():
    x = tf.placeholder(tf.float32, [BATCH, STEPS, WIDTH], name="x")
    return x, lambda step: {x: inputs(step)}


# ---- Models: each returns (loss, what else is fetched, feed of a step).

MODELS = {}


def model(build):
    MODELS[build.__name__] = build
    return build


def squared(*outputs):
    return tf.add_n([tf.reduce_mean(tf.square(o - 0.3)) for o in outputs])


@model
def static_lstm(tf1_cells=False):
    x, feed = sequences()
    cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS) if tf1_cells else Lstm("lstm")
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    return squared(outputs[-1], outputs[0]), [state], feed


@model
def dynamic_lstm(tf1_cells=False):
    x, feed = sequences()
    cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS) if tf1_cells else Lstm("lstm")
    outputs, state = tf.nn.dynamic_rnn(
        cell, x, sequence_length=[5, 2, 4], dtype=tf.float32, swap_memory=True
    )
    return squared(outputs), [state], feed


@model
def bidirectional_gru(tf1_cells=False):
    x, feed = sequences()
    cells = (
        [tf.nn.rnn_cell.GRUCell(UNITS) for _ in range(2)] if tf1_cells else [Gru("fw"), Gru("bw")]
    )
    outputs, states = tf.nn.bidirectional_dynamic_rnn(
        *cells, x, sequence_length=[5, 3, 1], dtype=tf.float32, parallel_iterations=2
    )
    return squared(*outputs), [states], feed


@model
def stacked_dynamic(tf1_cells=False):
    x, feed = sequences()
    with tf.variable_scope("first"):
        first, _ = tf.nn.dynamic_rnn(Gru("gru"), x, dtype=tf.float32, parallel_iterations=32)
    with tf.variable_scope("second"):
        second, _ = tf.nn.dynamic_rnn(
            Lstm("lstm"), tf.transpose(first, [1, 0, 2]), dtype=tf.float32, time_major=True
        )
    return squared(second), [], feed


@model
def higher_order(tf1_cells=False):
    """map_fn, scan, foldl and foldr over one sequence."""
    x, feed = sequences()
    w = weight("w", WIDTH, WIDTH)
    mapped = tf.map_fn(lambda row: tf.tanh(tf.matmul(row, w)), x, parallel_iterations=3)
    pairs = tf.map_fn(
        lambda ab: (ab[0] + ab[1], ab[0] * 2.0), (x, mapped), dtype=(tf.float32, tf.float32)
    )
    scanned = tf.scan(lambda a, row: tf.tanh(a * 0.5 + tf.matmul(row, w)), mapped)
    left = tf.foldl(lambda a, row: a * 0.5 + row, scanned)
    right = tf.foldr(lambda a, row: tf.sin(a) + tf.matmul(row, w), pairs[0], swap_memory=True)
    return squared(left, right, pairs[1]), [scanned], feed


@model
def nested_loops(tf1_cells=False):
    """A loop in a loop in a loop around a conditional, with a variable inside."""
    x, feed = sequences()
    w = weight("w", WIDTH, WIDTH)

    def inner(j, h):
        even = tf.equal(j % 2, 0)
        return j + 1, tf.cond(even, lambda: tf.tanh(tf.matmul(h, w)), lambda: h * 0.9)

    def middle(i, h):
        h = tf.while_loop(lambda j, _: j < i, inner, [0, h], parallel_iterations=1)[1]
        return i + 1, h + 0.1

    def outer(t, h, total):
        h = h + x[:, t]
        h = tf.while_loop(lambda i, _: i < 3, middle, [0, h], parallel_iterations=32)[1]
        return t + 1, h, total + tf.reduce_sum(h)

    start = [0, tf.zeros([BATCH, WIDTH]), 0.0]
    _, h, total = tf.while_loop(lambda t, *_: t < STEPS, outer, start, swap_memory=True)
    return squared(h) + total * 0.01, [h], feed


@model
def custom_gradient(tf1_cells=False):
    x, feed = sequences()
    w = weight("w", WIDTH, WIDTH)

    @tensorflow.custom_gradient
    def clipped(v):
        return tf.exp(v), lambda dy: tf.clip_by_value(dy, -0.1, 0.1) * 3.0

    h = clipped(tf.matmul(tf.reshape(x, [-1, WIDTH]), w))
    return squared(h), [h], feed


def encoder(source, embedding):
    return tf.nn.dynamic_rnn(
        Gru("encoder"), tf.nn.embedding_lookup(embedding, source), dtype=tf.float32
    )


def attend(h, memory):
    """Dot-product attention of [n, units] to [n, time, units]."""
    scores = tf.nn.softmax(tf.reduce_sum(memory * tf.expand_dims(h, 1), 2))
    return tf.reduce_sum(memory * tf.expand_dims(scores, 2), 1)


def decoder_step(embedding, projection, memory):
    cell = Gru("decoder")

    def step(words, h):
        h, _ = cell(tf.nn.embedding_lookup(embedding, words), h)
        return tf.matmul(tf.concat([h, attend(h, memory)], 1), projection), h

    return step


def beam_search(step, h, memory_size, beam=3, length=4):
    """The `beam` best continuations of each sentence: words [length, batch * beam], scores."""
    h = tf.reshape(tf.tile(tf.expand_dims(h, 1), [1, beam, 1]), [BATCH * beam, UNITS])
    first = tf.tile([[0.0] + [-1e9] * (beam - 1)], [BATCH, 1])
    offsets = tf.reshape(tf.range(BATCH) * beam, [BATCH, 1])

    def body(t, words, h, scores, chosen, parents):
        logits, h = step(words, h)
        each = tf.reshape(tf.nn.log_softmax(logits), [BATCH, beam, WORDS])
        total = tf.reshape(tf.expand_dims(scores, 2) + each, [BATCH, beam * WORDS])
        scores, places = tf.nn.top_k(total, beam)
        parent = tf.reshape(tf.floordiv(places, WORDS) + offsets, [-1])
        words = tf.reshape(tf.floormod(places, WORDS), [-1])
        h = tf.gather(h, parent)
        return t + 1, words, h, scores, chosen.write(t, words), parents.write(t, parent)

    arrays = [tf.TensorArray(tf.int32, length, element_shape=[BATCH * beam]) for _ in range(2)]
    start = [tf.constant(0), tf.zeros([BATCH * beam], tf.int32), h, first] + arrays
    loop = tf.while_loop(lambda t, *_: t < length, body, start)
    return loop[4].stack(), loop[5].stack(), loop[3]


@model
def seq2seq(tf1_cells=False):
    """Encoder, attention, decoder by teacher forcing; and beam search with what was learnt."""
    source = tf.placeholder(tf.int32, [BATCH, STEPS], name="source")
    target = tf.placeholder(tf.int32, [BATCH, STEPS], name="target")
    embedding = weight("embedding", WORDS, WIDTH)
    projection = weight("projection", 2 * UNITS, WORDS)
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE):
        memory, h = encoder(source, embedding)
        step = decoder_step(embedding, projection, memory)

        def body(t, h, losses):
            words = tf.where(tf.equal(t, 0), tf.zeros([BATCH], tf.int32), target[:, t - 1])
            logits, h = step(words, h)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=target[:, t], logits=logits
            )
            return t + 1, h, losses.write(t, loss)

        losses = tf.TensorArray(tf.float32, STEPS, element_shape=[BATCH])
        losses = tf.while_loop(lambda t, *_: t < STEPS, body, [0, h, losses])[2].stack()
        beam = 3
        wide = tf.tile(tf.expand_dims(memory, 1), [1, beam, 1, 1])
        wide = tf.reshape(wide, [BATCH * beam, STEPS, UNITS])
        words = beam_search(decoder_step(embedding, projection, wide), h, beam)

    def feed(step):
        r = np.random.RandomState(step)
        return {t: r.randint(0, WORDS, (BATCH, STEPS)) for t in (source, target)}

    return tf.reduce_mean(losses), list(words), feed


def contrib_seq2seq(tf1_cells=True):
    """The same by tf.contrib.seq2seq; its beam search needs an op that its servers do not load."""
    from tensorflow.contrib import seq2seq as s2s

    source = tf.placeholder(tf.int32, [BATCH, STEPS], name="source")
    target = tf.placeholder(tf.int32, [BATCH, STEPS], name="target")
    embedding = weight("embedding", WORDS, UNITS)
    memory, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(UNITS),
        tf.nn.embedding_lookup(embedding, source),
        dtype=tf.float32,
        scope="encoder",
    )
    projection = tf.layers.Dense(WORDS, name="projection")

    def cell(memory):
        attention = s2s.LuongAttention(UNITS, memory)
        return s2s.AttentionWrapper(tf.nn.rnn_cell.GRUCell(UNITS), attention, UNITS)

    with tf.variable_scope("decoder", reuse=tf.AUTO_REUSE):
        training = cell(memory)
        begin = training.zero_state(BATCH, tf.float32).clone(cell_state=state)
        embedded = tf.nn.embedding_lookup(embedding, target)
        lengths = tf.fill([BATCH], STEPS)
        decoder = s2s.BasicDecoder(
            training, s2s.TrainingHelper(embedded, lengths), begin, projection
        )
        outputs, _, _ = s2s.dynamic_decode(decoder, scope="scope")
        loss = s2s.sequence_loss(outputs.rnn_output, target, tf.ones([BATCH, STEPS]))

    def feed(step):
        r = np.random.RandomState(step)
        return {t: r.randint(0, WORDS, (BATCH, STEPS)) for t in (source, target)}

    return loss, [outputs.sample_id], feed


# ---- Running.

THREE = ("/job:ps/task:0", "/job:worker/task:1")
ONE = ("/job:worker/task:0", "/job:worker/task:0")
TWO_DEVICES = ("/job:worker/task:0/device:CPU:1", "/job:worker/task:0/device:CPU:0")


def train(target, build, place, steps=6, **options):
    """Losses and outputs of some steps from fixed initial values."""
    ps, worker = place
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(5)
        with tf.device(lambda op: ps if op.type in ("VariableV2", "VarHandleOp") else worker):
            scope = tf.variable_scope("", initializer=tf.constant_initializer(0.11))
            with scope:
                loss, more, feed = build(**options)
            step = tf.train.AdamOptimizer(0.03).minimize(loss)
            start = tf.global_variables_initializer()
        with tf.Session(target, graph=graph) as session:
            session.run(start)
            limit = tf.RunOptions(timeout_in_ms=60000)
            values = []
            for k in range(steps):
                # Apart: a step that trains changes the variables under whoever else reads them.
                values.append(session.run(more, feed(k), limit))
                values.append(session.run([loss, step], feed(k), limit)[0])
            return values


def flat(value):
    if isinstance(value, (list, tuple)):
        return [v for element in value for v in flat(element)]
    return [value]


def compare(actual, expected):
    for a, e in zip(flat(actual), flat(expected)):
        if np.asarray(e).dtype.kind == "O":
            np.testing.assert_array_equal(a, e)
        else:
            np.testing.assert_allclose(a, e, rtol=1e-4, atol=1e-5)


def python_function_fails(target):
    """A py_func lives in the client's process: an error that names the op, not a hang."""
    with tf.Graph().as_default(), tf.Session(target) as session:
        y = tf.py_func(lambda v: v + 1, [tf.constant(1.0)], tf.float32, name="mine")
        try:
            session.run(y)
        except tf.errors.OpError as error:
            assert "mine" in error.message and "PyFunc" in error.message, error.message
            return
        raise AssertionError("a py_func ran on a server")


def contrib_beams(target):
    """GatherTree, which tf.contrib loads into the client: a session there is the judge."""
    from tensorflow.contrib import seq2seq as s2s

    r = np.random.RandomState(3)
    shape = (5, 4, 3)  # time, batch, beam
    with tf.Graph().as_default():
        beams = [
            s2s.gather_tree(
                np.int32(r.randint(0, 6, shape)),
                np.int32(r.randint(0, 3, shape)),
                lengths,
                end_token=5,
            )
            for lengths in ([5, 3, 0, 9], [1, 2, 3, 4])
        ]
        wrong = s2s.gather_tree(
            np.ones(shape, np.int32), np.full(shape, 4, np.int32), [5] * 4, end_token=5
        )
        with tf.Session() as theirs, tf.Session(target) as ours:
            np.testing.assert_equal(ours.run(beams), theirs.run(beams))
            for session in (theirs, ours):
                try:
                    session.run(wrong)
                except tf.errors.InvalidArgumentError as error:
                    assert "Saw invalid parent id 4" in error.message, error.message
                else:
                    raise AssertionError("a parent that is no beam was followed")


def contrib_ops(target):
    """Ops of tf.contrib's image, resampler and layers, of k-means: the same judge."""
    from tensorflow.contrib import image, resampler
    from tensorflow.contrib.layers.python.ops.sparse_feature_cross_op import (
        sparse_feature_cross as cross,
    )
    from tensorflow.python.ops import gen_clustering_ops as k_means

    r = np.random.RandomState(5)
    with tf.Graph().as_default():
        images = tf.constant(r.rand(2, 7, 8, 3).astype(np.float32))
        whole = tf.constant(r.randint(0, 255, (2, 5, 4, 1)), tf.uint8)
        bent = [1.0, 0.1, 2.0, 0.2, 0.9, 1.0, 0.01, -0.02]
        far = [[1.0, 0.0, 1e30, 0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0, 0, 0, 1.0, 0, -0.5, 0.0]]
        points = tf.constant((r.rand(2, 5, 2) * 9 - 1.5).astype(np.float32))
        turned = image.rotate(images, [0.3, -0.7], "BILINEAR")
        read = resampler.resampler(images, points)
        crowd = tf.constant(r.randn(30, 2).astype(np.float32))
        words = [
            tf.SparseTensor([[0, 0], [0, 2], [2, 1]], ["a", "b", "c"], [3, 3]),
            tf.SparseTensor([[0, 0], [1, 0], [2, 0], [2, 5]], ["1", "2", "3", "4"], [3, 6]),
        ]
        numbers = [
            tf.SparseTensor(x.indices, tf.constant(ids, tf.int64), x.dense_shape)
            for x, ids in zip(words, ([-5, 7, 1 << 40], [1, 2, 3, -4]))
        ]
        fetches = [
            turned,
            tf.gradients(tf.square(turned), images),
            image.rotate(whole, 0.4),
            image.translate(whole, [1.5, -2.0], "BILINEAR"),
            image.transform(images, bent, output_shape=[5, 6]),
            image.transform(images, far, "BILINEAR"),
            read,
            tf.gradients(tf.square(read), [images, points]),
            [cross(x, True, n) for x in (words, numbers) for n in (0, 97)],
            cross(numbers, True, 97, hash_key=956888297470),
            cross(words + [tf.constant([["x", "y"], ["z", "w"], ["q", "r"]])]),
            [k_means.nearest_neighbors(points[0], points[1], k) for k in (0, 2, 9)],
            [
                k_means.kmeans_plus_plus_initialization(crowd, n, n, retries)
                for n, retries in ((1, 0), (4, 0), (5, 1), (9, -1))
            ],
            [k_means.kmc2_chain_initialization(crowd[:, 0] ** 2, seed) for seed in range(9)],
        ]
        wrong = [
            image.transform(images, tf.placeholder_with_default([bent] * 3, [None, 8])),
            image.transform(images, bent, output_shape=tf.placeholder_with_default([0, 3], [2])),
            resampler.resampler(images, tf.placeholder_with_default(points[:1], None)),
            resampler.resampler(images, tf.placeholder_with_default(points[:, :, :1], None)),
            k_means.nearest_neighbors(points[0], points[1, :, :1], 1),
            k_means.kmeans_plus_plus_initialization(crowd, 31, 0, 0),
            k_means.kmeans_plus_plus_initialization(crowd, 0, 0, 0),
            k_means.kmc2_chain_initialization(crowd[0, :0], 0),
        ]
        with tf.Session() as theirs, tf.Session(target) as ours:
            for fetch in fetches:
                compare(flat(ours.run(fetch)), flat(theirs.run(fetch)))
            for fetch in wrong:
                raised = []
                for session in (theirs, ours):
                    try:
                        session.run(fetch)
                        raised.append("nothing")
                    except tf.errors.OpError as error:
                        raised.append(type(error).__name__)
                assert raised[0] == raised[1] != "nothing", (fetch, raised)


JOBS = {"ps": 1, "worker": 2}
CHOSEN = {name: (build, {}) for name, build in MODELS.items()}
if TF1:
    CHOSEN["contrib_seq2seq"] = contrib_seq2seq, {}
    for cell_name in ("static_lstm", "dynamic_lstm", "bidirectional_gru"):
        CHOSEN[cell_name + " (its own cells)"] = MODELS[cell_name], {"tf1_cells": True}


@pytest.fixture(scope="module")
def one():
    with Cluster({"worker": 1}) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def two():
    with Cluster({"worker": 1}, extra=["--cpu_devices", "2"]) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def expected_of(theirs):
    """The losses by TensorFlow's servers: once for each program."""
    known = {}

    def losses(name):
        if name not in known:
            build, options = CHOSEN[name]
            known[name] = train(theirs.target(), build, THREE, **options)
            tf.Session.reset(theirs.target())
        return known[name]

    return losses


@pytest.mark.parametrize("place", ("three", "one", "two"))
@pytest.mark.parametrize("name", CHOSEN)
def test_program(ours, one, two, expected_of, name, place):
    clusters = {"three": (ours, THREE), "one": (one, ONE), "two": (two, TWO_DEVICES)}
    cluster, where = clusters[place]
    build, options = CHOSEN[name]
    compare(train(cluster.target(), build, where, **options), expected_of(name))
    tf.Session.reset(cluster.target())


@pytest.mark.skipif(not TF1, reason="TensorFlow 2 has no contrib")
def test_contrib_beams(target):
    contrib_beams(target)


@pytest.mark.skipif(not TF1, reason="TensorFlow 2 has no contrib")
def test_contrib_ops(target):
    contrib_ops(target)


def test_py_func(target):
    python_function_fails(target)
