# SPDX-License-Identifier: Apache-2.0
"""Training steps, loops and evaluations of contrib.slim and contrib.training."""

import os
import tempfile

import numpy as np

from .._contrib import contrib_of
from .._outcomes import outcome

ONLY_1X = True


def _model(tf, slim):
    x = tf.constant(np.cos(np.arange(12)).reshape(4, 3).astype(np.float32))
    y = tf.constant(np.sin(np.arange(8)).reshape(4, 2).astype(np.float32))
    net = slim.fully_connected(
        x, 2, activation_fn=None, scope="fc", weights_initializer=tf.ones_initializer(),
        weights_regularizer=slim.l2_regularizer(0.1),
    )  # fmt: skip
    slim.losses.mean_squared_error(net, y)
    return slim.losses.get_total_loss(), net


def _tags(tf, folder):
    found = set()
    for name in sorted(os.listdir(folder)):
        if "tfevents" in name:
            for event in tf.train.summary_iterator(os.path.join(folder, name)):
                found |= {(event.step, value.tag) for value in event.summary.value}
    return sorted(found)


def slim_train(tf):
    slim = contrib_of(tf).slim
    loss, _ = _model(tf, slim)
    tf.summary.scalar("loss", loss)
    step = slim.learning.create_train_op(
        loss, tf.train.GradientDescentOptimizer(0.1), clip_gradient_norm=0.5,
        gradient_multipliers={"fc/biases": 2.0}, summarize_gradients=True,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        value = slim.learning.train(step, folder, number_of_steps=5, save_summaries_secs=100)
        files = sorted(n for n in os.listdir(folder) if "tfevents" not in n)
        values = [slim.get_model_variables()[0].op.name]
        values.append(tf.train.load_checkpoint(folder).get_tensor("fc/weights").round(4).tolist())
    names = sorted(op.name for op in tf.get_collection(tf.GraphKeys.SUMMARIES))
    return round(float(value), 4), files, values, names, step.op.name


def slim_steps(tf):
    """A step function of the program's own, and the arguments that it gets."""
    learning, slim = contrib_of(tf).slim.learning, contrib_of(tf).slim
    loss, _ = _model(tf, slim)
    step = learning.create_train_op(loss, tf.train.MomentumOptimizer(0.1, 0.9))
    seen = []

    def own(sess, train_op, global_step, kwargs):
        found = learning.train_step(sess, train_op, global_step, kwargs)
        seen.append((sorted(kwargs), round(float(found[0]), 4), bool(found[1])))
        return found

    last = learning.train(step, None, train_step_fn=own, number_of_steps=3)
    return seen, round(float(last), 4)


def slim_mistakes(tf):
    learning = contrib_of(tf).slim.learning
    one = tf.constant(1.0)
    v = tf.Variable(1.0, name="v")
    return [
        outcome(lambda: learning.train(None, "x")),
        outcome(lambda: learning.train(one, None, summary_op=one)),
        outcome(lambda: learning.train(one, None, saver=tf.train.Saver([v]))),
        outcome(lambda: learning.train(one, None, trace_every_n_steps=3)),
        outcome(lambda: learning.train(one, "x", number_of_steps=0)),
        outcome(lambda: learning.multiply_gradients(((one, v),), {v: 2.0})),
        outcome(lambda: learning.multiply_gradients([(one, v)], {})),
        outcome(lambda: learning.multiply_gradients([(one, v)], [v])),
        outcome(lambda: learning.multiply_gradients([(None, v)], {v: 1.0})),
        outcome(lambda: contrib_of(tf).training.train(one, None)),
    ]


def slim_evaluation(tf):
    slim, training = contrib_of(tf).slim, contrib_of(tf).training
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as log:
        with tf.Graph().as_default():
            step = training.create_train_op(_model(tf, slim)[0], tf.train.AdamOptimizer(0.1))
            last = training.train(
                step, folder, hooks=[tf.train.StopAtStepHook(4)], save_summaries_steps=2
            )
        loss, net = _model(tf, slim)
        value, update = contrib_of(tf).metrics.streaming_mean(net)
        tf.summary.scalar("mean", value)
        path = tf.train.latest_checkpoint(folder)
        once = slim.evaluation.evaluate_once(
            "", path, log, num_evals=3, eval_op=update, final_op=value
        )
        again = slim.evaluation.evaluation_loop(
            "", folder, log, num_evals=2, eval_op=[update], final_op=[value, loss],
            max_number_of_evaluations=1, eval_interval_secs=0,
        )  # fmt: skip
        plain = training.evaluate_once(
            path, eval_ops=update, final_ops={"v": value},
            hooks=[training.StopAfterNEvalsHook(2)],
        )  # fmt: skip
        repeated = training.evaluate_repeatedly(
            folder, eval_ops={"u": update}, final_ops=loss, max_number_of_evaluations=1,
            hooks=[training.StopAfterNEvalsHook(1), training.SummaryAtEndHook(log)],
            eval_interval_secs=0,
        )  # fmt: skip
        late = training.wait_for_new_checkpoint(folder, path, timeout=0)
        paths = [os.path.basename(p) for p in training.checkpoints_iterator(folder, timeout=0)]
        tags = _tags(tf, log)
    found = [last, once, *again, plain["v"], repeated]
    return [round(float(v), 4) for v in found], late, paths, tags


def gradients(tf):
    training = contrib_of(tf).training
    v, w = tf.get_variable("v", initializer=[3.0, 4.0]), tf.get_variable("w", initializer=1.0)
    table = tf.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0]])
    rows = tf.reduce_sum(tf.gather(table, [1]) * 5.0)
    pairs = tf.train.GradientDescentOptimizer(1.0).compute_gradients(
        tf.reduce_sum(v * v) + w * w + rows
    )
    clipped = training.clip_gradient_norms(pairs, 2.0)
    by_function = training.clip_gradient_norms_fn(1.0)(pairs)
    more = training.multiply_gradients(pairs, {v: 2.0, "table": tf.constant(0.5)})
    made = training.add_gradients_summaries(pairs)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = [
            [np.round(sess.run(tf.convert_to_tensor(g)), 4).tolist() for g, _ in found]
            for found in (clipped, by_function, more)
        ]
    return values, [m.op.name for m in made]


def updates(tf):
    """Operations of UPDATE_OPS run before the step."""
    training = contrib_of(tf).training
    w, count = tf.get_variable("w", initializer=2.0), tf.get_variable("c", initializer=0.0,
                                                                       trainable=False)  # fmt: skip
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, count.assign_add(1.0))
    seen = []
    step = training.create_train_op(
        tf.log(w), tf.train.GradientDescentOptimizer(0.5),
        transform_grads_fn=lambda grads: seen.append(len(grads)) or grads,
    )  # fmt: skip
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        values = [sess.run(w), sess.run(count)]
        values.append(sess.run(tf.train.get_global_step()))
    there = step in tf.get_collection(tf.GraphKeys.TRAIN_OP)
    return [round(float(v), 4) for v in values], seen, there


def analyzer(tf):
    slim = contrib_of(tf).slim
    _model(tf, slim)
    found = slim.model_analyzer.analyze_vars(slim.get_model_variables(), print_info=False)
    return found, slim.model_analyzer.tensor_description(tf.constant([[1.0]]))
