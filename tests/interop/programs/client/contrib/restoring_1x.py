# SPDX-License-Identifier: Apache-2.0
"""contrib.framework: variables by name, and their values in checkpoints."""

import os
import tempfile

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True


def _variables(tf):
    f = contrib_of(tf).framework
    with tf.variable_scope("a"):
        f.variable("w", [2, 2], initializer=tf.ones_initializer())
        f.model_variable("b", [2], initializer=tf.zeros_initializer())
    with tf.variable_scope("other"):
        f.variable("w", [3], trainable=False)
        f.local_variable(tf.constant(1.0), name="count")
    return f


def _names(variables):
    return [v.name for v in variables]


def variables_by_name(tf):
    f = _variables(tf)
    step = f.get_or_create_global_step()
    return [
        _names(f.get_variables()), _names(f.get_local_variables()), f.get_global_step() is step,
        _names(f.get_trainable_variables("a")), _names(f.get_variables_by_suffix("w")),
        _names(f.get_variables_by_name("w")), f.get_unique_variable("other/w").name,
        _names(f.get_variables_to_restore()), _names(f.get_variables_to_restore(["a"], ["a/b"])),
        _names(f.get_variables_to_restore(exclude=["other"])),
        _names(f.filter_variables(f.get_variables(), ["w"], ["^other"])),
        _names(f.filter_variables(f.get_variables(), ["w", "b"], reg_search=False)),
        [f.get_variable_full_name(v) for v in f.get_model_variables()],
    ]  # fmt: skip


def checkpoints(tf):
    f, found = _variables(tf), []
    with tempfile.TemporaryDirectory() as folder, tf.Session() as sess:
        path = os.path.join(folder, "model")
        every = f.get_variables()
        init = tf.variables_initializer(every)
        sess.run(init)
        sess.run(f.assign_from_values_fn and every[0].assign([[1.0, 2.0], [3.0, 4.0]]))
        tf.train.Saver(every).save(sess, path)
        found.append([[name, list(shape)] for name, shape in f.list_variables(path)])
        found.append(f.load_variable(path, "a/w"))
        sess.run(init)
        f.assign_from_checkpoint_fn(path, every)(sess)
        found.append(sess.run(every[0]))
        sess.run(init)
        op, feed = f.assign_from_checkpoint(path, {"a/w": every[0]})
        sess.run(op, feed)
        found.append(sess.run(every[0]))
        extra = tf.get_variable("extra", [1], initializer=tf.ones_initializer())
        sess.run(extra.initializer)
        f.assign_from_checkpoint_fn(path, [every[0], extra], ignore_missing_vars=True)(sess)
        found.append(f.assign_from_checkpoint_fn(path, [extra], ignore_missing_vars=True) is None)
        f.assign_from_values_fn({"a/b": np.array([5.0, 6.0])})(sess)
        found.append(sess.run([extra, every[1]]))
        for mistake in (
            lambda: f.assign_from_checkpoint_fn(path, []),
            lambda: f.assign_from_checkpoint(path, [extra]),
            lambda: f.assign_from_checkpoint(path, {"a/b": extra}),
            lambda: f.assign_from_values({"nothing": np.ones(1)}),
            lambda: f.get_unique_variable("a"),
            lambda: f.get_unique_variable("nothing"),
            lambda: f.get_variables_to_restore("a"),
        ):
            try:
                mistake()
                found.append(None)
            except Exception as error:
                found.append(type(error).__name__)
    return found


def checks(tf):
    f = contrib_of(tf).framework
    found = [f.is_tensor(tf.constant(1)), f.is_tensor(3)]
    found.append(f.assert_same_float_dtype([tf.constant(1.0)]).name)
    with tf.Session() as sess:
        x = tf.constant([3.0, 1.0, 2.0])
        return found + sess.run([f.sort(x), f.argsort(x), f.sort(x, direction="DESCENDING")])


def names_of_slim(tf):
    slim, f = contrib_of(tf).slim, contrib_of(tf).framework
    return [
        hasattr(slim, name) for name in """
            get_variables_to_restore assign_from_checkpoint_fn variable get_or_create_global_step
            get_global_step filter_variables local_variable get_trainable_variables
        """.split()
    ] + [slim.get_variables_to_restore is f.get_variables_to_restore]  # fmt: skip
