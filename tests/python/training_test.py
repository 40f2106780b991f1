# SPDX-License-Identifier: Apache-2.0
"""Losses, metrics, initialisers, learning rates, averages, checkpoints, summaries."""

import glob
import os
import struct
import tempfile
import warnings

import functions
import harness
import numpy as np
import sluice as sl
from functions import table, value_of

Y = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
P = np.array([[0.5, 2.0, -1.0], [0.25, -3.0, 1.5]])
W = np.array([[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]])
PROB = np.array([[0.25, 0.5, 0.75], [0.9, 0.1, 0.6]])


def test_losses():
    ls, error = sl.losses, np.abs(P - Y)
    bce = np.maximum(P, 0) - P * Y + np.log1p(np.exp(-np.abs(P)))
    softmax = np.exp(P) / np.exp(P).sum(1, keepdims=True)
    hot = np.eye(3)[[2, 0]]
    smooth = hot * 0.7 + 0.1
    huber = np.where(error <= 1, error**2 / 2, error - 0.5)
    r = ls.Reduction
    table(
        ("mean", lambda: ls.mean_squared_error(Y, P), np.mean((P - Y) ** 2)),
        ("weights", lambda: ls.mean_squared_error(Y, P, W), np.sum((P - Y) ** 2 * W) / 4),
        ("sum", lambda: ls.absolute_difference(Y, P, reduction=r.SUM), error.sum()),
        ("none", lambda: ls.absolute_difference(Y, P, W, reduction=r.NONE), error * W),
        ("by weights", lambda: ls.absolute_difference(Y, P, W, reduction=r.MEAN),
         np.sum(error * W) / W.sum()),
        ("by size", lambda: ls.absolute_difference(Y, P, W, reduction=r.SUM_OVER_BATCH_SIZE),
         np.sum(error * W) / 6),
        ("nothing counts", lambda: ls.absolute_difference(Y, P, 0.0), 0.0),
        ("huber", lambda: ls.huber_loss(Y, P), huber.mean()),
        ("log", lambda: ls.log_loss(Y, PROB),
         np.mean(-Y * np.log(PROB + 1e-7) - (1 - Y) * np.log(1 - PROB + 1e-7))),
        ("hinge", lambda: ls.hinge_loss(Y, P), np.maximum(0, 1 - (2 * Y - 1) * P).mean()),
        ("cosine", lambda: ls.cosine_distance(Y, P, 1), np.mean(1 - np.sum(P * Y, 1))),
        ("sigmoid", lambda: ls.sigmoid_cross_entropy(Y, P), bce.mean()),
        ("softmax", lambda: ls.softmax_cross_entropy(hot, P, label_smoothing=0.3),
         np.mean(-np.sum(smooth * np.log(softmax), 1))),
        ("sparse", lambda: ls.sparse_softmax_cross_entropy([2, 0], P),
         np.mean(-np.log(softmax[[0, 1], [2, 0]]))),
        ("weighted", lambda: ls.compute_weighted_loss([2.0, 4.0], [0.0, 0.5]), 2.0),
    )  # fmt: skip

    def total():
        ls.absolute_difference([1.0], [3.0])
        ls.add_loss(sl.constant(5.0))
        sl.add_to_collection(sl.GraphKeys.REGULARIZATION_LOSSES, sl.constant(0.5))
        assert len(ls.get_losses()) == 2 and len(ls.get_regularization_losses()) == 1
        return ls.get_total_loss()

    table(("all", total, 7.5))

    def slope(loss):
        def gradient():
            p = sl.constant(P, sl.float32)
            return sl.gradients(loss(Y, p), p)[0]

        return gradient

    inside = np.where(error <= 1, P - Y, np.sign(P - Y))
    table(
        ("d mean_squared_error", slope(ls.mean_squared_error), 2 * (P - Y) / 6),
        ("d huber", slope(ls.huber_loss), inside / 6),
        ("d weighted", slope(lambda y, p: ls.sigmoid_cross_entropy(y, p, W)),
         (1 / (1 + np.exp(-P)) - Y) * W / 4),
    )  # fmt: skip
    functions.uses_every_name(ls, "ls", "training_test.py")


def streamed(make, *batches):
    """(value, last update) after updates with each batch."""
    with sl.Graph().as_default(), sl.Session() as session:
        holders = [sl.placeholder(np.asarray(v).dtype, np.shape(v)) for v in batches[0]]
        value, update = make(*holders)
        session.run(sl.local_variables_initializer())
        for batch in batches:
            last = session.run(update, dict(zip(holders, batch)))
        return session.run(value), last


def test_metrics():
    mt = sl.metrics
    one, two = (Y[0], np.round(PROB[0])), (Y[1], np.round(PROB[1]))
    y, p = Y.ravel(), np.round(PROB).ravel()
    hits, said, true = np.sum(y * p), np.sum(p), np.sum(y)
    for name, expected in [
        ("accuracy", np.mean(y == p)),
        ("mean_absolute_error", np.mean(np.abs(y - p))),
        ("mean_squared_error", np.mean((y - p) ** 2)),
        ("root_mean_squared_error", np.sqrt(np.mean((y - p) ** 2))),
        ("true_positives", hits),
        ("false_positives", said - hits),
        ("false_negatives", true - hits),
        ("true_negatives", np.sum((1 - y) * (1 - p))),
        ("precision", hits / said),
        ("recall", hits / true),
    ]:
        value, last = streamed(getattr(mt, name), one, two)
        np.testing.assert_allclose(value, expected, rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(last, expected, rtol=1e-6, err_msg=name)
    assert streamed(mt.mean, ([1.0, 2.0], [1.0, 0.0]), ([3.0, 4.0], [1.0, 2.0]))[0] == 3.0
    found, _ = streamed(mt.mean_tensor, ([1.0, 2.0],), ([3.0, 6.0],))
    assert found.tolist() == [2.0, 4.0]
    found, _ = streamed(lambda x: mt.percentage_below(x, 2.5), ([1.0, 2.0],), ([3.0, 4.0],))
    assert found == 0.5
    found, _ = streamed(lambda y, p: mt.mean_relative_error(y, p, y), ([1.0, 2.0], [2.0, 2.0]))
    assert found == 0.5
    found, matrix = streamed(lambda y, p: mt.mean_iou(y, p, 3), ([0, 1], [0, 1]), ([1, 1], [0, 1]))
    np.testing.assert_allclose(found, (1 / 2 + 2 / 3) / 2)
    assert matrix.tolist() == [[1, 0, 0], [1, 2, 0], [0, 0, 0]]
    names = "accuracy mean_absolute_error mean_squared_error root_mean_squared_error precision"
    names += " recall true_positives false_positives true_negatives false_negatives"
    # Tested elsewhere: measuring/threshold_metrics_test.py, programs/client/measuring/ranked.py.
    training = sl.training
    tested = (*training.threshold_metrics.__all__, *training.ranked_metrics.__all__)
    left = [n for n in mt.__all__ if n not in (*names.split(), *tested)]
    functions.uses_every_name(type("m", (), {"__all__": left}), "mt", "training_test.py")


def test_initialisers():
    i = sl.initializers
    draws = [  # maker, mean, deviation, limit
        (i.random_uniform(-1.0, 3.0, seed=1), 1.0, 4 / np.sqrt(12), 3.0),
        (i.random_normal(1.0, 0.5, seed=1), 1.0, 0.5, None),
        (i.truncated_normal(1.0, 0.5, seed=1), 1.0, 0.44, 2.0),
        (i.glorot_uniform(seed=1), 0.0, np.sqrt(2 / 150), np.sqrt(6 / 150)),
        (i.glorot_normal(seed=1), 0.0, np.sqrt(2 / 150), None),
        (i.he_normal(seed=1), 0.0, np.sqrt(2 / 100), None),
        (i.he_uniform(seed=1), 0.0, np.sqrt(2 / 100), np.sqrt(6 / 100)),
        (i.lecun_normal(seed=1), 0.0, np.sqrt(1 / 100), None),
        (i.lecun_uniform(seed=1), 0.0, np.sqrt(1 / 100), np.sqrt(3 / 100)),
        (i.uniform_unit_scaling(seed=1), 0.0, np.sqrt(1 / 100), np.sqrt(3 / 100)),
        (i.variance_scaling(2.0, "fan_out", "untruncated_normal", 1), 0.0, np.sqrt(2 / 50), None),
    ]
    for n, (initial, mean, deviation, limit) in enumerate(draws):
        drawn = value_of(lambda f=initial: f([100, 50], sl.float32))
        assert abs(drawn.mean() - mean) < 0.05 * max(deviation, 0.5), (n, drawn.mean())
        assert abs(drawn.std() / deviation - 1) < 0.05, (n, drawn.std())
        assert limit is None or np.abs(drawn).max() <= limit * (1 + 1e-6), n
    table(
        ("zeros", lambda: i.zeros()([2]), np.zeros(2)),
        ("ones", lambda: i.ones()([2], sl.int32), [1, 1]),
        ("constant", lambda: i.constant(7)([2]), [7.0, 7.0]),
        ("identity", lambda: i.identity(2.0)([2, 3]), 2 * np.eye(2, 3)),
    )
    q = value_of(lambda: i.orthogonal(seed=1)([2, 3, 8], sl.float64)).reshape(6, 8)
    np.testing.assert_allclose(q @ q.T, np.eye(6), atol=1e-10)
    functions.uses_every_name(i, "i", "training_test.py")


def test_learning_rates():
    t = sl.train
    for step in (0.0, 3.0, 10.0, 25.0):
        n = min(step, 10) / 10
        cycle = 10 * max(1, np.ceil(step / 10))
        run = 0 if step < 10 else 1  # the first takes 10 steps, the second 20
        part = (step - 10 * run) / (10 * 2**run)
        table(
            ("exponential", lambda s=step: t.exponential_decay(0.1, s, 10, 0.5),
             0.1 * 0.5 ** (step / 10)),
            ("stairs", lambda s=step: t.exponential_decay(0.1, s, 10, 0.5, True),
             0.1 * 0.5 ** (step // 10)),
            ("natural", lambda s=step: t.natural_exp_decay(0.1, s, 10, 0.5),
             0.1 * np.exp(-0.05 * step)),
            ("inverse", lambda s=step: t.inverse_time_decay(0.1, s, 10, 0.5),
             0.1 / (1 + 0.05 * step)),
            ("polynomial", lambda s=step: t.polynomial_decay(0.1, s, 10, 0.01, 2.0),
             0.09 * (1 - n) ** 2 + 0.01),
            ("cycle", lambda s=step: t.polynomial_decay(0.1, s, 10, 0.01, cycle=True),
             0.09 * (1 - step / cycle) + 0.01),
            ("piecewise", lambda s=step: t.piecewise_constant(s, [3.0, 10.0], [1.0, 2.0, 3.0]),
             1.0 if step <= 3 else 2.0 if step <= 10 else 3.0),
            ("again", lambda s=step: t.piecewise_constant_decay(s, [3.0], [1.0, 2.0]),
             1.0 if step <= 3 else 2.0),
            ("cosine", lambda s=step: t.cosine_decay(0.1, s, 10, 0.1),
             0.1 * (0.45 * (1 + np.cos(np.pi * n)) + 0.1)),
            ("restarts", lambda s=step: t.cosine_decay_restarts(0.1, s, 10, 2.0, 0.5),
             0.1 * 0.5 ** run * 0.5 * (1 + np.cos(np.pi * part))),
            ("linear", lambda s=step: t.linear_cosine_decay(0.1, s, 10),
             0.1 * ((1 - n) * 0.5 * (1 + np.cos(np.pi * n)) + 0.001)),
            atol=1e-7,
        )  # fmt: skip


def test_moving_averages():
    with sl.Graph().as_default(), sl.Session() as session:
        v = sl.Variable(10.0, name="v")
        loose = v * 2.0
        ema = sl.train.ExponentialMovingAverage(0.5)
        mean = sl.train.ExponentialMovingAverage(0.5, zero_debias=True, name="mean")
        update, update_mean = ema.apply([v]), mean.apply([loose])
        session.run(sl.global_variables_initializer())
        session.run(v.assign(20.0))
        session.run([update, update_mean])
        assert session.run(ema.average(v)) == 15.0
        assert session.run(mean.average(loose)) == 40.0
        assert ema.average_name(v) == "v/ExponentialMovingAverage" == ema.average(v).op.name
        assert ema.variables_to_restore()["v/ExponentialMovingAverage"] is v
        slow = sl.train.ExponentialMovingAverage(0.99, num_updates=0, name="slow")
        update = slow.apply()
        session.run(slow.average(v).initializer)  # with the value that v has now
        session.run(v.assign(30.0))
        session.run(update)
        np.testing.assert_allclose(session.run(slow.average(v)), 0.1 * 20 + 0.9 * 30)


def test_checkpoints():
    for sharded in (False, True):
        with tempfile.TemporaryDirectory() as folder, sl.Graph().as_default():
            a = sl.Variable([1.0, 2.0], name="a")
            b = sl.Variable(np.int64(3), name="b", use_resource=True)
            saver = sl.train.Saver(sharded=sharded, max_to_keep=2)
            prefix = os.path.join(folder, "model")
            with sl.Session() as session:
                session.run(sl.global_variables_initializer())
                for step in range(3):
                    session.run([a.assign([step, 7.0]), b.assign(step)])
                    path = saver.save(session, prefix, global_step=step)
                assert path == f"{prefix}-2" and sl.train.checkpoint_exists(path)
                assert sl.train.latest_checkpoint(folder) == path
                state = sl.train.get_checkpoint_state(folder)
                assert list(state.all_model_checkpoint_paths) == [f"{prefix}-1", path]
                assert not sl.train.checkpoint_exists(f"{prefix}-0")
            with sl.Session() as session:
                saver.restore(session, f"{prefix}-1")
                assert session.run([a, b])[0].tolist() == [1.0, 7.0]
                assert session.run(b) == 1
                lost = lambda: saver.restore(session, prefix + "-9")  # noqa: E731, B023
                harness.raises(ValueError, lost, "model-9")
            assert sl.train.latest_checkpoint(os.path.join(folder, "none")) is None
    with sl.Graph().as_default():
        harness.raises(ValueError, sl.train.Saver, "No variables")


def records(path):
    data, at = open(path, "rb").read(), 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        yield data[at + 12 : at + 12 + size]
        at += size + 16


def test_summaries():
    s = sl.summary
    with tempfile.TemporaryDirectory() as folder, sl.Graph().as_default() as graph:
        with sl.name_scope("train"):
            s.scalar("loss", 1.5)
        s.histogram("weights", [1.0, 2.0])
        s.image("picture", np.zeros((1, 2, 2, 3), np.uint8))
        s.audio("sound", np.zeros((1, 8), np.float32), 8000.0)
        s.text("words", "what is said")
        s.tensor_summary("numbers", [1, 2])
        everything = s.merge_all()
        assert s.merge_all("none") is None
        twice = s.merge([s.scalar("a", 1.0), s.scalar("a/", 1.0)])
        with sl.Session() as session, s.FileWriter(folder, graph) as writer:
            written = session.run(everything)
            for tag in (b"train/loss", b"weights", b"picture/image", b"sound/audio", b"words"):
                assert tag in written, tag
            writer.add_summary(written, 7)
            harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(twice), "uplicate")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            writer.add_summary(written)
            assert "closed" in str(said[0].message)
        writer.reopen()
        writer.add_summary(written, 8)
        writer.close()
        files = sorted(glob.glob(folder + "/events*"))
        events = list(records(files[0]))
        assert len(files) == 2 and b"brain.Event" in events[0]
        assert b"HistogramSummary" in events[1] and events[3].endswith(written)
        assert writer.get_logdir() == folder
        assert s.FileWriterCache.get(folder) is s.FileWriterCache.get(folder)
        s.FileWriterCache.clear()
    functions.uses_every_name(s, "s", "training_test.py")


def test_write_graph():
    with tempfile.TemporaryDirectory() as folder, sl.Graph().as_default() as graph:
        sl.constant(1.0)
        path = sl.train.write_graph(graph, folder, "graph.pb", as_text=False)
        with open(path, "rb") as file:
            assert sl.GraphDef.FromString(file.read()) == graph.as_graph_def()
        path = sl.train.write_graph(graph.as_graph_def(), folder, "graph.pbtxt")
        with open(path) as file:
            assert sl.messages.parse(sl.GraphDef, file.read()) == graph.as_graph_def()


def test_metrics_of_classes_and_vectors():
    mt = sl.metrics
    of_classes = lambda y, p: mt.mean_per_class_accuracy(y, p, 3)  # noqa: E731
    found, last = streamed(of_classes, ([0, 0, 1], [0, 1, 1]), ([2, 1, 2], [0, 1, 2]))
    assert last.tolist() == [0.5, 1.0, 0.5] and abs(found - 2 / 3) < 1e-6
    distance = lambda y, p: mt.mean_cosine_distance(y, p, 1)  # noqa: E731
    found, _ = streamed(distance, ([[1.0, 0.0]], [[1.0, 0.0]]), ([[1.0, 0.0]], [[0.0, 1.0]]))
    assert found == 0.5
