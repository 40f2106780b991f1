# SPDX-License-Identifier: Apache-2.0
"""contrib.rnn: its cells, alone and in networks."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True
X = np.linspace(-1, 1, 2 * 3 * 4).reshape(2, 3, 4).astype(np.float32)


def _initializer(tf):
    """Values that differ from element to element, of the shape alone."""

    def values(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(
            0.3 * np.cos(np.arange(count)).reshape(shape), (dtype or tf.float32).base_dtype
        )

    return values


def _ran(tf, outputs, state):
    variables = tf.global_variables()
    loss = sum(tf.reduce_sum(tf.square(o)) for o in tf.contrib_nest.flatten([outputs, state]))
    grads = tf.gradients(loss, tf.trainable_variables())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run([tf.contrib_nest.flatten([outputs, state]), grads])
    return [[(v.name, v.shape.as_list()) for v in variables], found]


class _With:
    """The module of a client, and contrib's functions of structures."""

    def __init__(self, tf):
        self._tf, self.contrib_nest = tf, contrib_of(tf).framework.nest

    def __getattr__(self, name):
        return getattr(self._tf, name)


def _over(tf, makes, lengths=(None, [3, 1])):
    found, tf = [], _With(tf)
    for make in makes:
        for length in lengths:
            with tf.Graph().as_default():
                with tf.variable_scope("m", initializer=_initializer(tf)):
                    outputs, state = tf.nn.dynamic_rnn(
                        make(), tf.constant(X), length, dtype=tf.float32
                    )
                found.append(_ran(tf, outputs, state))
    return found




def cells_that_are_elsewhere_too(tf):
    c = contrib_of(tf).rnn
    names = """
        BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple
        MultiRNNCell RNNCell ResidualWrapper
    """.split()
    same = [getattr(c, name) is getattr(tf.nn.rnn_cell, name) for name in names]
    return same + [c.static_rnn is tf.nn.static_rnn]


def block_cells(tf):
    c = contrib_of(tf).rnn
    return _over(tf, [
        lambda: c.LSTMBlockCell(3),
        lambda: c.LSTMBlockCell(3, forget_bias=0.5, cell_clip=0.2),
        lambda: c.LSTMBlockCell(3, use_peephole=True, name="other"),
        lambda: c.GRUBlockCell(3),
        lambda: c.GRUBlockCellV2(num_units=3),
    ])  # fmt: skip


def normalized_cells(tf):
    c = contrib_of(tf).rnn
    return _over(tf, [
        lambda: c.LayerNormBasicLSTMCell(3),
        lambda: c.LayerNormBasicLSTMCell(3, layer_norm=False, forget_bias=0.3),
        lambda: c.LayerNormBasicLSTMCell(3, norm_gain=0.7, norm_shift=0.2, activation=tf.nn.relu),
    ])  # fmt: skip


def dropped_parts(tf):
    c = contrib_of(tf).rnn
    cell = c.LayerNormBasicLSTMCell(40, layer_norm=False, dropout_keep_prob=0.5,
                                    dropout_prob_seed=3)  # fmt: skip
    state = cell.zero_state(2, tf.float32)
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.5)):
        output, state = cell(tf.ones([2, 3]), state)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([output, state.c])


def other_cells(tf):
    c = contrib_of(tf).rnn
    return _over(tf, [
        lambda: c.CoupledInputForgetGateLSTMCell(3),
        lambda: c.CoupledInputForgetGateLSTMCell(3, use_peepholes=True, num_proj=2, proj_clip=0.1),
        lambda: c.CoupledInputForgetGateLSTMCell(3, layer_norm=True, state_is_tuple=False),
        lambda: c.CoupledInputForgetGateLSTMCell(3, num_unit_shards=2),
        lambda: c.UGRNNCell(3),
        lambda: c.UGRNNCell(3, initializer=tf.constant_initializer(0.2), forget_bias=0.1),
        lambda: c.IntersectionRNNCell(4),
        lambda: c.IntersectionRNNCell(3, num_in_proj=3),
        lambda: c.NASCell(3),
        lambda: c.NASCell(3, num_proj=2, use_bias=True),
    ])  # fmt: skip


def cells_like_those_of_cudnn(tf):
    c = contrib_of(tf).cudnn_rnn
    return _over(tf, [
        lambda: c.CudnnCompatibleLSTMCell(3),
        lambda: c.CudnnCompatibleGRUCell(3),
        lambda: c.CudnnCompatibleGRUCell(3, kernel_initializer=tf.constant_initializer(0.2)),
    ])  # fmt: skip


def cells_around_cells(tf):
    c = contrib_of(tf).rnn
    return _over(tf, [
        lambda: c.InputProjectionWrapper(c.GRUCell(3), 5),
        lambda: c.InputProjectionWrapper(c.BasicLSTMCell(3), 5, activation=tf.nn.relu),
        lambda: c.OutputProjectionWrapper(c.GRUCell(3), 2),
        lambda: c.OutputProjectionWrapper(c.BasicLSTMCell(3), 2, tf.tanh),
        lambda: c.AttentionCellWrapper(c.GRUCell(3), 4),
        lambda: c.AttentionCellWrapper(c.BasicLSTMCell(3), 2, attn_vec_size=5),
        lambda: c.AttentionCellWrapper(c.GRUCell(3), 2, attn_size=6, state_is_tuple=False),
        lambda: c.HighwayWrapper(c.GRUCell(4)),
        lambda: c.HighwayWrapper(c.GRUCell(4), couple_carry_transform_gates=False),
        lambda: c.MultiRNNCell([c.LSTMBlockCell(3), c.UGRNNCell(2)]),
    ])  # fmt: skip


def embedded_inputs(tf):
    c = contrib_of(tf).rnn
    found = []
    for cell in (c.GRUCell(3), c.BasicLSTMCell(3)):
        with tf.variable_scope(f"m{len(found)}", initializer=_initializer(tf)):
            cell = c.EmbeddingWrapper(cell, embedding_classes=5, embedding_size=4)
            outputs, state = c.static_rnn(
                cell, [tf.constant([[1], [4]]), tf.constant([[0], [2]])], dtype=tf.float32
            )
        found.append(_ran(_With(tf), outputs, state))
    return found


def fused_cells(tf):
    c, found, tf = contrib_of(tf).rnn, [], _With(tf)
    x = np.transpose(X, [1, 0, 2])
    makes = [
        lambda: c.LSTMBlockFusedCell(3),
        lambda: c.LSTMBlockFusedCell(3, forget_bias=0.1, cell_clip=0.2, use_peephole=True),
        lambda: c.TimeReversedFusedRNN(c.LSTMBlockFusedCell(3)),
        lambda: c.FusedRNNCellAdaptor(c.GRUCell(3)),
        lambda: c.FusedRNNCellAdaptor(c.BasicLSTMCell(3), use_dynamic_rnn=True),
    ]
    for make in makes:
        for lengths in (None, [3, 1]):
            with tf.Graph().as_default():
                with tf.variable_scope("m", initializer=_initializer(tf)):
                    outputs, state = make()(
                        tf.constant(x), dtype=tf.float32, sequence_length=lengths
                    )
                found.append([outputs.shape.as_list(), _ran(tf, outputs, state)])
    return found


def fused_from_a_state(tf):
    cell = contrib_of(tf).rnn.LSTMBlockFusedCell(3)
    first = tf.fill([2, 3], 0.5), tf.fill([2, 3], -0.25)
    with tf.variable_scope("m", initializer=_initializer(tf)):
        outputs, state = cell(tf.constant(np.transpose(X, [1, 0, 2])), initial_state=first)
    return _ran(_With(tf), outputs, state)


def stacks_in_both_directions(tf):
    c, found, tf = contrib_of(tf).rnn, [], _With(tf)
    for lengths in (None, [3, 2]):
        for dynamic in (False, True):
            with tf.Graph().as_default():
                forward, backward = ([c.GRUCell(n) for n in (3, 2)] for _ in range(2))
                with tf.variable_scope("m", initializer=_initializer(tf)):
                    more = {"dtype": tf.float32, "sequence_length": lengths}
                    if dynamic:
                        outputs, *states = c.stack_bidirectional_dynamic_rnn(
                            forward, backward, tf.constant(X), **more
                        )
                    else:
                        outputs, *states = c.stack_bidirectional_rnn(
                            forward, backward, tf.unstack(tf.constant(X), axis=1), **more
                        )
                found.append(_ran(tf, outputs, states))
    return found


def mistakes(tf):
    c = contrib_of(tf).rnn
    found = []
    for mistake in (
        lambda: c.GRUBlockCell(),
        lambda: c.GRUBlockCell(3, 4),
        lambda: c.OutputProjectionWrapper(c.GRUCell(3), 0),
        lambda: c.InputProjectionWrapper("cell", 3),
        lambda: c.EmbeddingWrapper(c.GRUCell(3), 0, 3),
        lambda: c.AttentionCellWrapper(c.GRUCell(3), 0),
        lambda: c.AttentionCellWrapper(c.BasicLSTMCell(3), 1, state_is_tuple=False),
        lambda: c.stack_bidirectional_rnn([], [], []),
        lambda: c.stack_bidirectional_dynamic_rnn([c.GRUCell(2)], [c.GRUCell(2)] * 2, None),
        lambda: c.LSTMBlockFusedCell(3)(tf.zeros([2, 2, 2])),
        lambda: c.best_effort_input_batch_size([tf.zeros([2])]),
    ):
        try:
            found.append(mistake() and None)
        except Exception as error:
            found.append([type(error).__name__])
    return found
