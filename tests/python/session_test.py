# SPDX-License-Identifier: Apache-2.0
"""Graphs, sessions, variables and errors of the Python client, in this process."""

import os
import signal
import threading
import time

import harness
import numpy as np
import pytest
import sluice as sl

pytestmark = pytest.mark.alone


def session_of(build, **options):
    graph = sl.Graph()
    with graph.as_default():
        result = build()
    return sl.Session(graph=graph, **options), result


def test_feeds_and_nested_fetches():
    def build():
        x = sl.placeholder(sl.float32, [None, 2])
        return x, x * 2.0 + 1.0, sl.reduce_sum(x)

    session, (x, y, total) = session_of(build)
    with session:
        out = session.run({"y": y, "both": [total, (y, y.op)]}, {x: [[1, 2]]})
    np.testing.assert_allclose(out["y"], [[3, 5]])
    assert out["both"][0] == 3 and out["both"][1][1] is None


def test_every_dtype_goes_in_and_out():
    def build():
        types = [np.float32, np.float64, np.int32, np.uint8, np.int16, np.int8, np.complex64]
        types += [np.int64, np.bool_, np.float16, np.uint16, np.uint32, np.uint64, np.complex128]
        holders = [sl.placeholder(t) for t in types]
        return types, holders, [sl.identity(h) for h in holders]

    session, (types, holders, outs) = session_of(build)
    with session:
        feeds = {h: np.array([[0, 1], [1, 0]], t) for h, t in zip(holders, types)}
        for value, expected in zip(session.run(outs, feeds), feeds.values()):
            assert value.dtype == expected.dtype
            np.testing.assert_array_equal(value, expected)


def test_strings():
    session, y = session_of(lambda: sl.identity(sl.constant([["a", "bc"], ["", "d\u00e9"]])))
    with session:
        assert session.run(y).tolist() == [[b"a", b"bc"], [b"", "d\u00e9".encode()]]


def test_fed_array_is_not_kept():
    def build():
        v = sl.Variable(np.zeros(4096, np.float32))
        x = sl.placeholder(sl.float32, [4096])
        return v, x, v.assign(x)

    session, (v, x, set_v) = session_of(build)
    with session:
        batch = np.ones(4096, np.float32)
        session.run(set_v.op, {x: batch})
        batch[:] = 7
        assert session.run(v)[5] == 1


def test_fetched_array_is_the_callers():
    session, (c, v) = session_of(lambda: (sl.constant(np.ones(9)), sl.Variable(np.ones(9))))
    with session:
        session.run(v.initializer)
        for fetch in (c, v):
            value = session.run(fetch)
            value += 1
            np.testing.assert_array_equal(session.run(fetch), np.ones(9))


def test_variables_of_both_kinds():
    for resource in (False, True):

        def build(resource=resource):
            v = sl.Variable([1.0, 2.0], name="v", use_resource=resource)
            return v, v.assign_add([1.0, 1.0]), v + 1.0, sl.global_variables_initializer()

        session, (v, add, plus, init) = session_of(build)
        with session:
            harness.raises(sl.errors.FailedPreconditionError, lambda s=session, v=v: s.run(v), "v")
            session.run(init)
            np.testing.assert_allclose(session.run(add), [2, 3])
            np.testing.assert_allclose(session.run(plus), [3, 4])


def test_errors_have_their_classes():
    def build():
        x = sl.placeholder(sl.float32, [2], name="x")
        return x, sl.reshape(x * 1.0, sl.placeholder(sl.int32, name="shape"))

    session, (x, y) = session_of(build)
    with session:
        feed = {x: [1.0, 2.0]}
        error = sl.errors.InvalidArgumentError
        harness.raises(error, lambda: session.run(y, feed), "feed a value", "'shape'")
        harness.raises(error, lambda: session.run(y, {**feed, "shape:0": [5]}), "Reshape")
        harness.raises(ValueError, lambda: session.run(y, {x: np.zeros(3)}), "x:0")
    harness.raises(RuntimeError, lambda: session.run(y, feed), "closed")


def test_bad_nodes_are_refused_when_they_are_made():
    with sl.Graph().as_default():
        a = sl.placeholder(sl.float32, [2, 3])
        harness.raises(ValueError, lambda: sl.matmul(a, a), "MatMul")
        harness.raises(TypeError, lambda: sl.raw_ops.MatMul(a=a), "b")
        harness.raises(TypeError, lambda: sl.add(a, sl.constant([1, 2])), "int32")


def test_scopes():
    with sl.Graph().as_default():
        with sl.name_scope("a"), sl.device("/job:ps"), sl.device("/task:1/cpu:0"):
            first = sl.constant(1.0)
            with sl.device(None):
                free = sl.constant(1.0)
        with sl.name_scope("a"):
            second = sl.constant(1.0)
        with sl.control_dependencies([first]):
            third = sl.identity(second)
            fourth = third + 1.0
        assert first.op.name == "a/Const" and second.op.name == "a_1/Const"
        assert first.device == "/job:ps/task:1/device:CPU:0" and free.device == ""
        assert [c.name for c in third.op.control_inputs] == ["a/Const"]
        assert fourth.op.control_inputs == []  # it waits for third already


def test_replica_device_setter():
    cluster = {"ps": ["a:1", "b:2"], "worker": ["c:3"]}
    setter = sl.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:0")
    with sl.Graph().as_default(), sl.device(setter):
        v = sl.Variable([1.0])
        w = sl.Variable([1.0], use_resource=True)
        y = v * w
        (grad,) = sl.gradients(y, [v])
    assert v.device == "/job:ps/task:0" and w.device == "/job:ps/task:1"
    assert v.initializer.device == v.device
    assert y.device == grad.device == "/job:worker/task:0"


def test_devices_and_later_nodes():
    graph = sl.Graph()
    config = sl.ConfigProto(device_count={"CPU": 2})
    with graph.as_default(), sl.Session(config=config) as session:
        names = [d.name for d in session.list_devices()]
        assert [n.rsplit("/", 1)[1] for n in names] == ["device:CPU:0", "device:CPU:1"]
        with sl.device("/cpu:1"):
            x = sl.constant(2.0)
        assert session.run(x) == 2
        assert session.run(x + 3.0) == 5


def test_a_node_on_a_gpu_that_is_not_there():
    graph = sl.Graph()
    with graph.as_default(), sl.Session() as session:
        if any(device.device_type == "GPU" for device in session.list_devices()):
            pytest.skip("this machine has a GPU")
        with sl.device("/device:GPU:0"):
            x = sl.constant(2.0, name="x")
        with pytest.raises(sl.errors.InvalidArgumentError) as raised:
            session.run(x)
    for text in [
        "Cannot assign a device for operation x: {{node x}} was explicitly assigned to "
        "/device:GPU:0 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]."
        " Make sure the device specification refers to a valid device.",
        "The requested device appears to be a GPU, but no task has one",
    ]:
        assert text in str(raised.value)


def test_servers_apply_the_options_for_gpus():
    def start(device_count=None, **options):
        config = sl.ConfigProto(
            gpu_options=sl.GPUOptions(**options), device_count=device_count or {}
        )
        return sl.train.Server({"a": ["localhost:0"]}, config=config)

    with pytest.raises(sl.errors.InvalidArgumentError, match="gpu_options: .*fraction 1.5"):
        start(per_process_gpu_memory_fraction=1.5)
    with pytest.raises(sl.errors.InvalidArgumentError, match="gpu_options: visible GPUs"):
        start(visible_device_list="0,x")
    # A machine without GPUs ignores them.
    server = start({"GPU": 0}, visible_device_list="0", allow_growth=True)
    with sl.Session(server.target, graph=sl.Graph()) as session:
        assert [device.device_type for device in session.list_devices()] == ["CPU"]
    server.stop()


def test_random_numbers_repeat():
    def draw():
        def build():
            sl.set_random_seed(7)
            return sl.truncated_normal([100], seed=3), sl.random_uniform([5], seed=1)

        session, both = session_of(build)
        with session:
            return session.run(both)

    (a, u), (b, _) = draw(), draw()
    np.testing.assert_array_equal(a, b)
    assert np.abs(a).max() < 2 and 0 <= u.min() and u.max() < 1


def test_threads_share_a_session():
    session, y = session_of(lambda: sl.reduce_sum(sl.ones([100, 100])))
    with session:
        results = []
        threads = [
            threading.Thread(target=lambda: results.extend(session.run(y) for _ in range(50)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [10000] * 200


def test_ctrl_c_ends_the_step():
    def heavy():
        x = sl.ones([1500, 1500])
        for _ in range(60):
            x = sl.matmul(x, x) * 1e-3
        return sl.reduce_sum(x)

    session, y = session_of(heavy)
    with session:
        small = session.graph.get_tensor_by_name("ones:0")
        session.run(small)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.time()
        harness.raises(KeyboardInterrupt, lambda: session.run(y))
        assert time.time() - begin < 2.5
        assert session.run(small)[0, 0] == 1


def test_wrong_fetches_and_sessions_name_the_error():
    with sl.Graph().as_default():
        theirs = sl.constant(1, name="theirs")
    with sl.Graph().as_default():
        mine = sl.constant(2, name="mine")
        with sl.Session() as session:
            for fetch in (theirs, theirs.op):
                error = harness.raises(ValueError, lambda f=fetch: session.run(f), "theirs")
                assert repr(theirs.graph) in str(error) and repr(mine.graph) in str(error)
            harness.raises(ValueError, lambda: session.run("nobody:0"), "nobody")
            assert session.run([]) == [] and session.run({"a": []}) == {"a": []}
        harness.raises(RuntimeError, lambda: session.run(mine), "Attempted to use a closed Session")
        harness.raises(TypeError, lambda: sl.Session(5), "target must be a string", "int")
        harness.raises(TypeError, lambda: sl.Session(graph=5), "graph must be a tf.Graph", "int")
        harness.raises(TypeError, lambda: sl.Session(config=5), "ConfigProto", "int")
