# SPDX-License-Identifier: Apache-2.0
"""contrib.seq2seq: decoders, helpers, attention and beam search."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True
BATCH, TIME, DEPTH, CLASSES = 3, 4, 5, 6
X = np.cos(np.arange(BATCH * TIME * DEPTH)).reshape(BATCH, TIME, DEPTH).astype(np.float32)
MEMORY = np.sin(np.arange(BATCH * 5 * 4)).reshape(BATCH, 5, 4).astype(np.float32)
LENGTHS = [4, 2, 3]


def _initializer(tf):
    """Values that differ from element to element, of the shape alone."""

    def values(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(
            0.7 * np.cos(1.7 * np.arange(count)).reshape(shape), (dtype or tf.float32).base_dtype
        )

    return values


def _scope(tf):
    return tf.variable_scope("m", initializer=_initializer(tf))


def _ran(tf, values):
    variables = [(v.name, v.shape.as_list()) for v in tf.global_variables()]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [variables, sess.run(values)]


def _table(tf):
    return tf.constant(np.cos(np.arange(CLASSES * DEPTH)).reshape(CLASSES, DEPTH), tf.float32)


def _decoded(tf, helper, output_layer=None, **more):
    s, c = contrib_of(tf).seq2seq, tf.nn.rnn_cell
    with _scope(tf):
        cell = c.GRUCell(CLASSES)
        decoder = s.BasicDecoder(cell, helper, cell.zero_state(BATCH, tf.float32), output_layer)
        outputs, state, lengths = s.dynamic_decode(decoder, **more)
    shapes = outputs.rnn_output.shape.as_list(), outputs.sample_id.shape.as_list()
    found = [outputs.rnn_output, outputs.sample_id, state, lengths]
    return [shapes, _ran(tf, found)]


def training_helpers(tf):
    s, found = contrib_of(tf).seq2seq, []
    for more in (
        {}, {"impute_finished": True}, {"maximum_iterations": 2}, {"output_time_major": True}
    ):  # fmt: skip
        with tf.Graph().as_default():
            found.append(_decoded(tf, s.TrainingHelper(tf.constant(X), LENGTHS), **more))
    with tf.Graph().as_default():
        helper = s.TrainingHelper(tf.constant(np.swapaxes(X, 0, 1)), LENGTHS, time_major=True)
        layer = tf.layers.Dense(7, use_bias=False, name="out")
        found.append(_decoded(tf, helper, layer, scope="other"))
    return found


def gradients_of_training(tf):
    s, c = contrib_of(tf).seq2seq, tf.nn.rnn_cell
    with _scope(tf):
        cell = c.BasicLSTMCell(CLASSES)
        helper = s.TrainingHelper(tf.constant(X), LENGTHS)
        decoder = s.BasicDecoder(cell, helper, cell.zero_state(BATCH, tf.float32))
        outputs, _, _ = s.dynamic_decode(decoder, impute_finished=True)
    weights = tf.sequence_mask(LENGTHS, TIME, dtype=tf.float32)
    loss = s.sequence_loss(outputs.rnn_output, tf.ones([BATCH, TIME], tf.int32), weights)
    return _ran(tf, [loss, tf.gradients(loss, tf.trainable_variables())])


def greedy_helpers(tf):
    s, found = contrib_of(tf).seq2seq, []
    for more in ({}, {"impute_finished": True}):
        for end in (2, 5):
            with tf.Graph().as_default():
                helper = s.GreedyEmbeddingHelper(_table(tf), [0, 1, 2], end)
                found.append(_decoded(tf, helper, maximum_iterations=5, **more))
    with tf.Graph().as_default():
        table = _table(tf)
        helper = s.GreedyEmbeddingHelper(lambda ids: tf.gather(table, ids), tf.fill([3], 4), 0)
        found.append(_decoded(tf, helper, maximum_iterations=tf.constant(3)))
    return found


def sampling_helpers(tf):
    s, found = contrib_of(tf).seq2seq, []
    for heat in (None, 0.5):
        with tf.Graph().as_default():
            helper = s.SampleEmbeddingHelper(_table(tf), [0, 1, 2], 5, heat, seed=3)
            found.append(_decoded(tf, helper, maximum_iterations=4)[1][0])
    for probability in (0.0, 1.0):
        with tf.Graph().as_default():
            helper = s.ScheduledOutputTrainingHelper(
                tf.constant(X), LENGTHS, probability,
                next_inputs_fn=lambda outputs: outputs[:, :DEPTH],
            )  # fmt: skip
            found.append(_decoded(tf, helper))
    with tf.Graph().as_default():
        helper = s.ScheduledEmbeddingTrainingHelper(tf.constant(X), LENGTHS, _table(tf), 0.0)
        found.append(_decoded(tf, helper))
    with tf.Graph().as_default():
        helper = s.ScheduledEmbeddingTrainingHelper(tf.constant(X), LENGTHS, _table(tf), 1.0)
        found.append(_decoded(tf, helper)[0])
    return found


def other_helpers(tf):
    s = contrib_of(tf).seq2seq
    helper = s.InferenceHelper(
        lambda outputs: outputs[:, :DEPTH], [DEPTH], tf.float32, tf.constant(X[:, 0]),
        lambda samples: tf.reduce_sum(samples, 1) > 100.0, lambda samples: samples * 2.0,
    )  # fmt: skip
    found = [_decoded(tf, helper, maximum_iterations=3)]
    with tf.Graph().as_default():
        x = tf.constant(X)
        helper = s.CustomHelper(
            lambda: (tf.fill([BATCH], False), x[:, 0]),
            lambda time, outputs, state: tf.cast(tf.argmax(outputs, -1), tf.int32),
            lambda time, outputs, state, sample_ids: (
                tf.fill([BATCH], time >= 2), x[:, 1] * tf.cast(time, tf.float32), state
            ),
        )  # fmt: skip
        found.append(_decoded(tf, helper))
    return found


def _attention(tf, make, **more):
    s, c = contrib_of(tf).seq2seq, tf.nn.rnn_cell
    with _scope(tf):
        mechanism = make(s, tf.constant(MEMORY))
        cell = s.AttentionWrapper(c.GRUCell(4), mechanism, **more)
        state = cell.zero_state(BATCH, tf.float32)
        helper = s.TrainingHelper(tf.constant(X), LENGTHS)
        outputs, state, lengths = s.dynamic_decode(s.BasicDecoder(cell, helper, state))
    history = state.alignment_history
    histories = history if isinstance(history, tuple) else (history,)
    found = [outputs.rnn_output, outputs.sample_id, lengths, state.cell_state, state.attention,
             state.time, state.alignments, [one.stack() for one in histories]]  # fmt: skip
    loss = tf.reduce_sum(tf.square(outputs.rnn_output))
    return _ran(tf, [found, tf.gradients(loss, tf.trainable_variables())])


def attention(tf):
    found = []
    for make, more in (
        (lambda s, m: s.BahdanauAttention(4, m), {}),
        (lambda s, m: s.BahdanauAttention(3, m, [5, 1, 2], normalize=True), {}),
        (lambda s, m: s.LuongAttention(4, m), {"attention_layer_size": 7}),
        (lambda s, m: s.LuongAttention(4, m, [1, 2, 3], scale=True), {"output_attention": False}),
        (lambda s, m: s.LuongAttention(4, m, probability_fn=s.hardmax), {}),
        (lambda s, m: s.BahdanauMonotonicAttention(3, m, [5, 1, 2], normalize=True), {}),
        (lambda s, m: s.LuongMonotonicAttention(4, m, scale=True, mode="recursive"), {}),
        (lambda s, m: s.LuongMonotonicAttention(4, m, mode="hard", score_bias_init=0.1), {}),
        (lambda s, m: s.BahdanauAttention(4, m),
         {"alignment_history": True, "cell_input_fn": lambda x, a: x + tf.tile(a, [1, 2])[:, :5]}),
        (lambda s, m: [s.BahdanauAttention(4, m), s.LuongAttention(4, m)],
         {"attention_layer_size": [3, 2], "alignment_history": True}),
    ):  # fmt: skip
        with tf.Graph().as_default():
            if not more.get("alignment_history"):
                more = {**more, "alignment_history": True}
            found.append(_attention(tf, make, **more))
    return found


def attention_in_a_plain_network(tf):
    s, c = contrib_of(tf).seq2seq, tf.nn.rnn_cell
    with _scope(tf):
        mechanism = s.BahdanauAttention(4, tf.constant(MEMORY))
        cell = s.AttentionWrapper(c.GRUCell(4), mechanism, initial_cell_state=tf.ones([BATCH, 4]))
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(X), LENGTHS, dtype=tf.float32)
        other = cell.zero_state(BATCH, tf.float32).clone(cell_state=tf.fill([BATCH, 4], 0.5))
    return _ran(tf, [outputs, state.attention, state.time, other.cell_state])


def _beams(tf, width, attentive, layer=True, **more):
    s, c = contrib_of(tf).seq2seq, tf.nn.rnn_cell
    with _scope(tf):
        cell = c.BasicLSTMCell(4)
        if attentive:
            memory = s.tile_batch(tf.constant(MEMORY), width)
            mechanism = s.LuongAttention(4, memory, s.tile_batch(tf.constant([5, 2, 4]), width))
            cell = s.AttentionWrapper(cell, mechanism, alignment_history=attentive == "all")
        state = cell.zero_state(BATCH * width, tf.float32)
        decoder = s.BeamSearchDecoder(
            cell, _table(tf), tf.fill([BATCH], 1), 2, state, width,
            tf.layers.Dense(CLASSES, use_bias=False, name="out"), **more
        )  # fmt: skip
        outputs, state, lengths = s.dynamic_decode(decoder, maximum_iterations=5)
    inner = outputs.beam_search_decoder_output
    found = [outputs.predicted_ids, inner.scores, inner.predicted_ids, inner.parent_ids, lengths,
             state.log_probs, state.finished, state.lengths]  # fmt: skip
    if attentive == "all":
        history = state.cell_state.alignment_history
        found.append(history.stack() if hasattr(history, "stack") else history)
    return [outputs.predicted_ids.shape.as_list(), _ran(tf, found)]


def beam_search(tf):
    found = []
    for width, attentive, more in (
        (1, False, {}), (3, False, {}), (3, False, {"length_penalty_weight": 0.6}),
        (2, True, {}), (2, "all", {}), (2, True, {"coverage_penalty_weight": 0.4}),
    ):  # fmt: skip
        with tf.Graph().as_default():
            found.append(_beams(tf, width, attentive, **more))
    return found


def parts_of_beam_search(tf):
    s = contrib_of(tf).seq2seq
    tiled = s.tile_batch({"a": tf.constant(X), "b": tf.constant([1, 2, 3])}, 2)
    parents = tf.constant([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]])
    steps = tf.constant([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]])
    tree = s.gather_tree(steps, parents, [3], 10)
    largest = s.hardmax(tf.constant([[1.0, 3.0], [2.0, -1.0]]))
    with tf.Session() as sess:
        return sess.run([tiled, tree, largest])


def losses_of_sequences(tf):
    s = contrib_of(tf).seq2seq
    logits = tf.constant(np.cos(np.arange(24)).reshape(2, 3, 4), tf.float32)
    targets, weights = tf.constant([[0, 1, 2], [3, 0, 1]]), tf.constant([[1, 1, 0], [1.0, 0, 0]])
    found = [
        s.sequence_loss(logits, targets, weights, t, b, ts, bs)
        for t, b, ts, bs in (
            (True, True, False, False), (True, False, False, False), (False, True, False, False),
            (False, False, False, False), (False, False, True, True), (False, False, False, True),
        )
    ]  # fmt: skip
    found.append(
        s.sequence_loss(
            logits, targets, weights,
            softmax_loss_function=lambda labels, logits: tf.reduce_sum(logits, 1),
        )
    )  # fmt: skip
    with tf.Session() as sess:
        return sess.run(found)


def mistakes(tf):
    s, c, found = contrib_of(tf).seq2seq, tf.nn.rnn_cell, []
    x, memory = tf.constant(X), tf.constant(MEMORY)
    for mistake in (
        lambda: s.TrainingHelper(x, 4),
        lambda: s.GreedyEmbeddingHelper(_table(tf), 0, 1),
        lambda: s.GreedyEmbeddingHelper(_table(tf), [0], [1]),
        lambda: s.BasicDecoder(c.GRUCell(3), "helper", None),
        lambda: s.BasicDecoder("cell", s.TrainingHelper(x, LENGTHS), None),
        lambda: s.BasicDecoder(c.GRUCell(3), s.TrainingHelper(x, LENGTHS), None, "layer"),
        lambda: s.dynamic_decode("decoder"),
        lambda: s.AttentionWrapper(c.GRUCell(3), "mechanism"),
        lambda: s.AttentionWrapper(c.GRUCell(3), s.LuongAttention(4, memory), [1, 2]),
        lambda: s.AttentionWrapper(c.GRUCell(3), s.LuongAttention(4, memory), cell_input_fn=3),
        lambda: s.LuongAttention(4, memory, probability_fn=3),
        lambda: s.BahdanauAttention(4, tf.placeholder(tf.float32, [2, 3, None])),
        lambda: s.LuongAttention(3, memory)(tf.zeros([3, 4]), None),
        lambda: s.BeamSearchDecoder(c.GRUCell(3), _table(tf), 0, 1, tf.zeros([4, 3]), 2),
        lambda: s.sequence_loss(x, tf.zeros([2], tf.int32), tf.zeros([2, 2])),
        lambda: s.monotonic_attention(x[0], x[0], "other"),
        lambda: s.CustomHelper(None, None, None).batch_size,
        lambda: s.tile_batch(tf.constant(1), 2),
    ):
        try:
            mistake()
            found.append(None)
        except Exception as error:
            found.append(type(error).__name__)
    return found
