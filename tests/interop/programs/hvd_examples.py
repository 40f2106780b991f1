# SPDX-License-Identifier: Apache-2.0
"""Programs of the kinds that Horovod's documentation shows, small.

    hvd_examples.py [--tensorflow] [TEST...]

`sluice run` starts it, as hvd_ranks.py.
"""

import json
import os
import tempfile

import numpy as np
from hvd_ranks import RANK, SIZE, hvd, main, run, same, tf

DIGITS, SIDE = 4, 8


def digits(count, seed=0):
    """Synthetic pictures [count, SIDE, SIDE, 1] of digits, and the digits [count]."""
    patterns = np.random.RandomState(9).rand(DIGITS, SIDE, SIDE, 1)
    random = np.random.RandomState(100 * seed + RANK)
    labels = random.randint(DIGITS, size=count)
    pictures = patterns[labels] + 0.2 * random.rand(count, SIDE, SIDE, 1) - 0.5
    return pictures.astype(np.float32), labels.astype(np.int32)


def net(pictures, training=False):
    """The logits [count, DIGITS]."""
    x = tf.layers.conv2d(pictures, 4, 3, padding="same", activation=tf.nn.relu)
    x = tf.layers.flatten(tf.layers.max_pooling2d(x, 2, 2))
    x = tf.layers.dropout(tf.layers.dense(x, 16, tf.nn.relu), 0.1, training=training)
    return tf.layers.dense(x, DIGITS)


def are_equal(thing):
    """All ranks have equal arrays."""
    every = hvd.allgather_object([np.asarray(value) for value in thing])
    for other in every[1:]:
        for a, b in zip(every[0], other):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def has_layers():
    """Whether the client has tf.layers, Keras with sessions, and Estimators: 2.x does not."""
    return tf.__version__.partition(".")[0] < "2"


def test_digits_in_a_monitored_session():
    if not has_layers():
        return
    tf.set_random_seed(4)
    global_step = tf.train.get_or_create_global_step()
    data = tf.data.Dataset.from_tensor_slices(digits(64)).repeat().shuffle(64, seed=1).batch(16)
    pictures, labels = tf.data.make_one_shot_iterator(data).get_next()
    loss = tf.losses.sparse_softmax_cross_entropy(labels, net(pictures, True))
    rate = tf.train.exponential_decay(0.02 * SIZE, global_step, 50, 0.9)
    optimizer = hvd.DistributedOptimizer(tf.train.AdagradOptimizer(rate))
    train = optimizer.minimize(loss, global_step=global_step)
    losses, last = [], 60 // SIZE
    hooks = [
        hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=last),
        tf.train.LoggingTensorHook({"step": global_step, "loss": loss}, every_n_iter=10),
        tf.train.NanTensorHook(loss),
    ]  # fmt: skip
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tempfile.TemporaryDirectory() as folder:
        checkpoints = folder if RANK == 0 else None
        with tf.train.MonitoredTrainingSession(
            hvd.target(), checkpoint_dir=checkpoints, hooks=hooks, config=hvd.config(config)
        ) as session:
            while not session.should_stop():
                losses.append(session.run([train, loss])[1])
        written = tf.train.latest_checkpoint(folder)
        assert (written is not None) == (RANK == 0), written
        if RANK == 0:
            assert written.endswith(f"model.ckpt-{last}"), written
    assert len(losses) == last and np.mean(losses[-3:]) < 0.9 * losses[0], losses


def test_a_run_that_goes_on_from_a_checkpoint():
    w = tf.get_variable("w", initializer=np.float32(RANK))
    step = tf.train.get_or_create_global_step()
    optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(1.0, 0.5))
    with tf.control_dependencies([optimizer.minimize(w * 1.0, global_step=step)]):
        updated = [w.read_value(), step.read_value()]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for last in (2, 4):
            hooks = [hvd.BroadcastGlobalVariablesHook(0),
                     tf.train.StopAtStepHook(last_step=last)]  # fmt: skip
            with tf.train.MonitoredTrainingSession(
                hvd.target(), checkpoint_dir=folder if RANK == 0 else None, hooks=hooks,
                config=hvd.config(),
            ) as session:  # fmt: skip
                while not session.should_stop():
                    found.append(session.run(updated))
    are_equal(found)
    assert [int(number) for _, number in found] == [1, 2, 3, 4], found


def keras_data():
    pictures, labels = digits(96)
    return pictures, np.eye(DIGITS, dtype=np.float32)[labels]


def test_digits_with_keras():
    if not has_layers():
        return
    keras = tf.keras
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    keras.backend.set_session(tf.Session(hvd.target(), config=hvd.config(config)))
    x, y = keras_data()
    layers = keras.layers
    model = keras.models.Sequential([
        layers.Conv2D(4, kernel_size=(3, 3), activation="relu", input_shape=(SIDE, SIDE, 1)),
        layers.MaxPooling2D(pool_size=(2, 2)), layers.Dropout(0.1), layers.Flatten(),
        layers.Dense(16, activation="relu"), layers.Dense(DIGITS, activation="softmax"),
    ])  # fmt: skip
    optimizer = keras.optimizers.SGD(lr=0.05 * SIZE, momentum=0.9)
    optimizer = hvd.DistributedOptimizer(optimizer, backward_passes_per_step=1)
    model.compile(loss="categorical_crossentropy", optimizer=optimizer, metrics=["accuracy"])
    with tempfile.TemporaryDirectory() as folder:
        callbacks = [
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            hvd.callbacks.MetricAverageCallback(),
            hvd.callbacks.LearningRateWarmupCallback(
                initial_lr=0.05 * SIZE, warmup_epochs=2, verbose=1
            ),
            hvd.callbacks.LearningRateScheduleCallback(
                initial_lr=0.05 * SIZE, multiplier=1.0, start_epoch=2, end_epoch=4
            ),
            hvd.callbacks.LearningRateScheduleCallback(
                initial_lr=0.05 * SIZE, multiplier=1e-1, start_epoch=4
            ),
            keras.callbacks.ReduceLROnPlateau(patience=10, verbose=0),
        ]
        if RANK == 0:
            path = os.path.join(folder, "checkpoint-{epoch}.h5")
            callbacks.append(keras.callbacks.ModelCheckpoint(path))
            callbacks.append(keras.callbacks.TensorBoard(os.path.join(folder, "logs")))
        history = model.fit(x, y, batch_size=16, epochs=5, verbose=0, callbacks=callbacks,
                            validation_data=(x[:32], y[:32]))  # fmt: skip
        if RANK == 0:
            assert len([name for name in os.listdir(folder) if name.endswith(".h5")]) == 5
            again = hvd.load_model(os.path.join(folder, "checkpoint-5.h5"))
            assert type(again.optimizer).__name__.endswith("SGD")
    rates = history.history["lr"]
    np.testing.assert_allclose(rates[1:4], [0.05 * SIZE] * 3, rtol=1e-5)
    np.testing.assert_allclose(rates[4], 0.005 * SIZE, rtol=1e-5)
    are_equal(history.history["loss"])
    are_equal(history.history["val_loss"])
    are_equal(model.get_weights())
    assert history.history["loss"][-1] < history.history["loss"][0]
    keras.backend.set_session(None)


def test_digits_with_an_estimator():
    if not has_layers():
        return
    masters = {"session_master": hvd.target(), "eval_session_master": hvd.target()}
    os.environ["TF_CONFIG"] = json.dumps(masters)

    def model_fn(features, labels, mode):
        logits = net(features["x"], mode == tf.estimator.ModeKeys.TRAIN)
        classes = tf.argmax(logits, axis=1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, {"classes": classes})
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
        train = None
        if mode == tf.estimator.ModeKeys.TRAIN:
            optimizer = tf.train.MomentumOptimizer(learning_rate=0.02 * SIZE, momentum=0.9)
            train = hvd.DistributedOptimizer(optimizer).minimize(
                loss, global_step=tf.train.get_global_step()
            )
        accuracy = {"accuracy": tf.metrics.accuracy(labels, classes)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, eval_metric_ops=accuracy)

    x, y = digits(64)
    inputs = tf.estimator.inputs.numpy_input_fn
    with tempfile.TemporaryDirectory() as folder:
        estimator = tf.estimator.Estimator(
            model_fn, model_dir=folder if RANK == 0 else None,
            config=tf.estimator.RunConfig(session_config=hvd.config()),
        )  # fmt: skip
        estimator.train(
            inputs({"x": x}, y, batch_size=16, num_epochs=None, shuffle=True), steps=60 // SIZE,
            hooks=[hvd.BroadcastGlobalVariablesHook(0)],
        )  # fmt: skip
        weights = [estimator.get_variable_value(n) for n in sorted(estimator.get_variable_names())
                   if n.startswith(("conv2d", "dense"))]  # fmt: skip
        are_equal(weights)
        found = estimator.evaluate(inputs({"x": x}, y, num_epochs=1, shuffle=False))
        assert found["accuracy"] > 0.5, found
        predicted = list(estimator.predict(inputs({"x": x[:3]}, num_epochs=1, shuffle=False)))
        assert len(predicted) == 3
    del os.environ["TF_CONFIG"]


def test_word2vec():
    words, size, window = 50, 8, 16
    inputs = tf.placeholder(tf.int32, [window])
    labels = tf.placeholder(tf.int32, [window, 1])
    with tf.device("/cpu:0"):
        embeddings = tf.Variable(tf.random_uniform([words, size], -1.0, 1.0, seed=RANK))
        embed = tf.nn.embedding_lookup(embeddings, inputs)
        weights = tf.Variable(tf.truncated_normal([words, size], stddev=0.3, seed=RANK))
        biases = tf.Variable(tf.zeros([words]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, labels, embed, 4, words))
    optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.5))
    assert isinstance(tf.gradients(loss, embeddings)[0], tf.IndexedSlices)
    train = optimizer.minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normal = embeddings / norm
    near = tf.matmul(tf.nn.embedding_lookup(normal, tf.constant([1, 2])), normal, transpose_b=True)
    bcast = hvd.broadcast_global_variables(0)
    random = np.random.RandomState(RANK)
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        tf.global_variables_initializer().run()
        bcast.run()
        for _ in range(20):
            batch = random.randint(words, size=window)
            feeds = {inputs: batch, labels: ((batch + 1) % words)[:, None]}
            session.run([train, loss], feed_dict=feeds)
        found = session.run([embeddings, weights, biases])
        assert near.eval().shape == (2, words)
    are_equal(found)


def test_gradients_of_several_steps():
    for average in (False, True):
        w = tf.get_variable(f"w{average}", initializer=[0.0, 0.0], use_resource=True)
        x = tf.placeholder(tf.float32, [2])
        optimizer = hvd.DistributedOptimizer(
            tf.train.GradientDescentOptimizer(1.0), backward_passes_per_step=4,
            average_aggregated_gradients=average, op=hvd.Sum,
        )  # fmt: skip
        step = tf.Variable(0, trainable=False)
        train = optimizer.minimize(tf.reduce_sum(w * x), global_step=step)
        found = []
        with tf.Session(hvd.target(), config=hvd.config()) as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            for number in range(8):
                session.run(train, {x: [1.0, RANK + number]})
                found.append(session.run(w))
            assert session.run(step) == 8
        part = 4 if average else 1
        ranks = SIZE * (SIZE - 1) / 2
        first = np.float32([4 * SIZE, 4 * ranks + 6 * SIZE]) / part
        second = first + np.float32([4 * SIZE, 4 * ranks + 22 * SIZE]) / part
        for number, value in enumerate(found):
            wanted = -first if 3 <= number < 7 else -second if number == 7 else 0 * first
            np.testing.assert_allclose(value, wanted, rtol=1e-6)


def test_compression_and_a_factor_before_the_sum():
    for options in ({"compression": hvd.Compression.fp16}, {"gradient_predivide_factor": 2.0},
                    {"gradient_predivide_factor": 0.5, "compression": hvd.Compression.fp16},
                    {"num_groups": 2}, {"groups": 1}, {"sparse_as_dense": True}):  # fmt: skip
        with tf.Graph().as_default():
            v = [tf.get_variable(f"v{i}", initializer=[0.0, 0.0]) for i in range(3)]
            table = tf.get_variable("table", initializer=np.zeros([3, 2], np.float32))
            loss = tf.add_n([(RANK + 1.0) * tf.reduce_sum(one) for one in v])
            loss += tf.reduce_sum(tf.nn.embedding_lookup(table, [RANK % 3]))
            optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(1.0), **options)
            train = optimizer.minimize(loss)
            with tf.Session(hvd.target(), config=hvd.config()) as session:
                session.run(tf.global_variables_initializer())
                session.run(train)
                found = session.run([*v, table])
        for value in found[:3]:
            np.testing.assert_allclose(value, [-(SIZE + 1) / 2] * 2, rtol=1e-3)
        rows = np.zeros([3, 2])
        for rank in range(SIZE):
            rows[rank % 3] -= 1.0 / SIZE
        np.testing.assert_allclose(found[3], rows, rtol=1e-3)


def test_groups_of_variables():
    v = [tf.get_variable(f"v{i}", initializer=[0.0]) for i in range(3)]
    optimizer = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0), groups=[[v[0], v[2]]], op=hvd.Sum
    )
    train = optimizer.minimize(tf.add_n([(i + 1.0) * one[0] for i, one in enumerate(v)]))
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        same(np.concatenate(session.run(v)), np.float32([-1, -2, -3]) * SIZE)


def test_reductions():
    own, every = tf.constant([RANK, 2.0]), np.float32([[r, 2.0] for r in range(SIZE)])
    found = run([
        hvd.allreduce(own, op=hvd.Min), hvd.allreduce(own, op=hvd.Max),
        hvd.allreduce(own, op=hvd.Product), hvd.allreduce(own, average=False),
        hvd.allreduce(own, average=True), hvd.allreduce(own, op=hvd.Sum, prescale_factor=0.5),
        hvd.allreduce(own, op=hvd.Average, postscale_factor=4.0),
        *hvd.grouped_allreduce([own, own + 1], op=hvd.Sum),
        *hvd.grouped_allgather([own, own + 1]),
        *hvd.grouped_reducescatter([tf.ones([SIZE]), tf.zeros([SIZE])], op=hvd.Sum),
    ])  # fmt: skip
    total = every.sum(0)
    wanted = [
        every.min(0), every.max(0), every.prod(0), total, total / SIZE, total / 2, 4 * total / SIZE,
        total, total + SIZE, every.ravel(), every.ravel() + 1, [SIZE], [0],
    ]  # fmt: skip
    for value, right in zip(found, wanted):
        np.testing.assert_allclose(value, right, rtol=1e-6)


def test_numbers():
    found = run([hvd.size_op(), hvd.rank_op(), hvd.local_rank_op(), hvd.local_size_op(),
                 hvd.process_set_included_op()])  # fmt: skip
    assert [int(n) for n in found] == [SIZE, RANK, hvd.local_rank(), hvd.local_size(), 1]
    assert hvd.is_initialized() and hvd.is_homogeneous()
    assert (hvd.cross_size(), hvd.cross_rank()) == (1, 0)
    built = [hvd.mpi_built(), hvd.mpi_enabled(), hvd.gloo_built(), hvd.gloo_enabled(),
             hvd.nccl_built(), hvd.ddl_built(), hvd.ccl_built(), hvd.cuda_built(),
             hvd.rocm_built(), hvd.mpi_threads_supported()]  # fmt: skip
    assert not any(built)


def test_what_is_not_there_says_what_to_use():
    for name, text in (("join", "same number of steps"), ("start_timeline", "FULL_TRACE"),
                       ("stop_timeline", "FULL_TRACE"), ("elastic", "save checkpoints"),
                       ("Adasum", "op=Average"), ("run", "sluice run")):  # fmt: skip
        try:
            getattr(hvd, name)
        except AttributeError as error:
            assert f"sluice.hvd has no {name}: " in str(error) and text in str(error), error
        else:
            raise AssertionError(f"{name} is there")


def test_a_benchmark_with_synthetic_data():
    if not has_layers():
        return
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(4, 3, input_shape=(SIDE, SIDE, 3)), tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])  # fmt: skip
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, compression=hvd.Compression.none)
    init = tf.global_variables_initializer()
    bcast = hvd.broadcast_global_variables(0)
    data = tf.random_uniform([8, SIDE, SIDE, 3])
    target = tf.random_uniform([8, 1], minval=0, maxval=9, dtype=tf.int64)
    probabilities = model(data, training=True)
    loss = tf.losses.sparse_softmax_cross_entropy(target, probabilities)
    train = optimizer.minimize(loss)
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        init.run()
        bcast.run()
        for _ in range(5):
            session.run(train)
        are_equal(session.run(model.trainable_variables))


if __name__ == "__main__":
    main(globals())
