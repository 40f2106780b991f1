# SPDX-License-Identifier: Apache-2.0
"""Optimizers, learning rates, averages, gradients' options, synchronous training."""

import numpy as np

from interop.programs.client._outcomes import outcome

X = np.linspace(-1, 1, 12).reshape(6, 2).astype(np.float32)
Y = (X @ np.array([[2.0], [-1.0]], np.float32) + 0.5).astype(np.float32)


def _loss(tf, resource=False):
    w = tf.get_variable(
        "w", [2, 1], initializer=tf.constant_initializer(0.1), use_resource=resource
    )
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer(), use_resource=resource)
    return tf.reduce_mean(tf.square(tf.matmul(X, w) + b - Y)), w, b


def _trained(tf, train, fetches, steps=5):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(train)
        return sess.run(fetches)


def every_optimizer(tf):
    t = tf.train
    makers = [
        lambda: t.GradientDescentOptimizer(0.1),
        lambda: t.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        lambda: t.AdamOptimizer(0.1),
        lambda: t.AdagradOptimizer(0.1),
        lambda: t.AdadeltaOptimizer(1.0),
        lambda: t.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
        lambda: t.FtrlOptimizer(0.1),
        lambda: t.ProximalAdagradOptimizer(0.1),
        lambda: t.ProximalGradientDescentOptimizer(0.1, 0.01, 0.01),
        lambda: t.AdagradDAOptimizer(0.1, t.get_or_create_global_step()),
    ]
    found = []
    for make in makers:
        for resource in (False, True):
            with tf.Graph().as_default():
                loss, w, b = _loss(tf, resource)
                step = t.get_or_create_global_step()
                optimizer = make()
                train = optimizer.minimize(loss, global_step=step)
                names = [v.op.name for v in tf.global_variables()]
                found.append(
                    [names, optimizer.get_slot_names(), _trained(tf, train, [w, b, loss, step])]
                )
    return found


def sparse_updates(tf):
    found = []
    for make in (
        tf.train.GradientDescentOptimizer,
        tf.train.AdagradOptimizer,
        tf.train.AdamOptimizer,
    ):
        for resource in (False, True):
            with tf.Graph().as_default():
                table = tf.Variable(np.ones((4, 2), np.float32), use_resource=resource)
                rows = tf.nn.embedding_lookup(table, [0, 2, 0])
                train = make(0.1).minimize(tf.reduce_sum(rows * [[1.0], [2.0], [3.0]]))
                found.append(_trained(tf, train, table))
    return found


def pieces_of_a_step(tf):
    loss, w, b = _loss(tf)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.5)
    pairs = optimizer.compute_gradients(loss, var_list=[w, b], gate_gradients=optimizer.GATE_GRAPH)
    grads, norm = tf.clip_by_global_norm([g for g, _ in pairs], 0.5)
    train = optimizer.apply_gradients(zip(grads, [w, b]), name="mine")
    found = [
        train.name,
        train.type,
        [v.op.name for _, v in pairs],
        [v.op.name for v in optimizer.variables()],
    ]
    found += [op is train for op in tf.get_collection(tf.GraphKeys.TRAIN_OP)]
    return found + [_trained(tf, train, [w, b, norm]), optimizer.get_slot(w, "momentum").op.name]


def untrainable_variables(tf):
    kinds = []
    v = tf.Variable(1.0)
    for call in (
        lambda: tf.train.AdamOptimizer().minimize(tf.constant(1.0)),
        lambda: tf.train.AdamOptimizer().apply_gradients([]),
        lambda: tf.train.AdamOptimizer().apply_gradients([(None, v)]),
        lambda: tf.train.AdamOptimizer().minimize(v * 2.0, var_list=[]),
        lambda: tf.train.GradientDescentOptimizer(0.1, name=""),
        lambda: tf.train.GradientDescentOptimizer(0.1).compute_gradients(v * 2.0, gate_gradients=7),
    ):
        kinds.append(outcome(call))
    return kinds


def constraints(tf):
    v = tf.get_variable(
        "v", initializer=tf.constant([0.2, 2.0]), constraint=lambda x: tf.clip_by_value(x, 0.0, 1.0)
    )
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v * v * v))
    return _trained(tf, train, v, 3)


def gradients_with_options(tf):
    x = tf.constant([1.0, 2.0])
    y = x * x
    z = y * 3.0
    found = tf.gradients(z, [x, y], grad_ys=[tf.constant([1.0, 10.0])])
    found += [g for g in tf.gradients([z, y], [x, y], stop_gradients=[x]) if g is not None]
    found += tf.gradients(z + tf.stop_gradient(y), x, gate_gradients=True)
    found += tf.gradients(z, [x], name="named", colocate_gradients_with_ops=True)
    none = tf.gradients(z, tf.constant(1.0))
    zeros = tf.gradients(z, tf.constant([5.0]), unconnected_gradients=tf.UnconnectedGradients.ZERO)
    with tf.Session() as sess:
        return [sess.run(found + zeros), none]


def learning_rates(tf):
    step = tf.placeholder(tf.int64, [])
    t = tf.train
    rates = [
        t.exponential_decay(0.1, step, 10, 0.5),
        t.exponential_decay(0.1, step, 10, 0.5, staircase=True),
        t.natural_exp_decay(0.1, step, 10, 0.5),
        t.inverse_time_decay(0.1, step, 10, 0.5),
        t.polynomial_decay(0.1, step, 10, 0.01, 2.0),
        t.polynomial_decay(0.1, step, 10, cycle=True),
        t.piecewise_constant(step, [5, 20], [1.0, 0.5, 0.1]),
        t.cosine_decay(0.1, step, 30),
        t.cosine_decay_restarts(0.1, step, 10),
        t.linear_cosine_decay(0.1, step, 30),
    ]
    with tf.Session() as sess:
        return [sess.run(rates, {step: s}) for s in (0, 5, 12, 25, 40)]


def moving_averages(tf):
    v = tf.Variable(1.0, name="v")
    step = tf.Variable(0, name="n", trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
    update = ema.apply()
    names = [ema.average(v).op.name, [x.op.name for x in tf.moving_average_variables()]]
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(tf.assign_add(v, 2.0))
            sess.run(update)
            found += sess.run([tf.assign_add(step, 1), ema.average(v)])
    return names + found


def the_global_step(tf):
    found = [tf.train.get_global_step() is None]
    with tf.name_scope("scope"), tf.variable_scope("other"):
        step = tf.train.create_global_step()
    found += [step.op.name, step.dtype.base_dtype.name, tf.train.get_global_step() is step]
    try:
        tf.train.create_global_step()
    except ValueError:
        found.append("ValueError")
    found.append([v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_STEP)])
    with tf.Session() as sess:
        sess.run(step.initializer)
        sess.run(tf.assign_add(step, 5))
        return found + [tf.train.global_step(sess, step)]


def synchronous_replicas(tf):
    loss, w, b = _loss(tf)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 1, total_num_replicas=1
    )
    train = optimizer.minimize(loss, global_step=step)
    hook = optimizer.make_session_run_hook(is_chief=True)
    with tf.train.MonitoredTrainingSession(hooks=[hook], stop_grace_period_secs=1) as sess:
        for _ in range(4):
            sess.run(train)
        # The step is over when its token is there: another one's beginning says so.
        found = [int(sess.run(step)) >= 3, float(sess.run(loss)) < 1.0]
    names = sorted(
        n.name
        for n in tf.get_default_graph().as_graph_def().node
        if n.op in ("FIFOQueueV2", "ResourceConditionalAccumulator") and n.name != "dummy_queue"
    )
    local = [v.op.name for v in tf.local_variables()]
    return found + [names, local]


def clipping(tf):
    a, b = tf.constant([3.0, 4.0]), tf.constant([[0.0, 12.0]])
    slices = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([0, 2]), tf.constant([3, 1]))
    both, norm = tf.clip_by_global_norm([a, None, b], 6.5)
    with tf.Session() as sess:
        found = sess.run(
            [both[0], both[2], norm, tf.clip_by_norm(a, 1.0), tf.clip_by_norm(b, 1.0, axes=[1])]
        )
        found += sess.run(
            [tf.clip_by_average_norm(a, 1.0), tf.global_norm([a, b]), tf.clip_by_value(a, 0.0, 3.5)]
        )
        clipped = tf.clip_by_global_norm([slices], 1.0)[0][0]
        return found + [both[1] is None, sess.run(clipped.values)]


def averages_of_tensors(tf):
    """Averages of a tensor and of a variable that is not trained, and what a Saver restores."""
    found = []
    for zero_debias in (False, True):
        with tf.Graph().as_default():
            v = tf.Variable([10.0, 11.0], name="v")
            w = tf.Variable([1.0], trainable=False, name="w")
            t = tf.add(v, 1.0, name="t")
            ema = tf.train.ExponentialMovingAverage(0.9, zero_debias=zero_debias)
            update = ema.apply([v, w, t])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(update)
                session.run(v.assign([1.0, 2.0]))
                session.run(update)
                found.append(session.run([ema.average(v), ema.average(w), ema.average(t)]))
            restored = ema.variables_to_restore()
            found.append({name: variable.op.name for name, variable in restored.items()})
            found.append(sorted(variable.op.name for variable in tf.global_variables()))
            found.append(sorted(ema.variables_to_restore([v])))
    return found
