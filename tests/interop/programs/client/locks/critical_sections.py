# SPDX-License-Identifier: Apache-2.0
"""Locks around operations."""

import threading

from interop.programs.client._outcomes import outcome


def _variable(tf, name="v"):
    return tf.get_variable(name, initializer=0.0, use_resource=True)


def _read_and_add(tf, v, up=1.0):
    """A read and a write that another step could come between."""
    value = v.read_value()
    with tf.control_dependencies([value]):
        written = v.assign(value + up, read_value=False)
    with tf.control_dependencies([written]):
        return tf.identity(value)


def one_after_another(tf):
    """No addition of eight threads is lost, and none reads what another has read."""
    v = _variable(tf)
    section = tf.CriticalSection(name="lock")
    add = section.execute(lambda: _read_and_add(tf, v))
    seen = []

    def work(sess):
        for _ in range(20):
            seen.append(float(sess.run(add)))

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = [threading.Thread(target=work, args=(sess,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [section.name, sorted(seen), sess.run(v)]


def several_in_a_step(tf):
    v = _variable(tf)
    section = tf.CriticalSection(shared_name="shared")
    adds = [section.execute(lambda: _read_and_add(tf, v), name="add") for _ in range(10)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(adds)
        return [section.name, sorted(float(x) for x in values), sess.run(v)]


def structures(tf):
    v = _variable(tf)
    section = tf.CriticalSection()

    def changed():
        return {"read": _read_and_add(tf, v), "pair": (tf.constant(2), [3.0])}

    found = section.execute(changed)
    written = section.execute(lambda: v.assign_add(5.0, read_value=False))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(found)
        nothing = sess.run(written)
        return [sorted(found), values["read"], list(values["pair"]), nothing, sess.run(v)]


def conditions_inside(tf):
    v = _variable(tf)
    section = tf.CriticalSection()
    up = tf.placeholder(tf.bool, [])
    step = section.execute(
        lambda: tf.cond(up, lambda: v.assign_add(1.0), lambda: v.assign_sub(3.0))
    )
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(step, {up: x}) for x in (True, True, False)]


def mistakes(tf):
    v, w = _variable(tf), _variable(tf, "w")
    one, two = tf.CriticalSection(), tf.CriticalSection()
    one.execute(lambda: _read_and_add(tf, v))
    two.execute(lambda: _read_and_add(tf, w), exclusive_resource_access=False)
    return [
        outcome(two.execute, lambda: _read_and_add(tf, v)),
        outcome(two.execute, lambda: v.read_value(), exclusive_resource_access=False),
        outcome(one.execute, lambda: w.read_value(), exclusive_resource_access=False),
        outcome(one.execute, lambda: w.read_value()),
        outcome(one.execute, lambda: one.execute(lambda: tf.constant(1))),
        outcome(tf.CriticalSection, name="a", critical_section_def="b"),
    ]
