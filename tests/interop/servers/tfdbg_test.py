# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's debugger (tfdbg) on our servers: its own tests, its session wrappers, its hooks.

The dumps are files, read by the TensorFlow that runs this test.
"""

import contextlib
import glob
import io
import os
import re
import shutil
import sys
import tempfile
import unittest

import numpy as np
import pytest
from tensorflow.core.util import event_pb2
from tensorflow.python import debug as tf_debug
from tensorflow.python.client import session as tf_session
from tensorflow.python.debug.lib import debug_data, debug_utils, session_debug_testlib

from interop.programs.models import tf
from interop.tools.cluster import Cluster

tf.disable_v2_behavior()

CPU = "/job:worker/replica:0/task:0/device:CPU:0"


@contextlib.contextmanager
def sessions_at(target):
    """Sessions without a target are of `target`, each with variables of its own."""
    initialize = tf_session.Session.__init__

    def patched(self, target_="", graph=None, config=None):
        alone = tf.ConfigProto(isolate_session_state=True)
        if config is not None:
            alone.MergeFrom(config)
        initialize(self, target_ or target, graph, alone)

    tf_session.Session.__init__ = patched
    try:
        yield
    finally:
        tf_session.Session.__init__ = initialize


class DumpsToFiles(session_debug_testlib.SessionDebugTestBase):
    """TensorFlow's own tests of its debugger, with files."""
    __test__ = False  # test_tensorflows_own_tests runs it

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls._main_device = CPU

    def _debug_urls(self, run_number=None):
        return ["file://" + self._debug_dump_dir(run_number)]

    def _debug_dump_dir(self, run_number=None):
        return self._dump_root if run_number is None else f"{self._dump_root}/run_{run_number}"


class DumpsOfConcurrentRuns(session_debug_testlib.DebugConcurrentRunCallsTest):
    __test__ = False  # test_tensorflows_own_tests runs it
    _num_concurrent_runs = 3

    def setUp(self):
        super().setUp()
        self._dump_roots = [tempfile.mkdtemp() for _ in range(self._num_concurrent_runs)]

    def _get_concurrent_debug_urls(self):
        return ["file://" + root for root in self._dump_roots]


def test_tensorflows_own_tests(checks, target):
    """TensorFlow's tests, each a check."""
    loader = unittest.defaultTestLoader
    with sessions_at(target):
        for case in (DumpsToFiles, DumpsOfConcurrentRuns):
            case.setUpClass()
            for test in loader.loadTestsFromTestCase(case):
                result = unittest.TestResult()
                test(result)
                wrong = [text for _, text in result.errors + result.failures]
                checks.check(test.id().split(".")[-1], not wrong, "\n".join(wrong)[-1500:])


class Net:
    """Logistic regression whose second step divides by zero."""

    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2], name="x")
        self.w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        self.rate = tf.get_variable("rate", [], initializer=tf.ones_initializer(), trainable=False)
        self.y = tf.matmul(self.x, self.w, name="y")
        self.ratio = tf.divide(self.y, self.rate, name="ratio")
        self.loss = tf.reduce_mean(tf.square(self.ratio), name="loss")
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.feeds = {self.x: [[1.0, 2.0], [3.0, 4.0]]}


@contextlib.contextmanager
def folder():
    path = tempfile.mkdtemp(prefix="tfdbg_test_")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def scripted(*lines):
    """Runs with these lines typed; gives the list that takes what was printed."""
    typed, printed, shown = sys.stdin, sys.stdout, []
    sys.stdin, sys.stdout = io.StringIO("".join(line + "\n" for line in lines)), io.StringIO()
    try:
        yield shown
    finally:
        shown.append(sys.stdout.getvalue())
        sys.stdin, sys.stdout = typed, printed


def test_command_line(target):
    """LocalCLIDebugWrapperSession: runs, prints tensors, stops at the first NaN or infinity."""
    with tf.Graph().as_default(), folder() as home:
        net = Net()
        with tf.Session(target) as plain:
            plain.run(tf.global_variables_initializer())
            session = tf_debug.LocalCLIDebugWrapperSession(
                plain, ui_type="readline", dump_root=os.path.join(home, "dump")
            )
            session.add_tensor_filter("has_inf_or_nan", tf_debug.has_inf_or_nan)
            with scripted("run", "lt", "pt y:0", "ni -a y", "run") as shown:
                loss = session.run(net.loss, net.feeds)
            assert loss == (3.0**2 + 7.0**2) / 2, loss
            text = shown[0]
            assert "y:0" in text and "[[3.]" in text and "[7.]]" in text, text
            assert "MatMul" in text, text
            plain.run(net.rate.assign(0.0))
            with scripted("run -f has_inf_or_nan", "lt -f has_inf_or_nan", "exit") as shown:
                with contextlib.suppress(SystemExit):
                    session.run(net.loss, net.feeds)
            assert "ratio:0" in shown[0] and "y:0:DebugIdentity" not in shown[0], shown[0]


def test_profile_of_a_run(target):
    """`run -p`, and the table of what took how long."""
    with tf.Graph().as_default(), folder() as home:
        net = Net()
        with tf.Session(target) as plain:
            plain.run(tf.global_variables_initializer())
            session = tf_debug.LocalCLIDebugWrapperSession(
                plain, ui_type="readline", dump_root=os.path.join(home, "dump")
            )
            with scripted("run -p", "lp", "ps " + __file__, "run") as shown:
                session.run(net.loss, net.feeds)
            assert "MatMul" in shown[0] and "Total Time" in shown[0], shown[0]


def test_dumping_session(target):
    """DumpingDebugWrapperSession: a folder a step, read back with its graph and its feeds."""
    with tf.Graph().as_default(), folder() as root:
        net = Net()
        with tf.Session(target) as plain:
            plain.run(tf.global_variables_initializer())
            session = tf_debug.DumpingDebugWrapperSession(plain, root)
            for _ in range(20):  # more than the servers keep graphs of
                session.run([net.loss, net.train], net.feeds)
        steps = sorted(glob.glob(root + "/run_*"), key=lambda path: int(path.split("_")[-1]))
        assert len(steps) == 20, steps
        for path in steps:
            dump = tf_debug.DebugDumpDir(path)
            assert dump.loaded_partition_graphs() and dump.devices() == [CPU], dump.devices()
            assert "loss" in dump.run_fetches_info and "x:0" in dump.run_feed_keys_info
            assert dump.core_metadata.input_names == ["x:0"], dump.core_metadata
            assert not dump.find(tf_debug.has_inf_or_nan)
        first = tf_debug.DebugDumpDir(steps[0])
        np.testing.assert_allclose(
            first.get_tensors("y", 0, "DebugIdentity"), [[[3.0], [7.0]]], rtol=1e-6
        )
        assert first.node_op_type("y") == "MatMul"
        assert "w/read" in [re.sub(":.*", "", name) for name in first.transitive_inputs("loss")]


def test_hooks(target):
    """DumpingDebugHook and LocalCLIDebugHook in a MonitoredSession."""
    with tf.Graph().as_default(), folder() as root:
        net = Net()
        hook = tf_debug.DumpingDebugHook(root)
        creator = tf.train.ChiefSessionCreator(master=target)
        with tf.train.MonitoredSession(creator, hooks=[hook]) as session:
            for _ in range(2):
                session.run(net.train, net.feeds)
        assert len(glob.glob(root + "/run_*")) == 2
        tf_debug.DebugDumpDir(glob.glob(root + "/run_*")[0]).get_tensors("y", 0, "DebugIdentity")
    with tf.Graph().as_default(), folder() as home:
        net = Net()
        hook = tf_debug.LocalCLIDebugHook("readline", dump_root=os.path.join(home, "dump"))
        hook.add_tensor_filter("has_inf_or_nan", tf_debug.has_inf_or_nan)
        creator = tf.train.ChiefSessionCreator(master=target)
        with scripted("run", "pt y:0", "run", "run", "run", "run") as shown:
            with tf.train.MonitoredSession(creator, hooks=[hook]) as session:
                session.run(net.train, net.feeds)
        assert "[[3.]" in shown[0], shown[0]


def watched(session, fetches, feeds, root, ops=("DebugIdentity",), **more):
    """A step with all tensors watched; its dump."""
    options = tf.RunOptions(output_partition_graphs=True)
    debug_utils.watch_graph(
        options, session.graph, debug_ops=list(ops), debug_urls=["file://" + root], **more
    )
    metadata = tf.RunMetadata()
    session.run(fetches, feeds, options=options, run_metadata=metadata)
    return debug_data.DebugDumpDir(root, partition_graphs=metadata.partition_graphs)


def check_several_tasks(target):
    """Each task writes what it computed, with the folder of its device."""
    with tf.Graph().as_default(), folder() as root:
        with tf.device("/job:ps"):
            v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        with tf.device("/job:worker/task:0"):
            y = tf.multiply(v, 3.0, name="y")
        with tf.device("/job:worker/task:1"):
            z = tf.add(y, 1.0, name="z")
        with tf.Session(target) as session:
            session.run(v.initializer)
            dump = watched(session, z, None, root)
        tasks = {"v": ("ps", 0), "y": ("worker", 0), "z": ("worker", 1)}
        values = {"v": [1, 1], "y": [3, 3], "z": [4, 4]}
        for name, task in tasks.items():
            device = "/job:%s/replica:0/task:%d/device:CPU:0" % task
            assert dump.node_device(name) == device, (name, dump.node_device(name))
            found = dump.get_tensors(name, 0, "DebugIdentity", device_name=device)
            np.testing.assert_array_equal(found, [values[name]])


def test_loops_and_branches(target):
    """A value each iteration; dead branches write nothing."""
    with tf.Graph().as_default(), folder() as root:
        p = tf.placeholder(tf.bool, [], name="p")
        i = tf.while_loop(lambda i: i < 4, lambda i: i + 1, [tf.constant(0)], name="loop")
        r = tf.cond(p, lambda: tf.add(i, 10, name="then"), lambda: tf.add(i, 20, name="else"))
        with tf.Session(target) as session:
            dump = watched(session, r, {p: True}, root)
        values = [int(v) for v in dump.get_tensors("loop/Identity", 0, "DebugIdentity")]
        assert values == [0, 1, 2, 3], values
        assert [int(v) for v in dump.get_tensors("cond/then", 0, "DebugIdentity")] == [14]
        assert not dump.debug_watch_keys("cond/else")


def test_counts(target):
    """DebugNanCount, of every type that it takes."""
    with tf.Graph().as_default(), folder() as root:
        values = tf.placeholder(tf.float32, [3], name="values")
        same = {t: tf.cast(values, t, name="as_" + t) for t in ("float16", "float64", "int32")}
        total = tf.add_n([tf.cast(v, tf.float32) for v in same.values()])
        feeds = {values: [1.0, np.nan, np.nan]}
        with tf.Session(target) as session:
            dump = watched(
                session,
                total,
                feeds,
                root,
                ["DebugNanCount"],
                tolerate_debug_op_creation_failures=True,
            )
        for t, count in (("float16", 2), ("float64", 2), ("int32", 0)):
            assert [int(c) for c in dump.get_tensors("as_" + t, 0, "DebugNanCount")[0]] == [count]


def test_refusals(target):
    """Errors: the URL's scheme, a full disk, a partial run."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.negative(x, name="y")

        def run(url):
            options = tf.RunOptions()
            debug_utils.add_debug_tensor_watch(options, "y", debug_urls=[url])
            try:
                session.run(y, {x: 1.0}, options=options)
            except tf.errors.OpError as error:
                return error
            return None

        with tf.Session(target) as session:
            error = run("grpc://localhost:1")
            assert isinstance(error, tf.errors.UnimplementedError), error
            assert "grpc://localhost:1" in error.message, error
            error = run("file:///proc/nothing")
            assert error is not None and "/proc/nothing" in error.message, error
            assert session.run(y, {x: 1.0}) == -1.0


def check_limited(target):
    """The server takes 100 bytes of dumps; resetting the count lets it go on."""
    with tf.Graph().as_default(), folder() as root:
        y = tf.negative(tf.placeholder_with_default(np.ones(20, np.float32), [20]), name="y")
        with tf.Session(target) as session:

            def run(reset):
                options = tf.RunOptions()
                debug_utils.add_debug_tensor_watch(options, "y", debug_urls=["file://" + root])
                options.debug_options.reset_disk_byte_usage = reset
                session.run(y, options=options)

            run(False)
            try:
                run(False)
            except tf.errors.ResourceExhaustedError as error:
                assert "TFDBG_DISK_BYTES_LIMIT" in error.message, error
            else:
                raise AssertionError("160 bytes were written")
            run(True)


def test_events(target):
    """One event: what readers of the files rely on beside the tensor."""
    with tf.Graph().as_default(), folder() as root:
        y = tf.negative(tf.placeholder_with_default([1.5], [1]), name="scope/y")
        with tf.Session(target) as session:
            watched(session, y, None, root, global_step=7)
        folder_of = "/_tfdbg_device_,job_worker,replica_0,task_0,device_CPU_0/"
        (path,) = glob.glob(root + folder_of + "scope/y_0_DebugIdentity_*")
        with open(path, "rb") as file:
            event = event_pb2.Event.FromString(file.read())
        assert str(int(event.wall_time)) == path.split("_")[-1], (path, event)
        value = event.summary.value[0]
        assert (value.tag, value.node_name) == ("scope/y", "scope/y:0:DebugIdentity"), value
        assert value.metadata.plugin_data.plugin_name == "debugger", value
        assert CPU in value.metadata.plugin_data.content.decode(), value
        names = os.listdir(root)
        assert any(re.match(r"_tfdbg_core_metadata_sessionrun\d{14}_\d+$", n) for n in names), names


def test_copies_of_nothing(target):
    """A Copy that a program itself puts behind a variable without a value is refused."""
    with tf.Graph().as_default() as graph:
        v = tf.get_variable("never_assigned", [2])
        attrs = {"T": tf.AttrValue(type=tf.float32.as_datatype_enum)}
        copy = graph.create_op("Copy", [v._ref()], [tf.float32], attrs=attrs)
        y = tf.negative(copy.outputs[0])
        with tf.Session(target) as session:
            try:
                session.run(y)
            except tf.errors.FailedPreconditionError as error:
                assert "never_assigned" in error.message, error
            else:
                raise AssertionError("a variable without a value was read")


JOBS = {"worker": 1}


@pytest.fixture(scope="module", autouse=True)
def home():
    """The command line keeps its history there."""
    before = os.environ.get("HOME")
    os.environ["HOME"] = tempfile.mkdtemp()
    yield
    shutil.rmtree(os.environ["HOME"])
    os.environ["HOME"] = before or "/"


def test_several_tasks():
    with Cluster({"ps": 1, "worker": 2}) as three:
        check_several_tasks(three.target())


def test_limited():
    os.environ["TFDBG_DISK_BYTES_LIMIT"] = "100"
    try:
        with Cluster({"worker": 1}) as small:
            check_limited(small.target())
    finally:
        del os.environ["TFDBG_DISK_BYTES_LIMIT"]
