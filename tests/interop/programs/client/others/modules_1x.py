# SPDX-License-Identifier: Apache-2.0
"""tf.Module, and what is known of tensors and shapes without a session."""

import numpy as np

ONLY_1X = True


def _value(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return [type(error).__name__, str(error)]


def _classes(tf):
    class Dense(tf.Module):
        def __init__(self, rows, columns, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(tf.ones([rows, columns]), name="w")
            self.b = tf.Variable(tf.zeros([columns]), name="b", trainable=False)

        @tf.Module.with_name_scope
        def __call__(self, x):
            return tf.matmul(x, self.w) + self.b

    class Deep(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            with self.name_scope:
                self.layers = [Dense(3, 4), Dense(4, 2)]
            self.more = {"k": Dense(1, 1, name="other")}
            self.factor = tf.Variable(1.0)

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x * self.factor

    return Dense, Deep


def modules_in_modules(tf):
    _, deep = _classes(tf)
    module = deep()
    y = module(tf.ones([1, 3]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        value = session.run(y)
    return [
        module.name, module.name_scope.name, y.name, value, [v.name for v in module.variables],
        [v.name for v in module.trainable_variables], [m.name for m in module.submodules],
        deep().name, deep(name="own").name_scope.name,
        [_value(deep, name=name) for name in ("1a", "a b", "a/b")],
    ]  # fmt: skip


def layers_are_modules(tf):
    class Own(tf.Module):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(2)
            self.stack = tf.keras.Sequential([tf.keras.layers.Dense(3)])

    module, x = Own(), tf.ones([1, 2])
    module.dense(x)
    module.stack(x)
    return [
        isinstance(module.dense, tf.Module), [v.name for v in module.variables],
        [m.name for m in module.submodules], list(module.dense.submodules),
    ]  # fmt: skip


def values_without_a_session(tf):
    c, x = tf.constant([[1, 2, 3]]), tf.placeholder(tf.float32, [2, None])
    y = tf.placeholder(tf.float32, [2, 3])
    tensors = [
        c, tf.shape(x), tf.shape(y), tf.shape(y, out_type=tf.int64), tf.size(y), tf.size(x),
        tf.rank(x), tf.range(3), tf.range(1, 7, 2), tf.range(0.0, 1.0, 0.5),
        tf.cast(c, tf.float32), tf.concat([[1], tf.shape(y)], 0), tf.concat([[1], tf.shape(x)], 0),
        tf.stack([1, tf.size(y)]), tf.stack([1, tf.size(x)]), tf.fill([2], 3), tf.equal(c, 2),
        tf.not_equal(c, c), c + 1, tf.shape(y)[0], tf.identity(c), tf.zeros([2]), tf.constant("a"),
    ]  # fmt: skip
    values = [tf.get_static_value(t) for t in tensors]
    plain = [tf.get_static_value(v) for v in (None, 3, [1, 2], "a")]
    known = [None if v is None else [type(v).__name__, v.dtype.name, v.tolist()] for v in values]
    return [known, plain]


def shapes_as_tensors(tf):
    shapes = ([], [2, 3], [None, 2], None, [2**40])
    found = []
    for shape in map(tf.TensorShape, shapes):
        for options in ({}, {"dtype": tf.int64}, {"dtype": tf.float32}, {"dtype_hint": tf.int64}):
            made = _value(tf.convert_to_tensor, shape, **options)
            if not isinstance(made, list):
                made = [made.dtype.name, made.shape.as_list(), made.op.name.split("_")[0]]
            found.append(made)
    sizes = tf.concat([tf.TensorShape([]), [4]], 0)
    scope = tf.name_scope("scope")
    return [found, sizes.dtype.name, tf.Dimension(None).value, scope.name, np.int32(1)]
