# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks by functions, windows with holes, and other rare names of 1.x."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _run(tf, fetches, feeds=None):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(fetches, feeds)


def _cell(tf):
    return tf.nn.rnn_cell.BasicRNNCell(3)


def _constant(tf):
    return tf.constant_initializer(0.3)


def _looped(tf, cell, inputs, lengths, emits=None):
    """(emitted, state, counts) of raw_rnn along time-major inputs."""
    steps, batch = inputs.shape[:2]
    rows = tf.TensorArray(tf.float32, steps).unstack(inputs)

    def loop_fn(time, output, state, loop_state):
        finished = time >= lengths
        done = tf.reduce_all(finished)
        x = tf.cond(done, lambda: tf.zeros(inputs.shape[1:]), lambda: rows.read(time))
        x.set_shape(inputs.shape[1:])
        if output is None:
            return finished, x, cell.zero_state(batch, tf.float32), emits, tf.constant(5)
        emitted = output if emits is None else (output, tf.reduce_sum(output, 1))
        return finished, x, state, emitted, loop_state + 1

    with tf.variable_scope("net", initializer=_constant(tf)):
        return tf.nn.raw_rnn(cell, loop_fn)


def loops_of_functions(tf):
    inputs = np.linspace(-1, 1, 24).reshape(4, 2, 3).astype(np.float32)
    emitted, state, count = _looped(tf, _cell(tf), inputs, [4, 2])
    names = [v.name for v in tf.global_variables()]
    (gradient,) = tf.gradients(state, tf.trainable_variables()[:1])
    return _run(tf, [emitted.stack(), state, count, gradient]), names


def loops_with_other_results(tf):
    inputs = np.linspace(-1, 1, 24).reshape(4, 2, 3).astype(np.float32)
    emits = (tf.zeros([3]), tf.zeros([]))
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    emitted, state, count = _looped(tf, cell, inputs, [3, 4], emits)
    return _run(tf, [[one.stack() for one in emitted], state.c, state.h, count])


def loops_without_a_state_of_their_own(tf):
    cell = _cell(tf)

    def loop_fn(time, output, state, loop_state):
        x = tf.ones([2, 1]) * tf.to_float(time)
        state = cell.zero_state(2, tf.float32) if output is None else state
        return tf.fill([2], time >= 3), x, state, output, None

    with tf.variable_scope("net", initializer=_constant(tf)):
        emitted, state, loop_state = tf.nn.raw_rnn(cell, loop_fn)
    return [_run(tf, [emitted.stack(), state]), loop_state]


class _Saver:
    def __init__(self, tf, sizes):
        self._tf = tf
        self.kept = {
            name: tf.Variable(np.full([2, size], 0.5, np.float32)) for name, size in sizes.items()
        }

    def state(self, name):
        return self.kept[name].read_value()

    def save_state(self, name, value):
        return self.kept[name].assign(value)


_Saver.__module__ = "a helper"  # it is not a program


def saved_states(tf):
    one, two = _Saver(tf, {"a": 3}), _Saver(tf, {"c": 3, "h": 3})
    inputs = [tf.constant([[1.0, 2.0], [3.0, 4.0]])] * 2
    lstm = tf.nn.rnn_cell.BasicLSTMCell(3)
    saving = tf.nn.static_state_saving_rnn
    with tf.variable_scope("net", initializer=_constant(tf)):
        plain = saving(_cell(tf), inputs, one, "a")
        with tf.variable_scope("lstm"):
            nested = saving(lstm, inputs, two, ("c", "h"), sequence_length=[1, 2])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([plain[0][-1], nested[0][-1], nested[1].c]) for _ in range(2)]
        kept = session.run([one.kept["a"], two.kept["c"], two.kept["h"]])
    return [found, kept, outcome(lambda: saving(lstm, inputs, two, "c"))]


def windows_with_holes(tf):
    x = np.arange(2 * 7 * 9, dtype=np.float32).reshape(2, 7, 9, 1)
    kernel = np.linspace(-1, 1, 6).reshape(2, 3, 1, 1).astype(np.float32)

    def op(image, count, padding):
        return tf.nn.conv2d(image, kernel, strides=[1] * 4, padding=padding) * float(count)

    def along(image, count, padding):
        del count
        return tf.nn.conv2d(image, kernel, strides=[1] * 4, padding=padding)

    holes = tf.nn.with_space_to_batch
    given = tf.placeholder(tf.float32, [None, None, None, 1])
    found = [
        holes(x, [2, 3], "VALID", op),
        holes(x, [2, 1], "SAME", op, filter_shape=[2, 3]),
        holes(x, [1, 1], "SAME", op),
        holes(x, [2], "VALID", along, spatial_dims=[2]),
        holes(given, [2, 2], "SAME", op, filter_shape=[2, 3]),
    ]
    wrong = [
        outcome(lambda: holes(x, [2, 2], "SAME", op)),
        outcome(lambda: holes(x, [2, 0], "VALID", op)),
        outcome(lambda: holes(x, [2, 2], "FULL", op)),
        outcome(lambda: holes(x, [2, 2], "VALID", op, spatial_dims=[2, 1])),
        outcome(lambda: holes(x, 2, "VALID", op)),
    ]
    return [_run(tf, found, {given: x}), wrong]


def paddings_of_blocks(tf):
    needed = tf.required_space_to_batch_paddings
    sizes = tf.placeholder(tf.int32, [2])
    found = [
        needed([5, 7], [2, 3]),
        needed([5, 7], [2, 3], base_paddings=[[1, 0], [2, 2]]),
        needed(sizes, [4, 4]),
    ]
    return [_run(tf, found, {sizes: [3, 8]}), outcome(lambda: needed([5], [2, 3]))]


def noisy_rates(tf):
    decay = tf.train.noisy_linear_cosine_decay
    quiet = [decay(0.5, step, 10, initial_variance=0.0, num_periods=1.5) for step in (0, 4, 20)]
    noisy = decay(0.5, 4, 10, initial_variance=1e-8, alpha=0.1, beta=0.2)
    return _run(tf, [quiet, noisy])


def _kept(tf, join, **more):
    elements = [[tf.constant([1, 2, 3]), tf.constant([1.5, 2.5, 3.5])]] * 2
    return join(elements, keep_input=[True, False, True], batch_size=4, enqueue_many=True, **more)


def readers_that_skip(tf):
    batches = [
        _kept(tf, tf.train.maybe_batch_join),
        _kept(tf, tf.train.maybe_shuffle_batch_join, capacity=9, min_after_dequeue=2),
    ]
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        numbers, values = session.run(batches[0])
        drawn, _ = session.run(batches[1])
        coordinator.request_stop()
        coordinator.join(threads)
    return [sorted(set(numbers.tolist() + drawn.tolist()) - {1, 3}), values.shape, drawn.dtype.name]


def new_checkpoints(tf):
    variable = tf.Variable([1.0])
    saver, found = tf.train.Saver(), []
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(variable.initializer)
        waiting = tf.train.checkpoints_iterator(folder, timeout=0)
        found.append(list(waiting))
        for step in (1, 2):
            saver.save(session, os.path.join(folder, "model"), step)
        asked = []
        paths = tf.train.checkpoints_iterator(
            folder, timeout=0, timeout_fn=lambda: asked.append(1) or len(asked) > 2
        )
        found.append([os.path.basename(path) for path in paths])
    return [found, len(asked)]


class _Point:
    def __init__(self, *values):
        self.values = values


_Point.__module__ = "a helper"


def classes_that_stand_for_tensors(tf):
    def convert(point, dtype=None, name=None, as_ref=False):
        del as_ref
        if dtype not in (None, tf.float32, tf.float64):
            return NotImplemented
        return tf.constant(point.values, dtype or tf.float32, name=name)

    tf.register_tensor_conversion_function(_Point, convert)
    point, wrong = _Point(1.0, 2.0), tf.register_tensor_conversion_function
    found = [tf.convert_to_tensor(point), tf.add(point, [1.0, 1.0]), tf.ones([2]) * point]
    double = tf.convert_to_tensor(point, tf.float64)
    return [
        _run(tf, found + [double]),
        outcome(lambda: wrong("no class", convert)),
        outcome(lambda: wrong(_Point, 1)),
    ]


def numbers_of_few_bits(tf):
    x = np.linspace(0, 3, 16).reshape(1, 4, 4, 1).astype(np.float32)
    few = tf.quantize_v2(x, 0.0, 3.0, tf.quint8)
    kernel = tf.quantize_v2(np.ones([2, 2, 1, 1], np.float32), 0.0, 1.0, tf.quint8)
    strides, window = [1, 1, 1, 1], [1, 2, 2, 1]
    low, high = few.output_min, few.output_max
    found = [
        tf.nn.quantized_avg_pool(few.output, low, high, window, strides, "VALID"),
        tf.nn.quantized_max_pool(few.output, low, high, window, strides, "SAME"),
        tf.nn.quantized_conv2d(
            few.output, kernel.output, low, high, kernel.output_min, kernel.output_max, strides,
            "VALID",
        ),
        tf.quantized_concat(1, [few.output] * 2, [low] * 2, [high] * 2),
    ]  # fmt: skip
    values = _run(tf, [[tf.bitcast(one[0], tf.uint8), *one[1:]] for one in found[:2]])
    ranges = _run(tf, [tf.shape(one[0]) for one in found] + [list(found[3][1:])])
    kinds = sorted(d.name for d in tf.QUANTIZED_DTYPES if "_ref" not in d.name)
    return [values, ranges, kinds, tf.dtypes.bool.name]


def fingerprints_of_examples(tf):
    return _run(tf, tf.train.sdca_fprint(["a", "bc", ""]))


def cosine_transforms_of_some_samples(tf):
    """The first ones, or with zeros after them."""
    x = tf.constant([[1.0, 2.0, 4.0, 3.0], [0.5, -1.0, 0.0, 2.0]])
    return _run(tf, [tf.signal.dct(x, n=3), tf.signal.dct(x, n=6, norm="ortho"), tf.signal.dct(x)])


def kinds_of_dtypes(tf):
    kinds = ("is_bool", "is_complex", "is_floating", "is_integer", "is_quantized", "is_unsigned")
    dtypes = (tf.bool, tf.string, tf.qint8, tf.quint16, tf.complex64, tf.uint8, tf.int64, tf.half)
    sizes = [dtype.size for dtype in (tf.bool, tf.half, tf.bfloat16, tf.resource, tf.variant)]
    real = [dtype.real_dtype.name for dtype in dtypes]
    return [[bool(getattr(dtype, kind)) for kind in kinds] for dtype in dtypes], sizes, real
