# SPDX-License-Identifier: Apache-2.0
"""Training steps in a tf.function, which makes variables when it is traced."""

import numpy as np

ONLY_1X = True


def _two_runs(tf, tensor):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [session.run(tensor) for _ in range(2)]
    return found, sorted(v.name for v in tf.global_variables())


def _traced(tf, step, start, times):
    @tf.function
    def run(value):
        if times == 0:
            return value + step()
        for _ in tf.range(times):
            value = value + step()
        return value

    return run(tf.constant(start))


def _once_and_in_a_loop(tf, make):
    """What one call gives and what two calls in a loop give, each in a graph of its own."""
    found = []
    for times in (0, 2):
        with tf.Graph().as_default():
            found.append(_two_runs(tf, _traced(tf, *make(), times)))
    return found


def keras_optimizers(tf):
    def make():
        v = tf.Variable(2.0, use_resource=True, name="v")
        optimizer = tf.keras.optimizers.Adam(0.1)

        def step():
            with tf.GradientTape() as tape:
                loss = v * v
            optimizer.apply_gradients([(tape.gradient(loss, v), v)])
            return loss

        return step, 0.0

    return _once_and_in_a_loop(tf, make)


def optimizers(tf):
    def make():
        v = tf.Variable(2.0, use_resource=True, name="v")
        optimizer = tf.train.AdamOptimizer(0.1)

        def step():
            loss = v * v
            with tf.control_dependencies([optimizer.minimize(loss, var_list=[v])]):
                return tf.identity(loss)

        return step, 0.0

    return _once_and_in_a_loop(tf, make)


def variables_of_the_first_call(tf):
    class Owner:
        v = w = None

    def make():
        owner = Owner()

        def step():
            if owner.v is None:
                owner.v = tf.Variable(3.0, name="mine")
                owner.w = tf.Variable(tf.fill([2], 4.0) + 1.0, name="filled")
            return owner.v * tf.reduce_sum(owner.w)

        return step, 1.0

    return _once_and_in_a_loop(tf, make)


def layers(tf):
    def make():
        dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
        return lambda: dense(tf.ones([1, 2])), [[1.0]]

    return _once_and_in_a_loop(tf, make)


def first_values_of_arguments(tf):
    @tf.function
    def run(x):
        return tf.Variable(x * 2.0) + x

    try:
        run(tf.constant(1.0))
    except Exception:  # TensorFlow has a class of its own for it
        return "refused"


def steps_of_a_strategy(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        x = np.arange(12.0, dtype=np.float32).reshape(12, 1)
        batches = tf.data.Dataset.from_tensor_slices((x, x * 2)).batch(4)
        model = tf.keras.Sequential(
            [tf.keras.layers.Dense(1, kernel_initializer="zeros", input_shape=(1,))]
        )
        optimizer = tf.keras.optimizers.SGD(0.001)

        def step(batch):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(batch[0]) - batch[1]) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        def summed(batch):
            losses = strategy.experimental_run_v2(step, args=(batch,))
            return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

        distributed = strategy.experimental_distribute_dataset(batches)
        iterator = strategy.make_dataset_iterator(batches)

        @tf.function
        def epoch():
            total = 0.0
            for batch in distributed:
                total += summed(batch)
            return total

        @tf.function
        def steps(count):
            total = 0.0
            for _ in tf.range(count):
                total += summed(iterator.get_next())
            return total

        losses, three = epoch(), steps(tf.constant(3))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found = [session.run(losses) for _ in range(3)]
            session.run([v.initializer for v in model.variables])
            session.run(iterator.initialize())
            return found, session.run(three)
