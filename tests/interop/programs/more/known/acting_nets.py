# SPDX-License-Identifier: Apache-2.0
"""Nets that learn to act, and nets that learn to learn, as people write them."""

import numpy as np

ONLY_1X = True


def a_q_net_with_a_target(tf):
    rng = np.random.RandomState(0)

    def net(state, scope, trainable=True):
        with tf.variable_scope(scope):
            def init(number):
                return tf.variance_scaling_initializer(2.0, seed=number)

            h = tf.layers.dense(state, 8, tf.nn.relu, trainable=trainable,
                                kernel_initializer=init(1))  # fmt: skip
            value = tf.layers.dense(h, 1, trainable=trainable, kernel_initializer=init(2))
            advantage = tf.layers.dense(h, 3, trainable=trainable, kernel_initializer=init(3))
            return value + advantage - tf.reduce_mean(advantage, 1, keepdims=True)

    state = tf.placeholder(tf.float32, [None, 4], name="s")
    following = tf.placeholder(tf.float32, [None, 4], name="s_")
    reward = tf.placeholder(tf.float32, [None], name="r")
    action = tf.placeholder(tf.int32, [None], name="a")
    done = tf.placeholder(tf.float32, [None], name="done")
    q_eval = net(state, "eval_net")
    q_next = net(following, "target_net", trainable=False)
    with tf.variable_scope("eval_net", reuse=True):
        pass
    best = tf.reduce_max(q_next, axis=1, name="Qmax_s_")
    target = tf.stop_gradient(reward + 0.9 * (1.0 - done) * best)
    indices = tf.stack([tf.range(tf.shape(action)[0], dtype=tf.int32), action], axis=1)
    chosen = tf.gather_nd(params=q_eval, indices=indices)
    error = target - chosen
    loss = tf.reduce_mean(tf.where(
        tf.abs(error) < 1.0, 0.5 * tf.square(error), tf.abs(error) - 0.5
    ))  # fmt: skip
    t_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target_net")
    e_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval_net")
    hard = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
    soft = [tf.assign(t, 0.99 * t + 0.01 * e) for t, e in zip(t_params, e_params)]
    optimizer = tf.train.RMSPropOptimizer(0.01)
    pairs = optimizer.compute_gradients(loss, tf.trainable_variables())
    pairs = [(tf.clip_by_norm(g, 10), v) for g, v in pairs if g is not None]
    step = optimizer.apply_gradients(pairs)
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(hard)
        for number in range(5):
            feed = {
                state: rng.normal(size=(6, 4)), following: rng.normal(size=(6, 4)),
                reward: rng.normal(size=6), action: rng.randint(0, 3, 6),
                done: rng.randint(0, 2, 6),
            }  # fmt: skip
            found.append(session.run([step, loss], feed)[1])
            if number == 2:
                session.run(soft)
        found.append(session.run(q_next, {following: np.eye(4)}))
    return [found, [v.name for v in t_params]]


def a_policy_and_its_critic(tf):
    rng = np.random.RandomState(1)
    state = tf.placeholder(tf.float32, [None, 3])
    action = tf.placeholder(tf.int32, [None])
    returned = tf.placeholder(tf.float32, [None])
    old = tf.placeholder(tf.float32, [None])

    def init(number):
        return tf.orthogonal_initializer(1.0, seed=number)

    h = tf.layers.dense(state, 6, tf.tanh, kernel_initializer=init(1))
    logits = tf.layers.dense(h, 2, kernel_initializer=init(2))
    value = tf.squeeze(tf.layers.dense(h, 1, kernel_initializer=init(3)), 1)
    log_all = tf.nn.log_softmax(logits)
    log_chosen = tf.reduce_sum(tf.one_hot(action, 2) * log_all, axis=1)
    entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(log_all) * log_all, 1))
    advantage = returned - tf.stop_gradient(value)
    mean, variance = tf.nn.moments(advantage, [0])
    advantage = (advantage - mean) / (tf.sqrt(variance) + 1e-8)
    ratio = tf.exp(log_chosen - old)
    clipped = tf.clip_by_value(ratio, 0.8, 1.2)
    policy_loss = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))
    value_loss = tf.losses.mean_squared_error(returned, value, weights=0.5)
    total = policy_loss + value_loss - 0.01 * entropy
    step_count = tf.train.create_global_step()
    rate = tf.train.polynomial_decay(0.01, step_count, 10, 0.0)
    optimizer = tf.train.AdamOptimizer(rate, epsilon=1e-5)
    gradients, variables = zip(*optimizer.compute_gradients(total))
    gradients, _ = tf.clip_by_global_norm(gradients, 0.5)
    step = optimizer.apply_gradients(zip(gradients, variables), step_count)
    found = []
    with tf.train.MonitoredSession() as session:
        for _ in range(4):
            feed = {state: rng.normal(size=(5, 3)), action: rng.randint(0, 2, 5),
                    returned: rng.normal(size=5), old: np.full(5, -0.7)}  # fmt: skip
            found.append(session.run([total, entropy, rate, step], feed)[:3])
    return found


def learning_to_learn(tf):
    """MAML: the gradient of losses after two steps of gradient descent."""
    rng = np.random.RandomState(2)
    xa, xb = (tf.placeholder(tf.float32, [2, 5, 1], name=n) for n in ("xa", "xb"))
    ya, yb = (tf.placeholder(tf.float32, [2, 5, 1], name=n) for n in ("ya", "yb"))
    with tf.variable_scope("model"):
        weights = {
            "w1": tf.Variable(tf.truncated_normal([1, 6], stddev=0.5, seed=1), name="w1"),
            "b1": tf.Variable(tf.zeros([6]), name="b1"),
            "w2": tf.Variable(tf.truncated_normal([6, 1], stddev=0.5, seed=2), name="w2"),
            "b2": tf.Variable(tf.zeros([1]), name="b2"),
        }

    def forward(x, w):
        return tf.matmul(tf.nn.relu(tf.matmul(x, w["w1"]) + w["b1"]), w["w2"]) + w["b2"]

    def error(predicted, label):
        return tf.reduce_mean(tf.square(predicted - label))

    def of_task(given):
        input_a, input_b, label_a, label_b = given
        before = error(forward(input_a, weights), label_a)
        fast, loss, after = weights, before, []
        for _ in range(2):
            gradients = dict(zip(fast.keys(), tf.gradients(loss, list(fast.values()))))
            fast = {key: fast[key] - 0.1 * gradients[key] for key in fast}
            after.append(error(forward(input_b, fast), label_b))
            loss = error(forward(input_a, fast), label_a)
        return before, after

    kinds = (tf.float32, [tf.float32] * 2)
    before, after = tf.map_fn(of_task, (xa, xb, ya, yb), dtype=kinds, parallel_iterations=2)
    total = [tf.reduce_mean(losses) for losses in after]
    optimizer = tf.train.AdamOptimizer(0.01)
    pairs = [(tf.clip_by_value(g, -10, 10), v) for g, v in optimizer.compute_gradients(total[-1])]
    step = optimizer.apply_gradients(pairs)
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            feed = {p: rng.normal(size=(2, 5, 1)) for p in (xa, xb, ya, yb)}
            found.append(session.run([before, total, step], feed)[:2])
            found.append(session.run([g for g, _ in pairs], feed))
    return found
