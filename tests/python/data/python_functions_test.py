# SPDX-License-Identifier: Apache-2.0
"""Python functions in the graph: where they run, and how they end."""

import contextlib
import gc
import os
import re
import subprocess
import sys
import threading
import time
import weakref

import harness
import numpy as np
import sluice as sl

SERVER = os.path.join(os.environ["SLUICE_BUILD"], "sluice-server")


@contextlib.contextmanager
def server():
    """The target of a server of another process."""
    command = [SERVER, "--cluster", '{"local": ["localhost:0"]}']
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield re.search(r"grpc://\S+:\d+", process.stdout.readline()).group()
        finally:
            process.terminate()


def test_a_server_of_another_process_refuses_them_by_name():
    with sl.Graph().as_default():
        y = sl.py_func(lambda x: x, [1.0], sl.float32, name="mine")
        with server() as target, sl.Session(target) as session:
            error = harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(y))
    assert "mine" in error.message and "PyFunc" in error.message, error.message
    assert "none runs on a server" in error.message, error.message


def test_a_server_of_this_process_runs_them():
    server = sl.train.Server({"local": ["localhost:0"]})
    with sl.Graph().as_default():
        y = sl.py_func(lambda x: x + np.float32(1), [1.0], sl.float32)
        with sl.Session(server.target) as session:
            assert session.run(y) == 2
    server.stop()


def test_they_live_as_long_as_the_graph():
    class Function:
        def __call__(self):
            return np.float32(1)

    function = Function()
    kept = weakref.ref(function)
    with sl.Graph().as_default() as graph:
        y = sl.py_func(function, [], sl.float32)
        exported = graph.as_graph_def()
        del function
        gc.collect()
        with sl.Session() as session:
            assert session.run(y) == 1
    name = y.name
    del y, session, graph
    gc.collect()
    assert kept() is None
    with sl.Graph().as_default():
        (y,) = sl.import_graph_def(exported, return_elements=[name])
        with sl.Session() as session:
            error = harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(y))
    assert "is not found" in error.message, error.message


def test_functions_may_wait_for_each_other():
    barrier = threading.Barrier(6)
    with sl.Graph().as_default():
        calls = [sl.py_func(lambda: barrier.wait(20), [], sl.int64) for _ in range(6)]
        with sl.Session() as session:
            assert sorted(session.run(calls)) == list(range(6))


def test_a_function_runs_the_session_that_calls_it():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.int64, [])

        def call(v):
            return v if v == 0 else session.run(deeper, {x: v - 1}) + v

        deeper = sl.py_func(call, [x], sl.int64)
        with sl.Session() as session:
            assert session.run(deeper, {x: 12}) == 78


def test_a_step_that_times_out_does_not_wait():
    go_on = threading.Event()
    with sl.Graph().as_default():
        y = sl.py_func(lambda: go_on.wait(20), [], sl.bool)
        with sl.Session() as session:
            options = sl.RunOptions(timeout_in_ms=200)
            before = time.monotonic()
            harness.raises(sl.errors.DeadlineExceededError, lambda: session.run(y, options=options))
            assert time.monotonic() - before < 10
            go_on.set()


ENDS = """
import time
import sluice as sl

def forever():
    while True:
        yield 1
        time.sleep(0.05)

data = sl.data.Dataset.from_generator(forever, sl.int64, []).prefetch(100)
value = data.make_one_shot_iterator().get_next()
session = sl.Session()
print(session.run(value), flush=True)
"""


def test_a_program_ends_while_its_generator_runs():
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", ""), done
