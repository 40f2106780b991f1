# SPDX-License-Identifier: Apache-2.0
"""Templates, errors of variables and their scopes, and parts of variables that are assigned."""

from interop.programs.client.others.graph_errors_1x import _errors

ONLY_1X = True


def templates(tf):
    def layer(x, y=2.0):
        return x * tf.get_variable("w", [], initializer=tf.ones_initializer()) + y

    made = tf.make_template("t", layer, y=3.0)
    now = tf.make_template("now", layer, create_scope_now_=True)
    of_scope = [made.variable_scope, now.variable_scope.name, made.variables, now.variables]
    ops = [made(1.0).op.name, made(1.0).op.name, now(1.0).op.name, now(1.0).op.name]
    named = tf.make_template("t", layer)
    with tf.variable_scope("outer"):
        ops.append(named(1.0).op.name)
    return [
        of_scope,
        ops,
        [made.name, made.func is layer, made.variable_scope.name, made.variable_scope_name],
        [v.name for v in made.variables + named.trainable_variables + now.weights],
        [made.non_trainable_variables, made.local_variables, len(made.global_variables)],
    ]


def wrong_templates(tf):
    def makes(name):
        return tf.get_variable(name, [])

    def new_name():
        template = tf.make_template("t", makes)
        template("a"), template("b")

    def not_shared():
        template = tf.make_template("t", lambda: tf.Variable(1.0))
        template(), template()

    def unique_name():
        for _ in range(2):
            tf.make_template("t", makes, unique_name_="u")("a")

    return _errors(
        tf, new_name, not_shared, unique_name, lambda: tf.make_template(None, makes), length=100
    )


def names_of_variables(tf):
    def shared(*args, **more):
        def run():
            tf.get_variable("v", [1])
            with tf.variable_scope(tf.get_variable_scope(), reuse=True):
                tf.get_variable("v", *args, **more)

        return run

    def reused():
        with tf.variable_scope("a", reuse=True):
            tf.get_variable("v", [1])

    def initial(**more):
        return lambda: tf.get_variable("v", **more)

    return _errors(
        tf, shared([2]), shared([1], tf.int32), shared([1]), reused, initial(),
        lambda: [tf.get_variable("v", [1]) for _ in range(2)], initial(shape=[None]),
        initial(initializer=lambda: tf.ones([2])), length=77,
    ), _errors(tf, initial(shape=[1], initializer=tf.constant([1.0])), length=49)  # fmt: skip


def wrong_scopes(tf):
    def enter(*args, **more):
        def run():
            with tf.variable_scope(*args, **more):
                pass

        return run

    return _errors(
        tf, enter(None), enter(None, "x", reuse=True), enter(3), lambda: tf.Variable(None),
        lambda: tf.Variable(tf.placeholder(tf.float32)), lambda: list(tf.Variable([1.0])),
        lambda: tf.Variable(1.0, collections="a"), length=54,
    )  # fmt: skip


def reuse_of_scopes(tf):
    found = [tf.get_variable_scope().reuse]
    with tf.variable_scope("a") as a:
        found.append(a.reuse)
    with tf.variable_scope(a, reuse=True) as b:
        found.append(b.reuse)
        with tf.variable_scope("c") as c, tf.variable_scope(a) as d:
            found += [c.reuse, d.reuse]
    with tf.variable_scope(b, reuse=False) as e:
        found.append(e.reuse)
    return found


def assigned_parts(tf):
    found = []
    for use_resource in (False, True):
        v = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], use_resource=use_resource)
        steps = [
            v[0].assign([7, 8, 9]),
            v[:, 1:].assign([[1, 2], [3, 4]]),
            v[..., 0].assign([5, 6]),
        ]
        with tf.Session() as session:
            session.run(v.initializer)
            found += [session.run(step).tolist() for step in steps]
    return found


def uninitialized(tf):
    def check(**more):
        def run():
            v, w = tf.Variable(1.0, **more), tf.Variable([2.0], **more)
            check = tf.assert_variables_initialized([v, w])
            with tf.Session() as session:
                session.run(v.initializer)
                try:
                    session.run(check)
                    return "nothing"
                except tf.errors.FailedPreconditionError:
                    session.run(w.initializer)
                    return session.run(check).tolist()

        with tf.Graph().as_default():
            return run()

    return check(), check(use_resource=True)
