# SPDX-License-Identifier: Apache-2.0
"""Functions that data sets and layers take, which AutoGraph converts."""

import numpy as np

from .branches_1x import _fails, _values

ONLY_1X = True


def _elements(tf, dataset):
    return _values(tf, dataset.batch(100).make_one_shot_iterator().get_next())


def _halved(x):
    if _tensor_is_even(x):
        return x // 2
    return x


def _tensor_is_even(x):
    return x % 2 < 1


def maps(tf):
    data = tf.data.Dataset.range(-4, 5)

    def f(x):
        if x > 2:
            return x * 10
        y = -x
        while y > 2:
            y -= 2
        return y

    return _elements(tf, data.map(f)), _elements(tf, data.map(lambda x: x if x > 0 else -x))


def functions_of_the_module(tf):
    return _elements(tf, tf.data.Dataset.range(6).map(_halved))


def filters_and_reductions(tf):
    data = tf.data.Dataset.range(20)

    def odd_or_large(x):
        if x > 15:
            return True
        return x % 2 > 0

    def joined(total, x):
        if x > 10:
            return total * 2
        return total + x

    kept = data.filter(lambda x: x > 3 and not x > 8)
    total = data.reduce(tf.constant(0, tf.int64), joined)
    return _elements(tf, data.filter(odd_or_large)), _elements(tf, kept), _values(tf, total)


def data_sets_of_elements(tf):
    def several(x):
        if x > 2:
            n = tf.constant(2, tf.int64)
        else:
            n = x
        return tf.data.Dataset.range(n)

    data = tf.data.Dataset.range(8)
    return [
        _elements(tf, data.flat_map(several)),
        _elements(tf, data.interleave(several, 2)),
    ]


def own_layers(tf):
    class Sided(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.scale = 3.0

        def call(self, x, training=None):
            if training:
                x = x + 100.0
            if tf.reduce_sum(x) > 0:
                return x * self.scale
            return self.negative(x)

        def negative(self, x):
            for i in tf.range(3):
                if i > 0:
                    x = x - 1.0
            return x

    layer = Sided()
    x = tf.constant([[1.0, -4.0]])
    return _values(tf, layer(x), layer(-x), layer(x, training=True))


def own_models(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x, training=None):
            x = x * 2.0 if training else x
            for i in tf.range(3):
                if i > 1:
                    x = x + 1.0
            return self.dense(x)

    net = Net()
    net.compile(tf.keras.optimizers.SGD(0.01), "mse")
    x, y = np.ones([4, 2], np.float32), np.ones([4, 1], np.float32)
    return net.predict(x), net.train_on_batch(x, y), net.predict(x)


def layers_of_tf_layers(tf):
    class Sided(tf.layers.Layer):
        def call(self, x):
            if tf.reduce_sum(x) > 0:
                return x
            return -x

    return _values(tf, Sided()(tf.constant([1.0, -4.0])))


def not_converted(tf):
    def absolute(x):
        if x > 0:
            return x
        return -x

    x = tf.constant([1, -2])
    layer = tf.keras.layers.Lambda(absolute)
    data = tf.data.Dataset.range(3)
    off = tf.autograph.experimental.do_not_convert(absolute)
    return [
        _fails(lambda: tf.map_fn(absolute, x)),
        _fails(lambda: layer(tf.keras.layers.Input([], batch_size=1))),
        _fails(lambda: data.map(off)),
        _fails(lambda: tf.cond(x[0] > 0, lambda: absolute(x[0]), lambda: x[0])),
    ]


def maps_inside_of_converted_functions(tf):
    @tf.function
    def f(xs):
        def absolute(x):
            if x > 0:
                return x
            return -x

        return tf.map_fn(absolute, xs), tf.map_fn(lambda x: x if x > 1 else x * 5, xs)

    return _values(tf, *f(tf.constant([3, -2, 1])))


def functions_of_replicas(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])

    def doubled(x):
        if x > 2:
            x = x * 2
        return x

    @tf.function
    def total(limit):
        sum_ = 0
        for i in tf.range(limit):
            sum_ += strategy.experimental_run_v2(doubled, args=(i,))
        return sum_

    def refused():
        strategy.experimental_run_v2(doubled, args=(tf.constant(1),))

    return _values(tf, total(tf.constant(5))), _fails(refused)


def methods_that_name_their_class(tf):
    class Doubling(tf.keras.layers.Layer):
        def call(self, x):
            if tf.reduce_sum(x) > 0:
                x = x * 2.0
            return x

    x = np.array([[1.0, 1.0], [2.0, 2.0]], np.float32)
    return [
        tf.keras.Sequential([layer(input_shape=(2,))]).predict(x)
        for layer in (_derived(tf, Doubling), _derived_in_module(tf, Doubling))
    ]


def _derived(tf, base):
    class Inner(base):
        def call(self, x):
            x = super(Inner, self).call(x)  # noqa: UP008 - the class by its name
            return x + Inner.offset(1.0) if tf.reduce_max(x) > 3.0 else x

        @staticmethod
        def offset(x):
            return x * 10.0

    return Inner


def _derived_in_module(tf, base):
    global Outer

    class Outer(base):
        def call(self, x):
            x = super(Outer, self).call(x)  # noqa: UP008 - the class by its name
            return x + Outer.offset(1.0) if tf.reduce_max(x) > 3.0 else x

        @staticmethod
        def offset(x):
            return x * 10.0

    return Outer
