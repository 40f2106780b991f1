# SPDX-License-Identifier: Apache-2.0
"""Optimizers in detail: subclasses, learning rates of every kind, dtypes, slots, constraints."""

import numpy as np

from interop.programs.client._outcomes import outcome

X = np.linspace(-1, 1, 12).reshape(6, 2).astype(np.float32)


def _steps(tf, train, fetches, steps=4):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(train)
        return sess.run(fetches)


def _names(variables):
    return [v.op.name for v in variables]


def a_subclass(tf):
    class SignDescent(tf.train.Optimizer):
        """v -= rate * sign(g), with a count of the updates beside each variable."""

        def __init__(self, rate, name="SignDescent"):
            super().__init__(False, name)
            self._rate = rate

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "count", self._name)
            self._create_non_slot_variable(1.0, "scale", var_list[0])

        def _prepare(self):
            rate = self._call_if_callable(self._rate)
            self._rate_tensor = tf.convert_to_tensor(rate, name="rate")

        def _apply_dense(self, grad, var):
            count = self.get_slot(var, "count").assign_add(tf.ones_like(grad))
            scale = self._get_non_slot_variable("scale", tf.get_default_graph())
            return tf.group(tf.assign_sub(var, self._rate_tensor * scale * tf.sign(grad)), count)

        _resource_apply_dense = _apply_dense

        def _apply_sparse(self, grad, var):
            return tf.scatter_sub(var, grad.indices, self._rate_tensor * tf.sign(grad.values))

        def _resource_apply_sparse(self, grad, var, indices):
            return tf.scatter_sub(var, indices, self._rate_tensor * tf.sign(grad))

        def _finish(self, update_ops, name_scope):
            with tf.control_dependencies(update_ops):
                scale = self._get_non_slot_variable("scale", tf.get_default_graph())
                halved = scale.assign(scale * 0.5)
            return tf.group(*(update_ops + [halved]), name=name_scope)

    found = []
    for resource in (False, True):
        with tf.Graph().as_default():
            w = tf.get_variable("w", initializer=[[1.0], [2.0]], use_resource=resource)
            rows = tf.get_variable("rows", initializer=np.ones((3, 2), np.float32),
                                   use_resource=resource)  # fmt: skip
            loss = tf.reduce_sum(tf.matmul(X, w)) + tf.reduce_sum(tf.gather(rows, [2, 0, 2]))
            optimizer = SignDescent(lambda: 0.25)
            train = optimizer.minimize(loss, tf.train.get_or_create_global_step())
            kept = [w, rows, optimizer.get_slot(w, "count"), tf.train.get_global_step()]
            found += [_names(optimizer.variables()), optimizer.get_slot_names(), train.name]
            found += [optimizer.get_slot(w, "none") is None, optimizer.get_name()]
            found.append(_steps(tf, train, kept))
    return found


def learning_rates(tf):
    found = []
    for rate in (
        0.1,
        np.float64(0.1),
        lambda: 0.1,
        lambda: tf.constant(0.1),
        lambda: tf.Variable(0.1, trainable=False) * 2.0,
    ):
        for make in (
            tf.train.GradientDescentOptimizer,
            tf.train.AdamOptimizer,
            tf.train.AdagradOptimizer,
        ):
            with tf.Graph().as_default():
                w = tf.Variable([1.0, 2.0])
                train = make(rate() if isinstance(rate, type(learning_rates)) else rate).minimize(
                    tf.reduce_sum(w * w)
                )
                found.append(_steps(tf, train, w))
    with tf.Graph().as_default():  # a variable that changes
        rate = tf.Variable(0.5, trainable=False)
        w = tf.Variable([1.0, 2.0])
        train = tf.train.MomentumOptimizer(rate, 0.5).minimize(tf.reduce_sum(w * w))
        with tf.control_dependencies([train]):
            train = rate.assign(rate * 0.5)
        found.append(_steps(tf, train, [w, rate]))
    return found


def other_dtypes(tf):
    t = tf.train
    found = []
    for dtype in (tf.float64, tf.float16):
        for make in (
            lambda: t.GradientDescentOptimizer(0.1),
            lambda: t.MomentumOptimizer(0.1, 0.9),
            lambda: t.AdamOptimizer(0.1, epsilon=1e-3),
            lambda: t.AdagradOptimizer(0.1),
            lambda: t.RMSPropOptimizer(0.1, epsilon=1e-3),
            lambda: t.FtrlOptimizer(0.1),
        ):
            for resource in (False, True):
                with tf.Graph().as_default():
                    w = tf.Variable(np.array([1.0, 2.0]).astype(dtype.as_numpy_dtype),
                                    use_resource=resource)  # fmt: skip
                    train = make().minimize(tf.reduce_sum(w * w))
                    found.append(_steps(tf, train, w))
    return found


def names_of_slots(tf):
    found = []
    for resource in (False, True):
        with tf.Graph().as_default():
            with tf.variable_scope("net", use_resource=resource):
                w = tf.get_variable("w", [2], partitioner=None, initializer=tf.ones_initializer())
                parts = tf.get_variable("p", [4, 2], initializer=tf.ones_initializer(),
                                        partitioner=tf.fixed_size_partitioner(2))  # fmt: skip
            loss = tf.reduce_sum(w) + tf.reduce_sum(tf.concat(list(parts), 0))
            with tf.name_scope("training"):
                one = tf.train.AdamOptimizer(name="One").minimize(loss)
                two = tf.train.AdamOptimizer().minimize(loss)
            with tf.variable_scope("scope"):
                three = tf.train.MomentumOptimizer(0.1, 0.5).minimize(loss, name="step")
            four = tf.train.RMSPropOptimizer(0.1, centered=True).minimize(loss)
            five = tf.train.FtrlOptimizer(0.1, accum_name="a", linear_name="l").minimize(loss)
            found.append(_names(tf.global_variables()))
            found.append([op.name for op in (one, two, three, four, five)])
            infos = [v._save_slice_info for v in tf.global_variables()]
            found.append([i.spec if i is not None else "" for i in infos])
            found.append([v.device for v in tf.global_variables()])
    return found


def constraints(tf):
    found = []
    for resource in (False, True):
        with tf.Graph().as_default():
            w = tf.get_variable("w", initializer=[1.0, -2.0], use_resource=resource,
                                constraint=lambda v: tf.clip_by_value(v, -0.5, 0.5))  # fmt: skip
            train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
            found.append(_steps(tf, train, w))
            looked_up = tf.reduce_sum(tf.nn.embedding_lookup(w, [0]))
            found.append(outcome(tf.train.GradientDescentOptimizer(0.1).minimize, looked_up))
    return found


def one_optimizer_used_again(tf):
    w, v = tf.Variable([1.0, 2.0], name="w"), tf.Variable([3.0], name="v")
    optimizer = tf.train.AdamOptimizer(0.1)
    first = optimizer.minimize(tf.reduce_sum(w * w))
    second = optimizer.minimize(tf.reduce_sum(w) * tf.reduce_sum(v * v))
    with tf.control_dependencies([first]):
        third = optimizer.apply_gradients([(tf.constant([1.0, 1.0]), w), ([0.5], v)], name="third")
    found = _names(tf.global_variables()) + [first.name, second.name, third.name]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in (second, third, second, first):
            sess.run(step)
            found.append(sess.run([w, v]))
    return found


def gradients_of_tensors_and_given_losses(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.Variable([2.0, 3.0])
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(x * y, [x, y], grad_loss=tf.constant([1.0, 10.0]))
    found = [outcome(lambda: optimizer.apply_gradients(pairs))]
    train = optimizer.apply_gradients(pairs[1:])
    return found + [_steps(tf, train, [pairs[0][0], y])]


def mistakes(tf):
    t = tf.train
    v = tf.Variable([1, 2])
    w = tf.Variable([1.0, 2.0])
    return [
        outcome(call)
        for call in (
            lambda: t.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v)),
            lambda: t.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w), var_list=[v]),
            lambda: t.GradientDescentOptimizer(0.1).apply_gradients([("text", w)]),
            lambda: t.GradientDescentOptimizer(0.1).apply_gradients([(object(), w)]),
            lambda: t.AdagradOptimizer(0.1, initial_accumulator_value=0.0),
            lambda: t.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
            lambda: t.FtrlOptimizer(0.1, learning_rate_power=1.0),
            lambda: t.GradientDescentOptimizer("fast").minimize(tf.reduce_sum(w)),
            lambda: t.AdamOptimizer().minimize(tf.reduce_sum(w), aggregation_method=9),
        )
    ]
