# SPDX-License-Identifier: Apache-2.0
"""Short programs, as in short_programs.py: control flow, arrays, state and measures."""

import numpy as np
import tensorflow

from interop.programs.short_programs import ONCE, PROGRAMS, TF1, numbers, program

tf = tensorflow.compat.v1
__all__ = ["PROGRAMS"]  # those of short_programs.py, with these


@program
def fibonacci():
    def body(k, array):
        return k + 1, array.write(k, array.read(k - 1) + array.read(k - 2))

    array = tf.TensorArray(tf.int64, 20, clear_after_read=False, element_shape=[])
    array = array.write(0, np.int64(0)).write(1, np.int64(1))
    _, array = tf.while_loop(lambda k, _: k < 20, body, [2, array])
    ragged = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
    _, ragged = tf.while_loop(
        lambda k, _: k < 4,
        lambda k, a: (k + 1, a.write(k, tf.ones([k, 2]) * tf.to_float(k))),
        [0, ragged],
    )
    pieces = tf.TensorArray(tf.float32, 3, infer_shape=False).split(tf.range(6.0), [1, 2, 3])
    return [
        array.stack(),
        array.gather([3, 5]),
        ragged.concat(),
        ragged.size(),
        pieces.read(2),
    ], ONCE


@program
def loops_of_any_length():
    """Loops that run not at all, that grow, that are cut short; their gradients."""
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [1, 2])
    w = tf.get_variable("w", initializer=[[1.0, 0.2], [0.3, 0.4]])
    some = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, tf.matmul(s, w)), [0, x])
    grown = tf.while_loop(
        lambda i, s: i < n,
        lambda i, s: (i + 1, tf.concat([s, s[:1] * 0.5], 0)),
        [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )
    short = tf.while_loop(
        lambda i, s: i < 50, lambda i, s: [i + 1, s * x], [0, x], maximum_iterations=n
    )
    blind = tf.while_loop(lambda s: tf.reduce_sum(s) < 9.0, lambda s: s * 2.0, [x], back_prop=False)
    slopes = tf.gradients([some[1], grown[1], short[1], blind], [x, w])
    return [some, grown, short, blind, slopes], [{n: k, x: [[0.7, 1.1]]} for k in (0, 1, 4)]


@program
def nested_structures():
    x = tf.placeholder(tf.float32, [3])
    loop = tf.while_loop(
        lambda i, s: i < 2,
        lambda i, s: (i + 1, {"a": s["a"] + s["b"][0], "b": [s["b"][0] * 2.0]}),
        [0, {"a": x, "b": [x + 1.0]}],
    )
    mapped = tf.map_fn(
        lambda t: {"s": t[0] + t[1]["u"], "p": (t[0] * 2.0,)},
        (x, {"u": x * 3.0}),
        dtype={"s": tf.float32, "p": (tf.float32,)},
    )
    scanned = tf.scan(lambda a, t: (a[0] + t[0], a[1] * t[1]), (x, x + 1.0), initializer=(0.0, 1.0))
    folded = tf.foldr(lambda a, t: a * 0.5 + t, x)
    slopes = tf.gradients([mapped["s"], scanned[1], folded, loop[1]["a"]], x)
    return [loop, mapped, scanned, folded, slopes], [{x: [1.0, -2.0, 3.0]}]


@program
def rows_in_loops():
    """Gradients of rows that a loop looks up and writes to a TensorArray."""
    ids = tf.placeholder(tf.int32, [3])
    table = tf.get_variable("table", initializer=numbers(8, 6, 2))

    def body(i, total, out):
        row = tf.gather(table, ids[i]) + tf.gather(table, 5 - i) * 0.5
        return i + 1, total + tf.reduce_sum(tf.gather(table, ids[i:])), out.write(i, row)

    loop = tf.while_loop(lambda i, *_: i < 3, body, [0, 0.0, tf.TensorArray(tf.float32, 3)])
    rows = loop[2].stack()
    slope = tf.convert_to_tensor(tf.gradients([loop[1], tf.reduce_sum(rows * rows)], table)[0])
    return [loop[1], rows, slope], [{ids: [1, 5, 1]}, {ids: [0, 0, 0]}]


@program
def conditions():
    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    chosen = tf.case(
        [(x < -1, lambda: tf.constant(-1.0)), (x < 0, lambda: x * 2), (x < 1, lambda: tf.exp(x))],
        default=lambda: v + x,
        exclusive=False,
    )
    picked = (
        tf.switch_case(tf.cast(x, tf.int32) % 3, [lambda: x, lambda: -x, lambda: x * x])
        if (hasattr(tf, "switch_case"))
        else chosen
    )
    both = tf.cond(
        x > 0, lambda: tf.cond(x > 1, lambda: [x, 1.0], lambda: [x, 2.0]), lambda: [-x, 3.0]
    )
    slope = tf.gradients(chosen + both[0], [x])[0]
    with tf.control_dependencies([tf.assert_less(x, 10.0, message="too much")]):
        checked = tf.identity(x)
    return [chosen, picked, both, slope, checked], [{x: value} for value in (-2.0, -0.5, 0.5, 3.0)]


@program
def printing():
    """tf.Print, tf.Assert and the checks of numbers leave values as they are."""
    x = tf.placeholder(tf.float32, [2])
    shown = tf.Print(x, [x, tf.shape(x)], "x is", summarize=3, first_n=1)
    said = tf.print("sum", tf.reduce_sum(x), {"a": x})
    sound = tf.Assert(tf.reduce_all(x > -5), [x], summarize=2)
    with tf.control_dependencies([sound, said, tf.assert_rank(x, 1), tf.assert_equal(x, x)]):
        y = tf.check_numerics(shown * 2, "not a number")
    y = tf.verify_tensor_all_finite(y, "not finite")
    return [y, tf.is_finite(x)], [{x: [1.0, 2.0]}, {x: [0.0, -1.0]}]


@program
def slices():
    x = tf.reshape(tf.range(60), [3, 4, 5])
    v = tf.Variable(tf.reshape(tf.range(12.0), [3, 4]))
    with tf.control_dependencies([v[1:, ::2].assign(tf.zeros([2, 2]))]):
        assigned = v.read_value()
    lower, upper = tf.meshgrid(tf.range(3), tf.range(2), indexing="ij")
    return [
        x[..., -1],
        x[1, :, tf.newaxis, ::-2],
        x[:, 1:-1],
        tf.boolean_mask(x, x[:, 0, 0] > 5),
        tf.gather_nd(x, [[0, 1], [2, 3]]),
        tf.batch_gather(tf.constant([[1, 2, 3], [4, 5, 6]]), [[2, 0], [1, 1]]),
        tf.where(tf.equal(x % 7, 0)),
        tf.scatter_nd([[1], [3], [1]], [9, 10, 11], [5]),
        tf.tile(x[:1, :1], [2, 1, 2]),
        tf.pad(x[0], [[1, 1], [2, 0]], "REFLECT"),
        tf.reverse_sequence(x, [1, 2, 4], seq_axis=1),
        tf.space_to_depth(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2),
        tf.batch_to_space(tf.reshape(tf.range(16), [4, 2, 2, 1]), [[0, 1], [1, 0]], 2),
        tf.split(x, [1, 3], axis=1),
        tf.unstack(x, axis=2)[3],
        tf.cumsum(x, 1, exclusive=True, reverse=True),
        tf.cumprod(tf.to_float(x[0]) / 7, 0),
        tf.searchsorted(tf.constant([[1, 3, 5, 7]]), [[4, 0, 7]], side="right"),
        tf.invert_permutation([2, 0, 1]),
        tf.one_hot([0, -1, 2], 3, on_value="x", off_value="y"),
        tf.setdiff1d([1, 2, 3, 4], [2, 4]),
        tf.dynamic_stitch([[0, 2], [1, 3]], [[10, 20], [30, 40]]),
        tf.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1], weights=[1, 2, 3, 4]),
        tf.histogram_fixed_width([0.1, 0.5, 2.0, -1.0], [0.0, 1.0], 4),
        tf.edit_distance(
            tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [1, 2]),
            tf.SparseTensor([[0, 0]], ["a"], [1, 1]),
        ),
        tf.bitcast(tf.constant([1.0, -2.0]), tf.int32),
        [lower, upper],
        assigned,
    ], ONCE


@program
def metrics():
    labels = tf.placeholder(tf.int64, [6])
    logits = tf.placeholder(tf.float32, [6])
    guess = tf.cast(logits > 0.5, tf.int64)
    measures = [
        tf.metrics.accuracy(labels, guess),
        tf.metrics.precision(labels, guess),
        tf.metrics.recall(labels, guess),
        tf.metrics.auc(labels, logits, num_thresholds=30, summation_method="careful_interpolation"),
        tf.metrics.mean(logits),
        tf.metrics.mean_squared_error(tf.to_float(labels), logits),
        tf.metrics.root_mean_squared_error(tf.to_float(labels), logits, weights=[1, 2, 1, 0, 1, 1]),
        tf.metrics.mean_iou(labels, guess, 2),
        tf.metrics.mean_per_class_accuracy(labels, guess, 2),
        tf.metrics.sensitivity_at_specificity(labels, logits, 0.5, num_thresholds=20),
        tf.metrics.precision_at_thresholds(labels, logits, [0.3, 0.6]),
        tf.metrics.mean_cosine_distance(tf.to_float(labels), logits, dim=0),
        tf.metrics.recall_at_k(tf.reshape(labels, [3, 2]), tf.reshape(logits, [3, 2]), 1),
        tf.metrics.average_precision_at_k(
            tf.reshape(labels, [3, 2]), tf.reshape(logits, [3, 2]), 2
        ),
        tf.metrics.percentage_below(logits, 0.4),
    ]
    updates = [m[1] for m in measures]
    with tf.control_dependencies([tf.group(*updates)] if TF1 else updates):
        counted = tf.constant(1)
    r = np.random.RandomState(1)
    feeds = [{labels: r.randint(0, 2, 6), logits: r.uniform(size=6)} for _ in range(3)]
    # Values are read in a run of their own: in one run, TensorFlow promises no order.
    return [updates, counted], feeds


@program
def losses():
    labels, guess = tf.constant(np.abs(numbers(1, 4, 3))), tf.constant(np.abs(numbers(2, 4, 3)))
    each = [
        tf.losses.absolute_difference(labels, guess),
        tf.losses.cosine_distance(tf.nn.l2_normalize(labels, 1), guess, axis=1),
        tf.losses.hinge_loss(tf.round(labels), guess),
        tf.losses.huber_loss(labels, guess, delta=0.2),
        tf.losses.log_loss(labels, guess),
        tf.losses.mean_pairwise_squared_error(labels, guess),
        tf.losses.mean_squared_error(labels, guess, weights=[[1.0], [0.0], [2.0], [1.0]]),
        tf.losses.sigmoid_cross_entropy(tf.round(labels), guess, label_smoothing=0.1),
        tf.losses.softmax_cross_entropy(tf.one_hot([0, 1, 2, 1], 3), guess),
        tf.losses.sparse_softmax_cross_entropy([0, 1, 2, 1], guess),
    ]
    weighted = (
        tf.nn.weighted_cross_entropy_with_logits(targets=labels, logits=guess, pos_weight=2.0)
        if TF1
        else tf.nn.weighted_cross_entropy_with_logits(labels, guess, 2.0)
    )
    poisson = tf.nn.log_poisson_loss(labels, guess, compute_full_loss=True)
    return [each, weighted, poisson, tf.losses.get_total_loss()], ONCE


@program
def schedules():
    step = tf.train.get_or_create_global_step()
    rates = [
        tf.train.exponential_decay(0.1, step, 3, 0.9, staircase=True),
        tf.train.piecewise_constant(step, [2, 4], [1.0, 0.5, 0.1]),
        tf.train.polynomial_decay(0.1, step, 5, 0.01, power=0.5, cycle=True),
        tf.train.natural_exp_decay(0.1, step, 2, 0.5),
        tf.train.inverse_time_decay(0.1, step, 2, 0.5),
        tf.train.cosine_decay(0.1, step, 6),
        tf.train.cosine_decay_restarts(0.1, step, 2),
        tf.train.cosine_decay_restarts(0.1, step, 2, t_mul=1.5),
        tf.train.linear_cosine_decay(0.1, step, 6),
        tf.train.noisy_linear_cosine_decay(0.1, step, 6, initial_variance=0.0),
    ]
    with tf.control_dependencies([rate + 0 for rate in rates]):
        on = tf.assign_add(step, 1)
    return [rates, on], ONCE * 6


@program
def state():
    v = tf.Variable(tf.zeros([4, 2]))
    r = tf.Variable(tf.ones([4, 2]), use_resource=True)
    steps = [
        tf.scatter_add(v, [1, 1, 3], numbers(1, 3, 2)),
        tf.scatter_update(v, [0], [[5.0, 6.0]]),
        tf.scatter_nd_add(v, [[2, 1]], [7.0]),
        tf.scatter_mul(v, [1], [[2.0, 3.0]]),
        r.scatter_sub(tf.IndexedSlices(tf.constant(numbers(2, 2, 2)), tf.constant([0, 2]))),
        r.scatter_nd_update([[3, 0]], [9.0]),
        r.assign_add(tf.fill([4, 2], 0.5)),
        tf.count_up_to(tf.Variable(0), 9),
    ]
    for k in range(1, len(steps)):  # one after the other
        op = steps[k].op if hasattr(steps[k], "op") else steps[k]
        op._add_control_input(steps[k - 1].op)  # pylint: disable=protected-access
    with tf.control_dependencies([steps[-1]]):
        return [
            tf.identity(v.read_value()),
            r.read_value(),
            tf.is_variable_initialized(v),
        ], ONCE * 3


@program
def quantised():
    x = tf.constant(numbers(5, 4, 6) * 3)
    fake = tf.quantization.fake_quant_with_min_max_args(x, -2.0, 2.0, num_bits=5)
    low, high = tf.Variable(-1.0), tf.Variable(2.0)
    learnt = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    channels = tf.quantization.fake_quant_with_min_max_vars_per_channel(
        x, tf.fill([6], -1.5), tf.fill([6], 1.0)
    )
    q = tf.quantization.quantize(x, -3.0, 3.0, tf.quint8)
    back = tf.quantization.dequantize(q.output, q.output_min, q.output_max)
    half = tf.cast(tf.cast(x, tf.half) * 2, tf.float32)
    brain = tf.saturate_cast(x * 100, tf.int8)
    return [fake, learnt, channels, back, half, brain, tf.gradients(learnt, [low, high])], ONCE


@program
def functions():
    """Defuns, a recompute_grad, a custom gradient, a graph imported twice with a map."""
    from tensorflow.python.framework import function

    x = tf.placeholder(tf.float32, [3])

    @function.Defun(tf.float32, tf.float32)
    def hypotenuse(a, b):
        return tf.sqrt(a * a + b * b)

    @tf.custom_gradient
    def log1pexp(v):
        e = tf.exp(v)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    inner = tf.Graph()
    with inner.as_default():
        a = tf.placeholder(tf.float32, [3], name="a")
        tf.multiply(a, 3.0, name="b")
    (b,) = tf.import_graph_def(
        inner.as_graph_def(), input_map={"a:0": x}, return_elements=["b:0"], name="once"
    )
    y = hypotenuse(x, b)
    z = log1pexp(y)
    stopped = tf.gradients(z + tf.stop_gradient(y) * x, x)[0]
    return [y, z, tf.gradients(z, x)[0], stopped], [{x: numbers(k, 3)} for k in (1, 2)]


@program
def game_of_life():
    board = tf.Variable(tf.constant((numbers(4, 12, 12) > 0.2).astype(np.int32)))
    around = [
        tf.roll(board, [dy, dx], [0, 1]) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx
    ]
    count = tf.add_n(around)
    alive = tf.logical_or(
        tf.equal(count, 3), tf.logical_and(tf.equal(board, 1), tf.equal(count, 2))
    )
    return [board.assign(tf.cast(alive, tf.int32))], ONCE * 5


@program
def policy_gradient():
    """Returns by scan from the end, advantages normalised, sampled actions, one update."""
    states, rewards = tf.constant(numbers(1, 7, 4)), tf.constant(np.abs(numbers(2, 7)))
    w = tf.get_variable("w", [4, 3], initializer=tf.glorot_normal_initializer(seed=1))
    logits = tf.matmul(states, w)
    actions = tf.squeeze(tf.multinomial(logits, 1, seed=5), 1)
    returns = tf.scan(lambda a, r: a * 0.9 + r, rewards, reverse=True)
    mean, variance = tf.nn.moments(returns, [0])
    advantage = tf.stop_gradient((returns - mean) / tf.sqrt(variance + 1e-8))
    picked = tf.reduce_sum(tf.nn.log_softmax(logits) * tf.one_hot(actions, 3), 1)
    gradients, norm = tf.clip_by_global_norm(
        tf.gradients(-tf.reduce_mean(picked * advantage), w), 0.1
    )
    with tf.control_dependencies([logits]):
        update = tf.assign_sub(w, gradients[0])
    return [actions, returns, norm, update], ONCE * 4
