# SPDX-License-Identifier: Apache-2.0
"""What programs written for Horovod expect of errors, of splits and of sets of ranks.

    hvd_checks.py [--tensorflow] [TEST...]

`sluice run` starts it, as hvd_ranks.py.
"""

import numpy as np
from hvd_ranks import RANK, SIZE, hvd, main, run, same, tf, values

EVEN, ODD = [r for r in range(SIZE) if r % 2 == 0], [r for r in range(SIZE) if r % 2 == 1]


def fails(error, make, *texts):
    """All ranks get an error of this class, and a step after it is right.

    Args:
      error: the class.
      make: a function that makes the fetches.
      texts: parts of the error.
    """
    with tf.Graph().as_default():
        try:
            run(make())
        except error as raised:
            found = str(raised)
        else:
            raise AssertionError(f"no {error.__name__}")
    assert all(text in found for text in texts), found
    with tf.Graph().as_default():
        assert run(hvd.allreduce(tf.constant(1.0), op=hvd.Sum, name="after")) == SIZE


def disagree(make):
    fails(tf.errors.FailedPreconditionError, make, "disagree", "; member ")


def odd_dtype():
    return tf.int32 if RANK % 2 else tf.float32


def test_reductions_that_disagree():
    disagree(lambda: hvd.allreduce(tf.ones([17 + RANK]), name="x"))
    disagree(lambda: hvd.allreduce(tf.ones([2, 3] if RANK % 2 else [3, 2]), name="x"))
    disagree(lambda: hvd.allreduce(tf.ones([4] * (1 + RANK % 2)), name="x"))
    disagree(lambda: hvd.allreduce(tf.ones([17], odd_dtype()), name="x"))
    disagree(lambda: hvd.allreduce(tf.ones([3]), op=[hvd.Sum, hvd.Max][RANK % 2], name="x"))
    disagree(lambda: hvd.reducescatter(tf.ones([2 * SIZE, 2 + RANK]), name="x"))
    disagree(lambda: hvd.reducescatter(tf.ones([2 * SIZE], odd_dtype()), name="x"))
    disagree(lambda: hvd.grouped_allreduce([tf.ones([2]), tf.ones([2 + RANK])], name="x"))


def test_gathers_that_disagree():
    disagree(lambda: hvd.allgather(tf.ones([17, 10 * (RANK + 1), 17]), name="x"))
    disagree(lambda: hvd.allgather(tf.ones([17] * (1 + RANK % 2)), name="x"))
    disagree(lambda: hvd.allgather(tf.ones([17, 17], odd_dtype()), name="x"))
    disagree(lambda: hvd.alltoall(tf.ones([SIZE, 10 * (RANK + 1)]), name="x"))
    disagree(lambda: hvd.alltoall(tf.ones([SIZE], odd_dtype()), name="x"))


def test_dtypes_that_travel_alike_disagree():
    for dtypes in (("uint8", "int32"), ("bool", "int8"), ("uint64", "complex64")):
        own = dtypes[RANK % 2]
        disagree(lambda own=own: hvd.allgather(tf.zeros([2, 2], own), name="x"))
        disagree(lambda own=own: hvd.broadcast(tf.zeros([2, 2], own), 0, name="x"))
        disagree(lambda own=own: hvd.alltoall(tf.zeros([SIZE, 2], own), name="x"))
    own = ["int8", "int32"][RANK % 2]
    disagree(lambda: hvd.allreduce(tf.zeros([2], own), name="x"))
    disagree(lambda: hvd.reducescatter(tf.zeros([SIZE], own), name="x"))


def test_broadcasts_that_disagree():
    disagree(lambda: hvd.broadcast(tf.ones([10 * (RANK + 1)]), 0, name="x"))
    disagree(lambda: hvd.broadcast(tf.ones([3], odd_dtype()), 0, name="x"))
    disagree(lambda: hvd.broadcast(tf.ones([3]), RANK, name="x"))


def test_a_broadcast_that_differs_later():
    x = tf.placeholder(tf.float32, [None])
    result = hvd.broadcast(x, SIZE - 1, name="x")
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        for size in (3, 4):
            found = session.run(result, {x: np.full(size, RANK, np.float32)})
            same(found, np.full(size, SIZE - 1, np.float32))
        try:
            session.run(result, {x: np.zeros(3 + RANK, np.float32)})
        except tf.errors.FailedPreconditionError as error:
            assert "disagree" in str(error), error
        else:
            raise AssertionError("no error")
        found = session.run(result, {x: np.full(2, RANK, np.float32)})
        same(found, np.full(2, SIZE - 1, np.float32))


def test_a_broadcast_of_other_values_in_each_step():
    x = tf.placeholder(tf.float32, [3])
    result = hvd.broadcast(x, 0, name="x")
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        for step in range(5):
            found = session.run(result, {x: np.full(3, 10 * RANK + step, np.float32)})
            same(found, np.full(3, step, np.float32))


def test_splits_that_are_wrong():
    def wrong(make, text):
        fails(tf.errors.InvalidArgumentError, make, text)

    wrong(lambda: hvd.alltoall(tf.ones([SIZE + 1]), name="x"), "not an even multiple")
    unknown = np.ones([SIZE + 1], np.float32)
    wrong(lambda: hvd.alltoall(tf.placeholder_with_default(unknown, [None]), name="x"),
          "not an even multiple")  # fmt: skip
    too_many = "Sum of splits entries is greater"
    wrong(lambda: hvd.alltoall(tf.ones([SIZE - 1]), [1] * SIZE, name="x"), too_many)
    wrong(lambda: hvd.alltoall(tf.ones([0]), [1] + [-1] * (SIZE - 1), name="x"), too_many)
    for splits in ([1] * (SIZE + 1), [1], np.ones(SIZE + 1, np.int32)):
        wrong(lambda splits=splits: hvd.alltoall(tf.ones([SIZE + 1]), splits, name="x"),
              "Number of entries in splits")  # fmt: skip
    unknown = np.ones([SIZE + 1], np.int32)
    wrong(lambda: hvd.alltoall(tf.ones([SIZE + 1]), tf.placeholder_with_default(unknown, [None]),
                               name="x"), "Number of entries in splits")  # fmt: skip
    for splits in ([1.0] * SIZE, np.ones(SIZE), tf.ones([SIZE]), [True] * SIZE):
        try:
            hvd.alltoall(tf.ones([SIZE]), splits)
        except TypeError as error:
            assert "must be integers" in str(error), error
        else:
            raise AssertionError("no TypeError")


def test_each_round_that_fails_is_one_error_of_each_rank():
    x = tf.placeholder(tf.float32, [])
    total = hvd.allreduce(tf.check_numerics(x, "wrong"), op=hvd.Sum, name="total")

    def rounds(run):
        for number in range(4 * (SIZE + 2)):
            failing = number % (SIZE + 2)  # a rank; SIZE: all; SIZE + 1: none
            value = np.nan if failing in (RANK, SIZE) else number
            error = "none"
            try:
                found = run(total, {x: value})
            except tf.errors.OpError as raised:
                error = str(raised)
            if failing == SIZE + 1:
                assert error == "none" and found == SIZE * number, (number, error)
            else:
                assert "wrong" in error, (number, error)

    with tf.Session(hvd.target(), config=hvd.config()) as session:
        rounds(session.run)
    rounds(run)


def test_splits_of_integer_dtypes():
    for dtype in ("int32", "int64"):
        found, received = run(hvd.alltoall(tf.range(SIZE), np.ones(SIZE, dtype)))
        assert found.tolist() == [RANK] * SIZE and received.tolist() == [1] * SIZE
        assert received.dtype == np.int32


def test_rows_after_the_splits_are_not_sent():
    x = tf.constant(np.arange(2.0 * SIZE + 5)[:, None] + 100 * RANK, tf.float32)
    result, received = hvd.alltoall(x, [2] * SIZE)
    gradient = tf.gradients(result, x)[0]
    found, received, gradient = run([result, received, gradient])
    rows = [100 * r + 2 * RANK + i for r in range(SIZE) for i in range(2)]
    assert found[:, 0].tolist() == rows and received.tolist() == [2] * SIZE
    assert gradient[:, 0].tolist() == [1.0] * (2 * SIZE) + [0.0] * 5


def test_alltoall_of_uneven_blocks():
    fetches, expected = [], []
    for dtype in ("uint8", "int8", "int32", "int64", "float16", "float32", "float64", "bool"):
        for dim in (1, 2, 3):
            x = np.concatenate([np.full([RANK + 1] + [2] * (dim - 1), to) for to in range(SIZE)])
            fetches.append(hvd.alltoall(tf.constant(x.astype(dtype)), [RANK + 1] * SIZE))
            rows = SIZE * (SIZE + 1) // 2
            expected.append(np.full([rows] + [2] * (dim - 1), RANK).astype(dtype))
    for (found, received), wanted in zip(run(fetches), expected):
        same(found, wanted)
        assert received.tolist() == [r + 1 for r in range(SIZE)]


def test_alltoall_without_rows():
    empty = run(hvd.alltoall(tf.zeros([0, 2]), [0] * SIZE))
    assert empty[0].shape == (0, 2) and empty[1].tolist() == [0] * SIZE
    # Rank 1 sends nothing.
    own = [0 if RANK == 1 else 1] * SIZE
    found, received = run(hvd.alltoall(tf.fill([sum(own), 2], float(RANK)), own))
    assert found[:, 0].tolist() == [r for r in range(SIZE) if r != 1]
    assert received.tolist() == [int(r != 1) for r in range(SIZE)]
    # Half of the ranks neither send nor receive.
    active = range(SIZE // 2)
    own = [int(RANK in active and to in active) for to in range(SIZE)]
    found, _ = run(hvd.alltoall(tf.fill([sum(own), 4], float(RANK)), own))
    assert found[:, 0].tolist() == (list(active) if RANK in active else [])


def test_compression():
    for dtype in ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool"):
        compressed, context = hvd.Compression.fp16.compress(tf.ones([3], dtype))
        wanted = "float16" if dtype.startswith("float") else dtype
        assert compressed.dtype.name == wanted, (dtype, compressed.dtype)
        back = hvd.Compression.fp16.decompress(compressed, context)
        same(run(back), np.ones(3, dtype))


def sets():
    """The sets of the even and the odd ranks, that of this rank, and the ranks in it."""
    even, odd = hvd.add_process_set(EVEN), hvd.add_process_set(ODD)
    own, ranks = (even, EVEN) if RANK in EVEN else (odd, ODD)
    return even, odd, own, ranks


def removed(*process_sets):
    for process_set in process_sets:
        assert hvd.remove_process_set(process_set)


def test_operations_of_sets():
    even, odd, own, ranks = sets()
    place, n = ranks.index(RANK), len(ranks)
    for dtype in ("uint8", "int8", "int32", "int64", "float16", "float32", "float64"):
        x = values((4, 2), dtype)
        mine, theirs = tf.constant(x[RANK]), [x[r] for r in ranks]
        total = np.sum(theirs, 0).astype(dtype)
        grouped = hvd.grouped_allreduce([mine, mine + mine], op=hvd.Sum, process_set=own)
        rows = tf.fill([RANK + 1, 2], tf.cast(RANK, dtype))
        found = run([
            hvd.allreduce(mine, op=hvd.Sum, process_set=own), *grouped,
            hvd.allgather(mine, process_set=own), hvd.allgather(rows, process_set=own),
            hvd.broadcast(mine, ranks[-1], process_set=own),
            hvd.alltoall(tf.fill([n], tf.cast(place, dtype)), process_set=own),
            hvd.reducescatter(mine, op=hvd.Sum, process_set=own),
            hvd.size_op(even.process_set_id), hvd.process_set_included_op(even.process_set_id),
        ])  # fmt: skip
        every = np.concatenate([np.full((r + 1, 2), r, dtype) for r in ranks])
        wanted = [
            total, total, 2 * total, np.concatenate(theirs), every, x[ranks[-1]],
            np.arange(n).astype(dtype), np.array_split(total, n)[place], np.int32(len(EVEN)),
            np.int32(RANK in EVEN),
        ]  # fmt: skip
        for got, value in zip(found, wanted):
            same(got, value.astype(got.dtype) if value is wanted[2] else value)
    removed(even, odd)


def test_gradients_of_sets():
    even, odd, own, ranks = sets()
    n = len(ranks)
    for dtype in ("float32", "float64"):
        x = tf.constant(np.ones((2 * n, 2)), dtype)
        fetches = [
            tf.gradients(hvd.allreduce(x, op=hvd.Sum, process_set=own), x),
            tf.gradients(hvd.allreduce(x, process_set=own), x),
            tf.gradients(hvd.allgather(x, process_set=own), x),
            tf.gradients(hvd.broadcast(x, ranks[0], process_set=own), x),
            tf.gradients(hvd.alltoall(x, process_set=own), x),
            tf.gradients(hvd.reducescatter(x, op=hvd.Sum, process_set=own), x),
        ]
        for (found,), wanted in zip(run(fetches), (n, 1, 1, int(RANK == ranks[0]), 1, n)):
            same(found, np.full((2 * n, 2), wanted, dtype))
    removed(even, odd)


def test_a_rank_that_is_not_in_a_set():
    even, odd, own, _ = sets()
    other = odd if RANK in EVEN else even
    x, wrong = tf.ones([4]), tf.errors.InvalidArgumentError
    made = [
        hvd.allreduce(x, process_set=other), hvd.allgather(x, process_set=other),
        hvd.broadcast(x, other.ranks[0], process_set=other), hvd.alltoall(x, process_set=other),
        hvd.alltoall(x, [4] + [0] * (other.size() - 1), process_set=other),
        hvd.reducescatter(x, process_set=other),
    ]  # fmt: skip
    for fetches in made:
        try:
            run(fetches)
        except wrong as error:
            assert f"rank {RANK} is not in ProcessSet" in str(error), error
        else:
            raise AssertionError("no error")
    # Programs build the operations of all sets, and run their own.
    same(run(hvd.allreduce(x, op=hvd.Sum, process_set=own)), np.full(4, own.size(), np.float32))
    unknown = hvd.ProcessSet([0])
    unknown.process_set_id = 10
    try:
        hvd.allreduce(x, process_set=unknown)
    except ValueError as error:
        assert "was not added" in str(error), error
    else:
        raise AssertionError("no ValueError")
    removed(even, odd)
    assert run(hvd.allreduce(tf.constant(1.0), op=hvd.Sum)) == SIZE


def test_sets_are_added_and_removed():
    def refused(ranks):
        try:
            hvd.add_process_set(ranks)
        except ValueError as error:
            assert "was added before" in str(error), error
        else:
            raise AssertionError(f"{ranks} was added")

    first, rest = hvd.add_process_set([0]), hvd.add_process_set(range(1, SIZE))
    number = first.process_set_id
    ids = tf.constant([first.process_set_id, rest.process_set_id])
    assert run(hvd.allgather(ids)).tolist() == [first.process_set_id, rest.process_set_id] * SIZE
    everyone = list(range(SIZE))
    assert [str(s) for s in (hvd.global_process_set, first, rest)] == [
        f"ProcessSet(process_set_id=0, ranks={everyone}, mpi_comm=None)",
        f"ProcessSet(process_set_id={number}, ranks=[0], mpi_comm=None)",
        f"ProcessSet(process_set_id={rest.process_set_id}, ranks={everyone[1:]}, mpi_comm=None)",
    ]
    assert hvd.remove_process_set(first) and first.process_set_id is None
    hvd.add_process_set(first)
    assert hvd.remove_process_set(first)
    again = None
    if SIZE > 2:
        again = hvd.add_process_set([0, SIZE - 1])
        assert again.process_set_id == number, again
    refused(range(SIZE - 1, 0, -1))
    refused(range(SIZE))
    removed(rest, *([again] if again is not None else []))
    assert not hvd.remove_process_set(hvd.global_process_set)


def test_training_in_sets():
    even, odd, own, ranks = sets()
    w = tf.get_variable("w", initializer=np.float32([RANK, 1.0]), use_resource=True)
    table = tf.get_variable("table", initializer=np.ones((3, 2), np.float32))
    loss = (RANK + 1.0) * tf.reduce_sum(w) + tf.reduce_sum(tf.gather(table, [RANK % 3, 0]))
    optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(1.0), process_set=own)
    step = optimizer.minimize(loss)
    begin = hvd.broadcast_variables([w, table], ranks[-1], process_set=own)
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        session.run(tf.global_variables_initializer())
        session.run(begin)
        session.run(step)
        found, rows = session.run([w, table])
    mean = np.float32(np.mean([r + 1.0 for r in ranks]))
    np.testing.assert_allclose(found, [ranks[-1] - mean, 1.0 - mean], rtol=1e-6)
    wanted = np.ones((3, 2))
    for r in ranks:
        wanted[[r % 3]] -= 1.0 / len(ranks)
        wanted[0] -= 1.0 / len(ranks)
    np.testing.assert_allclose(rows, wanted, rtol=1e-5, atol=1e-6)
    assert hvd.allgather_object(RANK, process_set=own) == ranks
    assert hvd.broadcast_object({"r": RANK}, ranks[-1], process_set=own) == {"r": ranks[-1]}
    removed(even, odd)


def test_an_optimizer_of_a_set_without_this_rank():
    even, odd, own, _ = sets()
    other = odd if own is even else even
    for passes in (1, 2):
        w = tf.get_variable(f"w{passes}", initializer=np.float32([0.0]), use_resource=True)
        optimizer = hvd.DistributedOptimizer(
            tf.train.GradientDescentOptimizer(1.0), backward_passes_per_step=passes,
            process_set=other,
        )  # fmt: skip
        step = optimizer.minimize((RANK + 1.0) * tf.reduce_sum(w))
        with tf.Session(hvd.target(), config=hvd.config()) as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            for _ in range(passes):
                session.run(step)
            same(session.run(w), np.float32([-passes * (RANK + 1.0)]))
    removed(even, odd)


def test_an_optimizer_of_the_program():
    class Given(tf.train.Optimizer):
        """Its gradients are the ranks."""

        def __init__(self):
            super().__init__(False, "given")
            self.variable = tf.Variable([0.0])

        def compute_gradients(self, *args, **kwargs):
            return [(tf.constant([float(RANK)]), self.variable)]

        def _apply_dense(self, grad, var):
            return var.assign_add(grad)

        _resource_apply_dense = _apply_dense

    inner = Given()
    optimizer = hvd.DistributedOptimizer(
        inner, backward_passes_per_step=4, average_aggregated_gradients=True
    )
    update = optimizer.apply_gradients(optimizer.compute_gradients())
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for i in range(10):
            session.run(update)
            found = session.run(inner.variable)
            np.testing.assert_allclose(found, [(i + 1) // 4 * (SIZE - 1) / 2], rtol=1e-6)


def keras_has_sessions():
    return hasattr(tf, "keras") and tf.__version__.partition(".")[0] < "2"


def test_batch_normalization_of_all_ranks():
    if not keras_has_sessions():
        return
    for seed, shape in enumerate(((4, 3), (2, 4, 3), (2, 3, 3, 5))):
        x = values(shape, "float32", seed)
        weight = tf.constant(np.concatenate(values(shape, "float32", seed + 50)))
        whole, own = tf.constant(np.concatenate(x)), tf.constant(x[RANK])
        plain = tf.keras.layers.BatchNormalization(fused=False)
        layer = hvd.SyncBatchNormalization()
        outputs = [plain(whole, training=True), layer(own, training=True)]
        part = slice(RANK * shape[0], (RANK + 1) * shape[0])
        wanted, gradients = outputs[0][part], []
        losses = [weight * outputs[0], weight[part] * outputs[1]]
        for loss, made, inputs in zip(losses, (plain, layer), (whole, own)):
            gradients.append(tf.gradients(tf.reduce_sum(loss), [inputs, made.gamma]))
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        moving = [[m.moving_mean, m.moving_variance] for m in (plain, layer)]
        with tf.Session(hvd.target(), config=hvd.config()) as session:
            session.run(tf.global_variables_initializer())
            found = session.run([wanted, outputs[1], gradients])
            session.run([updates, plain.updates])
            averages = session.run(moving)
        np.testing.assert_allclose(found[1], found[0], rtol=1e-4, atol=1e-4)
        of_whole, of_own = found[2]
        np.testing.assert_allclose(of_own[0], of_whole[0][part], rtol=1e-3, atol=1e-3)
        for got, right in zip(averages[1], averages[0]):
            np.testing.assert_allclose(got, right, rtol=1e-4, atol=1e-5)
    try:
        hvd.SyncBatchNormalization(fused=True)
    except ValueError as error:
        assert "fused=True" in str(error), error
    else:
        raise AssertionError("no ValueError")


def trained(make, x, y, **options):
    """The optimizer of a model of Keras that ranks have trained, whose weights are equal."""
    keras = tf.keras
    keras.backend.set_session(tf.Session(hvd.target(), config=hvd.config()))
    optimizer = hvd.DistributedOptimizer(keras.optimizers.RMSprop(lr=0.01), **options)
    model = keras.models.Sequential(make(keras.layers))
    model.compile(loss=keras.losses.mean_squared_error, optimizer=optimizer)

    def batches():
        while True:
            yield x, y

    model.fit_generator(batches(), steps_per_epoch=4, epochs=1, verbose=0, callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0)])  # fmt: skip
    every = hvd.allgather_object(model.get_weights())
    for other in every[1:]:
        for a, b in zip(every[0], other):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    return optimizer


def test_optimizers_of_keras():
    if not keras_has_sessions():
        return
    random = np.random.RandomState(RANK)
    for passes in (1, 2):
        with tf.Graph().as_default():
            optimizer = trained(
                lambda layers: [layers.Dense(2, input_shape=(3,)), layers.RepeatVector(3)],
                random.rand(2, 3), random.rand(2, 3, 2), backward_passes_per_step=passes,
                average_aggregated_gradients=True,
            )  # fmt: skip
            config = optimizer.get_config()
            assert optimizer.from_config(config).get_config() == config
            assert type(optimizer).from_config(config).get_config() == config
    with tf.Graph().as_default():
        trained(
            lambda layers: [layers.Embedding(100, 8, input_length=5)],
            random.randint(0, 100, (4, 5)), random.rand(4, 5, 8), sparse_as_dense=True,
        )  # fmt: skip


if __name__ == "__main__":
    main(globals())
