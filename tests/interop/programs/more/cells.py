# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells as layers: parts of layers of Keras, of other cells, of classes of programs."""

import numpy as np

ONLY_1X = True
X = np.linspace(-1, 1, 2 * 3 * 4).reshape(2, 3, 4).astype(np.float32)


def _names(variables):
    return [(v.name, v.shape.as_list()) for v in variables]


def cells_in_a_layer_of_keras(tf):
    class Interest(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.cells = [tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.ones_initializer())]
            self.dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())

        def call(self, inputs):
            outputs, _ = tf.nn.dynamic_rnn(self.cells[0], inputs, dtype=tf.float32)
            return self.dense(outputs)

    layer = Interest()
    inputs = tf.keras.layers.Input((3, 4))
    outputs = tf.keras.layers.Lambda(lambda x: tf.reduce_sum(x, [1, 2])[:, None])(layer(inputs))
    model = tf.keras.Model(inputs, outputs)
    before = _names(layer.trainable_weights), _names(model.weights)
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    history = model.fit(X, np.ones(2), epochs=3, batch_size=2, verbose=0)
    layer.trainable = False
    return [
        *before, history.history["loss"], model.get_weights(), len(layer.non_trainable_weights),
        layer.dense.trainable, [type(part).__name__ for part in layer.submodules],
    ]  # fmt: skip


def layers_in_layers(tf):
    class Pair(tf.layers.Layer):
        def __init__(self):
            super().__init__(name="pair")
            self.one = tf.layers.Dense(2, kernel_regularizer=lambda w: tf.reduce_sum(w))
            self.more = {"norm": tf.layers.BatchNormalization()}
            self.scale = tf.Variable(2.0, name="scale")

        def call(self, inputs):
            return self.more["norm"](self.one(inputs), training=True) * self.scale

    layer = Pair()
    layer(tf.ones([2, 3]))
    found = [_names(layer.trainable_weights), _names(layer.non_trainable_weights)]
    found += [len(layer.losses), len(layer.updates), len(layer.get_losses_for(None))]
    layer.trainable = False
    return found + [layer.one.trainable, len(layer.trainable_weights), len(layer.updates)]


def cells_of_programs(tf):
    class Own(tf.nn.rnn_cell.RNNCell):
        def __init__(self, size, **kwargs):
            super().__init__(**kwargs)
            self._size = size

        @property
        def state_size(self):
            return self._size

        @property
        def output_size(self):
            return self._size

        def call(self, inputs, state):
            w = tf.get_variable("w", [inputs.shape[-1].value, self._size])
            b = tf.get_variable("b", [self._size], trainable=False)
            new = tf.tanh(tf.matmul(inputs, w) + b + state)
            return new, new

    found = []
    for name in (None, "given"):
        with tf.Graph().as_default():
            with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
                cell = Own(4, name=name)
                deep = tf.nn.rnn_cell.MultiRNNCell([cell, tf.nn.rnn_cell.BasicLSTMCell(2)])
                outputs, state = tf.nn.dynamic_rnn(deep, tf.constant(X), dtype=tf.float32)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                values = session.run([outputs, state])
            found.append([
                _names(cell.trainable_weights), _names(cell.non_trainable_weights),
                _names(deep.trainable_weights), _names(deep.weights), values, cell.name,
            ])  # fmt: skip
    return found


def cells_called_in_scopes(tf):
    c, found = tf.nn.rnn_cell, []
    for scope in (None, "given"):
        for make in (lambda: c.GRUCell(2), lambda: c.LSTMCell(2, name="own", num_proj=3)):
            with tf.Graph().as_default(), tf.variable_scope("m"):
                for cell in (make(), make()):
                    state = cell.zero_state(2, tf.float32)
                    for _ in range(2):
                        output, state = cell(tf.ones([2, 5]), state, scope=scope)
                    found.append([_names(cell.weights), output.shape.as_list(), cell.scope_name])
                    scope = scope and scope + "2"
    return found


def states_without_tuples(tf):
    c = tf.nn.rnn_cell
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
        cell = c.MultiRNNCell(
            [c.BasicLSTMCell(3, state_is_tuple=False, activation="relu"), c.GRUCell(2)],
            state_is_tuple=False,
        )
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(X), [3, 2], dtype=tf.float32)
        inputs = tf.ones([2, 4])
        cut, _ = c.LSTMCell(4, num_unit_shards=2, num_proj=2)(
            inputs, c.LSTMStateTuple(tf.ones([2, 4]), tf.ones([2, 2]))
        )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run([outputs, state, cut])
    return [cell.state_size, cell.output_size, found, _names(tf.trainable_variables())]


def cells_that_drop(tf):
    c, found = tf.nn.rnn_cell, []
    kinds = [
        {"seed": 3},
        {"seed": 3, "state_keep_prob": 0.6},
        {"seed": 4, "variational_recurrent": True, "dtype": tf.float32, "input_size": 4},
        {"seed": 5, "state_keep_prob": 0.5, "dropout_state_filter_visitor": lambda s: True},
        {"seed": 6, "state_keep_prob": 0.5, "variational_recurrent": True, "dtype": tf.float32,
         "input_size": tf.TensorShape([4])},
    ]  # fmt: skip
    for kind in kinds:
        for make in (c.BasicLSTMCell, c.GRUCell):
            with tf.Graph().as_default():
                tf.set_random_seed(7)
                with tf.variable_scope("m", initializer=tf.constant_initializer(0.2)):
                    cell = c.DropoutWrapper(make(3), 0.8, tf.constant(0.7), **kind)
                    cell = c.ResidualWrapper(cell, lambda x, y: tf.concat([x, y], 1)[:, 2:5])
                    inputs = tf.unstack(tf.constant(X), axis=1)
                    outputs, state = tf.nn.static_rnn(cell, inputs, dtype=tf.float32)
                with tf.Session() as session:
                    session.run(tf.global_variables_initializer())
                    found.append(session.run([outputs, state]))
                found.append(_names(cell.trainable_weights))
    return found


def mistakes_with_cells(tf):
    c, found = tf.nn.rnn_cell, []
    cases = [
        lambda: c.MultiRNNCell([]), lambda: c.MultiRNNCell(c.GRUCell(2)),
        lambda: c.MultiRNNCell([c.BasicLSTMCell(2)], state_is_tuple=False),
        lambda: c.DropoutWrapper(c.GRUCell(2), input_keep_prob=1.5),
        lambda: c.DropoutWrapper(c.GRUCell(2), 0.5, variational_recurrent=True),
        lambda: c.DropoutWrapper(c.GRUCell(2), 0.5, variational_recurrent=True, dtype=tf.float32),
        lambda: c.DropoutWrapper(c.GRUCell(2), dropout_state_filter_visitor=3),
        lambda: c.ResidualWrapper(3),
        lambda: c.GRUCell(2)(tf.ones([2, 3, 4]), tf.ones([2, 2])),
        lambda: c.GRUCell(2)(tf.placeholder(tf.float32, [2, None]), tf.ones([2, 2])),
        lambda: c.GRUCell(2).get_initial_state(), lambda: c.RNNCell().state_size,
        lambda: c.BasicRNNCell(2, other=1),
    ]  # fmt: skip
    for case in cases:
        try:
            case()
            found.append("nothing")
        except Exception as e:
            found.append(type(e).__name__)
    return found
