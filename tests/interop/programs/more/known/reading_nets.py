# SPDX-License-Identifier: Apache-2.0
"""Nets that read and write text, as people write them."""

import numpy as np

ONLY_1X = True


def _seed(tf, number):
    return tf.random_uniform_initializer(-0.2, 0.2, seed=number)


def _losses(tf, step, fetched, feeds, count=4):
    """What is fetched before each step: a part of a loss may read a variable that it has set."""
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for number in range(count):
            feed = feeds[number % len(feeds)]
            found.append(session.run(fetched, feed))
            session.run(step, feed)
    return found


def a_convolutional_net_of_text(tf):
    rng = np.random.RandomState(0)
    input_x = tf.placeholder(tf.int32, [None, 9], name="input_x")
    input_y = tf.placeholder(tf.float32, [None, 2], name="input_y")
    keep = tf.placeholder(tf.float32, name="dropout_keep_prob")
    l2_loss = tf.constant(0.0)
    with tf.device("/cpu:0"), tf.name_scope("embedding"):
        w = tf.Variable(tf.random_uniform([20, 6], -1.0, 1.0, seed=1), name="W")
        embedded = tf.expand_dims(tf.nn.embedding_lookup(w, input_x), -1)
    pooled = []
    for number, size in enumerate([2, 3, 4]):
        with tf.name_scope(f"conv-maxpool-{size}"):
            kernel = tf.Variable(
                tf.truncated_normal([size, 6, 1, 3], stddev=0.1, seed=number + 2), name="W"
            )
            b = tf.Variable(tf.constant(0.1, shape=[3]), name="b")
            conv = tf.nn.conv2d(embedded, kernel, strides=[1, 1, 1, 1], padding="VALID")
            h = tf.nn.relu(tf.nn.bias_add(conv, b), name="relu")
            pooled.append(tf.nn.max_pool(
                h, ksize=[1, 9 - size + 1, 1, 1], strides=[1, 1, 1, 1], padding="VALID"
            ))  # fmt: skip
    flat = tf.reshape(tf.concat(pooled, 3), [-1, 9])
    with tf.name_scope("dropout"):
        dropped = tf.nn.dropout(flat, keep, seed=9)
    with tf.name_scope("output"):
        w = tf.get_variable("W", shape=[9, 2], initializer=_seed(tf, 5))
        b = tf.Variable(tf.constant(0.1, shape=[2]), name="b")
        l2_loss += tf.nn.l2_loss(w) + tf.nn.l2_loss(b)
        scores = tf.nn.xw_plus_b(dropped, w, b, name="scores")
        predictions = tf.argmax(scores, 1, name="predictions")
    losses = tf.nn.softmax_cross_entropy_with_logits(logits=scores, labels=input_y)
    loss = tf.reduce_mean(losses) + 0.1 * l2_loss
    right = tf.equal(predictions, tf.argmax(input_y, 1))
    accuracy = tf.reduce_mean(tf.cast(right, "float"), name="accuracy")
    global_step = tf.Variable(0, name="global_step", trainable=False)
    optimizer = tf.train.AdamOptimizer(1e-2)
    pairs = optimizer.compute_gradients(loss)
    step = optimizer.apply_gradients(pairs, global_step=global_step)
    for gradient, variable in pairs:
        if gradient is not None:
            tf.summary.scalar("{}/grad/sparsity".format(variable.name.replace(":", "_")),
                              tf.nn.zero_fraction(gradient))  # fmt: skip
    merged = tf.summary.merge_all()
    feed = {input_x: rng.randint(0, 20, (8, 9)), input_y: np.eye(2)[rng.randint(0, 2, 8)],
            keep: 0.8}  # fmt: skip
    found = _losses(tf, step, [loss, accuracy], [feed])
    return [found, merged is not None, [v.name for v in tf.trainable_variables()]]


def _crf(tf, logits, tags, lengths, transitions):
    """The likelihood of a linear chain, as those who had no tf.contrib.crf wrote it."""
    count = logits.shape.as_list()[-1]
    mask = tf.sequence_mask(lengths, tf.shape(logits)[1], dtype=tf.float32)
    unary = tf.reduce_sum(logits * tf.one_hot(tags, count), -1) * mask
    pairs = tf.gather(tf.reshape(transitions, [-1]), tags[:, :-1] * count + tags[:, 1:])
    score = tf.reduce_sum(unary, 1) + tf.reduce_sum(pairs * mask[:, 1:], 1)

    def forward(alpha, element):
        observed, inside = element
        new = tf.reduce_logsumexp(tf.expand_dims(alpha, 2) + transitions, 1) + observed
        inside = tf.expand_dims(inside, 1)
        return inside * new + (1 - inside) * alpha

    rest = tf.transpose(logits[:, 1:], [1, 0, 2]), tf.transpose(mask[:, 1:])
    alphas = tf.scan(forward, rest, initializer=logits[:, 0])
    return score - tf.reduce_logsumexp(alphas[-1], 1)


def a_tagger_of_two_directions(tf):
    rng = np.random.RandomState(1)
    words = tf.placeholder(tf.int32, [None, None], "words")
    tags = tf.placeholder(tf.int32, [None, None], "tags")
    lengths = tf.placeholder(tf.int32, [None], "lengths")
    table = tf.get_variable("embeddings", [15, 5], initializer=_seed(tf, 1))
    embedded = tf.nn.embedding_lookup(table, words)
    with tf.variable_scope("bi-lstm"):
        forward = tf.nn.rnn_cell.LSTMCell(4, initializer=_seed(tf, 2))
        backward = tf.nn.rnn_cell.LSTMCell(4, initializer=_seed(tf, 3))
        (first, second), states = tf.nn.bidirectional_dynamic_rnn(
            forward, backward, embedded, sequence_length=lengths, dtype=tf.float32
        )
        output = tf.concat([first, second], axis=-1)
    with tf.variable_scope("proj"):
        w = tf.get_variable("W", [8, 3], initializer=_seed(tf, 4))
        b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
        time = tf.shape(output)[1]
        logits = tf.reshape(tf.matmul(tf.reshape(output, [-1, 8]), w) + b, [-1, time, 3])
    transitions = tf.get_variable("transitions", [3, 3], initializer=_seed(tf, 5))
    likelihood = _crf(tf, logits, tags, lengths, transitions)
    loss = tf.reduce_mean(-likelihood)
    optimizer = tf.train.AdamOptimizer(0.01)
    pairs = [(tf.clip_by_value(g, -5, 5), v) for g, v in optimizer.compute_gradients(loss)]
    step = optimizer.apply_gradients(pairs)
    feed = {words: rng.randint(0, 15, (4, 6)), tags: rng.randint(0, 3, (4, 6)),
            lengths: [6, 3, 5, 2]}  # fmt: skip
    return _losses(tf, step, [loss, likelihood, states[0].h], [feed])


def translation_with_attention(tf):
    rng = np.random.RandomState(2)
    source = tf.placeholder(tf.int32, [None, None])
    target = tf.placeholder(tf.int32, [None, None])
    lengths = tf.placeholder(tf.int32, [None])
    batch = tf.shape(source)[0]
    table = tf.get_variable("table", [12, 5], initializer=_seed(tf, 1))
    cell = tf.nn.rnn_cell.GRUCell(6, kernel_initializer=_seed(tf, 2))
    memory, state = tf.nn.dynamic_rnn(
        cell, tf.nn.embedding_lookup(table, source), lengths, dtype=tf.float32, scope="encoder"
    )
    keys = tf.layers.dense(memory, 6, use_bias=False, kernel_initializer=_seed(tf, 3))
    mask = tf.sequence_mask(lengths, tf.shape(source)[1])
    v = tf.get_variable("v", [6], initializer=_seed(tf, 4))
    decoder = tf.nn.rnn_cell.GRUCell(6, kernel_initializer=_seed(tf, 5))
    query = tf.layers.Dense(6, use_bias=False, kernel_initializer=_seed(tf, 6))
    project = tf.layers.Dense(12, kernel_initializer=_seed(tf, 7))
    start = tf.fill([batch, 1], 1)
    inputs = tf.nn.embedding_lookup(table, tf.concat([start, target[:, :-1]], 1))
    inputs = tf.TensorArray(tf.float32, tf.shape(target)[1]).unstack(
        tf.transpose(inputs, [1, 0, 2])
    )

    def attend(state):
        scores = tf.reduce_sum(v * tf.tanh(keys + tf.expand_dims(query(state), 1)), 2)
        scores = tf.where(mask, scores, tf.ones_like(scores) * -1e9)
        weights = tf.nn.softmax(scores)
        return tf.reduce_sum(tf.expand_dims(weights, 2) * memory, 1), weights

    def loop_fn(time, cell_output, cell_state, loop_state):
        finished = tf.fill([batch], time >= tf.shape(target)[1])
        if cell_output is None:
            context, weights = attend(state)
            alignments = tf.TensorArray(tf.float32, tf.shape(target)[1] + 1)
            following, emitted = state, tf.zeros([6])
        else:
            context, weights = attend(cell_state)
            alignments, following, emitted = loop_state, cell_state, cell_output
        alignments = alignments.write(time, weights)
        given = tf.cond(
            time >= tf.shape(target)[1], lambda: tf.zeros([batch, 5]), lambda: inputs.read(time)
        )
        given.set_shape([None, 5])
        return finished, tf.concat([given, context], 1), following, emitted, alignments

    outputs, last, alignments = tf.nn.raw_rnn(decoder, loop_fn, scope="decoder")
    logits = project(tf.transpose(outputs.stack(), [1, 0, 2]))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
    loss = tf.reduce_mean(losses)
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
    step = tf.train.GradientDescentOptimizer(0.5).apply_gradients(zip(gradients, variables))
    feed = {source: rng.randint(2, 12, (3, 5)), target: rng.randint(2, 12, (3, 4)),
            lengths: [5, 2, 4]}  # fmt: skip
    found = _losses(tf, step, [loss, norm, last, alignments.stack()], [feed])
    return [found, [v.name for v in variables]]


def skip_grams(tf):
    rng = np.random.RandomState(3)
    centre = tf.placeholder(tf.int32, [6])
    context = tf.placeholder(tf.int32, [6, 1])
    embeddings = tf.Variable(tf.random_uniform([30, 4], -1.0, 1.0, seed=1))
    nce_weights = tf.Variable(tf.truncated_normal([30, 4], stddev=0.5, seed=2))
    nce_biases = tf.Variable(tf.zeros([30]))
    embed = tf.nn.embedding_lookup(embeddings, centre)
    sampled = tf.random.log_uniform_candidate_sampler(
        tf.cast(context, tf.int64), 1, 5, True, 30, seed=4
    )
    loss = tf.reduce_mean(tf.nn.nce_loss(
        weights=nce_weights, biases=nce_biases, labels=context, inputs=embed, num_sampled=5,
        num_classes=30, sampled_values=sampled,
    ))  # fmt: skip
    softmax = tf.reduce_mean(tf.nn.sampled_softmax_loss(
        nce_weights, nce_biases, context, embed, 5, 30, sampled_values=sampled
    ))  # fmt: skip
    step = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normalized = embeddings / norm
    valid = tf.nn.embedding_lookup(normalized, tf.constant([1, 5]))
    similarity = tf.matmul(valid, normalized, transpose_b=True)
    feeds = [{centre: rng.randint(0, 30, 6), context: rng.randint(0, 30, (6, 1))}
             for _ in range(3)]  # fmt: skip
    first = _losses(tf, similarity, similarity, feeds, 1)
    return [first, _losses(tf, step, [loss, softmax], feeds)]


def a_transformer(tf):
    rng = np.random.RandomState(4)
    size, heads, count = 8, 2, 11

    def normalize(x, scope):
        with tf.variable_scope(scope):
            scale = tf.get_variable("scale", [size], initializer=tf.ones_initializer())
            bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
            mean, variance = tf.nn.moments(x, [-1], keepdims=True)
            return (x - mean) * tf.rsqrt(variance + 1e-6) * scale + bias

    def split(x):
        shape = tf.shape(x)
        return tf.transpose(
            tf.reshape(x, [shape[0], shape[1], heads, size // heads]), [0, 2, 1, 3]
        )

    def attention(q, k, bias, seed):
        dense = tf.layers.dense
        init = [_seed(tf, seed + i) for i in range(4)]
        query = split(dense(q, size, use_bias=False, name="q", kernel_initializer=init[0]))
        key = split(dense(k, size, use_bias=False, name="k", kernel_initializer=init[1]))
        value = split(dense(k, size, use_bias=False, name="v", kernel_initializer=init[2]))
        logits = tf.matmul(query * (size // heads) ** -0.5, key, transpose_b=True) + bias
        found = tf.matmul(tf.nn.softmax(logits), value)
        shape = tf.shape(found)
        found = tf.reshape(tf.transpose(found, [0, 2, 1, 3]), [shape[0], shape[2], size])
        return dense(found, size, use_bias=False, name="out", kernel_initializer=init[3])

    tokens = tf.placeholder(tf.int32, [None, None])
    table = tf.get_variable("table", [count, size], initializer=_seed(tf, 1))
    length = tf.shape(tokens)[1]
    position = tf.cast(tf.range(length), tf.float32)
    rates = 1.0 / tf.pow(10000.0, tf.cast(tf.range(size // 2), tf.float32) / (size // 2))
    angles = tf.expand_dims(position, 1) * tf.expand_dims(rates, 0)
    signal = tf.concat([tf.sin(angles), tf.cos(angles)], 1)
    x = tf.gather(table, tokens) * size**0.5 + signal
    causal = tf.matrix_band_part(tf.ones([length, length]), -1, 0)
    bias = tf.reshape(-1e9 * (1.0 - causal), [1, 1, length, length])
    for layer in range(2):
        with tf.variable_scope("layer_%d" % layer):
            with tf.variable_scope("self_attention"):
                normal = normalize(x, "norm")
                x += attention(normal, normal, bias, 10 * layer + 10)
            with tf.variable_scope("ffn"):
                h = tf.layers.dense(
                    normalize(x, "norm"), 16, tf.nn.relu, name="filter",
                    kernel_initializer=_seed(tf, 10 * layer + 5),
                )  # fmt: skip
                x += tf.layers.dense(h, size, name="out",
                                     kernel_initializer=_seed(tf, 10 * layer + 6))  # fmt: skip
    x = normalize(x, "last_norm")
    logits = tf.einsum("btd,vd->btv", x[:, :-1], table)
    labels = tf.one_hot(tokens[:, 1:], count) * 0.9 + 0.1 / count
    cross = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    loss = tf.reduce_mean(cross)
    global_step = tf.train.get_or_create_global_step()
    warm = tf.cast(global_step + 1, tf.float32)
    rate = 0.1 * size**-0.5 * tf.minimum(tf.rsqrt(warm), warm * 4.0**-1.5)
    step = tf.train.AdamOptimizer(rate, 0.9, 0.98, 1e-9).minimize(loss, global_step)
    feeds = [{tokens: rng.randint(0, count, (3, 6))}]
    return _losses(tf, step, [loss, rate, logits], feeds)
