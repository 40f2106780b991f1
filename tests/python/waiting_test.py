# SPDX-License-Identifier: Apache-2.0
"""Waits for tasks that are not up, and Ctrl-C in every phase of a run.

Each program runs in a process of its own: its stderr is read, and it gets real signals.
"""

import concurrent.futures
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.waits

START = """
import os, signal, sys, threading, time
import sluice as sl

def free_port():
    import socket
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]

def say(text):
    print(text, flush=True)

def interrupted(run):
    say("running")
    try:
        run()
        say("went through")
    except KeyboardInterrupt:
        say("interrupted")
"""


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


def start(program, **environment):
    env = {**os.environ, **environment}
    return subprocess.Popen(
        [sys.executable, "-c", START + program], env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(process):
    try:
        return process.communicate(timeout=60)
    finally:
        process.kill()


# ---- tasks that are not up

NO_TARGET = """
session = sl.Session("grpc://localhost:PORT", config=sl.ConfigProto(connect_timeout_in_ms=5500))
began = time.monotonic()
try:
    session.run(sl.constant(1))
except sl.errors.UnavailableError as error:
    say(f"after {time.monotonic() - began:.0f}: {error}")
"""
NO_PS = """
server = sl.train.Server({"worker": ["localhost:0"], "ps": ["localhost:PORT"]}, "worker", 0)
TARGET
began = time.monotonic()
try:
    sl.Session(target).run(sl.constant(1))
except sl.errors.AbortedError as error:
    say(f"after {time.monotonic() - began:.0f}: {error}")
"""
SERVE = """
server = sl.train.Server({"worker": ["localhost:0"], "ps": ["localhost:PORT"]}, "worker", 0)
say(server.target)
time.sleep(60)
"""
LATE_TARGET = """
session = sl.Session("grpc://localhost:PORT")
servers = []
def serve():
    servers.append(sl.train.Server({"worker": ["localhost:PORT"]}))
threading.Timer(1.5, serve).start()
say(session.run(sl.constant(5)))
os._exit(0)
"""


def test_a_target_that_is_not_up():
    port = str(free_port())
    out, err = finish(start(NO_TARGET.replace("PORT", port)))
    assert f"waiting for the server at localhost:{port}, 5 s" in err, err
    assert out.startswith(("after 5:", "after 6:")), out
    for text in (f"localhost:{port}", "cannot be reached", "onnection refused", "connect_timeout"):
        assert text in out, (text, out)


def test_the_environment_sets_the_time_budget():
    program = NO_TARGET.replace("PORT", str(free_port())).replace("connect_timeout_in_ms=5500", "")
    out, _ = finish(start(program, SLUICE_CONNECT_TIMEOUT="0.5"))
    assert out.startswith(("after 0:", "after 1:")), out
    _, err = finish(start(program, SLUICE_CONNECT_TIMEOUT="soon"))
    assert "SLUICE_CONNECT_TIMEOUT" in err and "soon" in err, err


def test_a_task_that_the_master_waits_for():
    port = str(free_port())
    server = start(SERVE.replace("PORT", port))
    try:
        there = server.stdout.readline().strip()
        for target in ("server.target", repr(there)):
            program = NO_PS.replace("PORT", port).replace("TARGET", f"target = {target}")
            out, err = finish(start(program, SLUICE_CONNECT_TIMEOUT="5.5"))
            said = [line for line in err.splitlines() if "waiting for" in line]
            assert len(said) == 1, err
            assert said[0].endswith(f"waiting for /job:ps/task:0 at localhost:{port}, 5 s"), said
            assert out.startswith(("after 5:", "after 6:")), out
            for text in ("/job:ps/replica:0/task:0", f"localhost:{port}"):
                assert text in out, (text, out)
            # Which of the two it is depends on how busy the machine is.
            assert "onnection refused" in out or "did not answer in time" in out, out
    finally:
        server.kill()


def test_a_target_that_comes_up_late():
    out, err = finish(start(LATE_TARGET.replace("PORT", str(free_port()))))
    assert out.splitlines()[-1] == "5", (out, err)


# ---- Ctrl-C

LONG = "slow = sl.while_loop(lambda i: i < 10**9, lambda i: i + 1, [0])\n"
QUEUE = 'queue = sl.FIFOQueue(1, [sl.int32], [[]], name="q")\nslow = queue.dequeue()\n'
SERVER = """
server = sl.train.Server({"worker": ["localhost:0"]})
session = sl.Session(server.target)
"""
PHASES = {
    "a long step in process": LONG + "session = sl.Session()\n",
    "a dequeue in process": QUEUE + "session = sl.Session()\n",
    "a long step on a server of this process": LONG + SERVER,
    "a dequeue on a server of this process": QUEUE + SERVER,
    "a long step over the network": LONG + 'session = sl.Session("THERE")\n',
    "a dequeue over the network": QUEUE + 'session = sl.Session("THERE")\n',
}  # fmt: skip
# Kernels that a GPU takes 5 s to run.
KERNELS = """
with sl.device("/device:GPU:0"):
    slow = sl.placeholder_with_default(1.0, [])
    for _ in range(1000):
        slow = -slow
session = sl.Session("THERE")
"""
AGAIN = """
say(session.run(sl.constant(7)))  # before
interrupted(lambda: session.run(slow))
say(session.run(sl.constant(8)))
"""
WAITS = {
    "a wait for the target": 'session = sl.Session("grpc://localhost:PORT")\n',
    "a wait for a task": """
server = sl.train.Server({"worker": ["localhost:0"], "ps": ["localhost:PORT"]}, "worker", 0)
session = sl.Session(server.target)
""",
    "a wait for another thread's wait": """
session = sl.Session("grpc://localhost:PORT")
one = sl.constant(1)
threading.Thread(target=lambda: session.run(one), daemon=True).start()
time.sleep(0.3)
""",
}
WAIT = """
late = sl.constant(9)
interrupted(lambda: session.run(late))
interrupted(lambda: session.list_devices())
os._exit(0)
"""


def ctrl_c(process, times):
    """Sends SIGINT 0.7 s after each "running"; how long it took until "interrupted"."""
    took, lines = [], []
    for line in process.stdout:
        lines.append(line.strip())
        if line.strip() == "running":
            time.sleep(0.7)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
        elif line.strip() == "interrupted":
            took.append(time.monotonic() - began)
    _, err = finish(process)
    assert len(took) == times and max(took) < 2, (took, lines, err)
    return lines


def all_at_once(programs, check):
    with concurrent.futures.ThreadPoolExecutor(len(programs)) as pool:
        done = {name: pool.submit(check, program) for name, program in programs.items()}
        for name, one in done.items():
            try:
                one.result()
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None


def test_ctrl_c_ends_a_step_and_the_session_goes_on():
    server = start(SERVE.replace(', "ps": ["localhost:PORT"]', ""))
    there = server.stdout.readline().strip()

    def check(program):
        lines = ctrl_c(start(program.replace("THERE", there) + AGAIN), 1)
        assert lines == ["7", "running", "interrupted", "8"], lines

    try:
        all_at_once(PHASES, check)
    finally:
        server.kill()


def test_ctrl_c_ends_a_step_whose_kernels_run():
    program = os.path.join(os.environ["SLUICE_BUILD"], "tests", "sluice-server-cuda-double")
    if not os.path.exists(program):
        pytest.skip("the build has no server on the CUDA double")
    port = free_port()
    server = subprocess.Popen(
        [program, "--cluster", f'{{"worker": ["localhost:{port}"]}}', "--job", "worker"],
        env={**os.environ, "SLUICE_CUDA_DOUBLE": "devices=1,megabytes=512,delay=20000"},
        stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert b"listens" in server.stdout.readline()
        program = KERNELS.replace("THERE", f"grpc://localhost:{port}") + AGAIN
        lines = ctrl_c(start(program), 1)
        assert lines == ["7", "running", "interrupted", "8"], lines
    finally:
        server.kill()


def test_ctrl_c_ends_a_wait():
    def check(program):
        ctrl_c(start(program.replace("PORT", str(free_port())) + WAIT), 2)

    all_at_once(WAITS, check)
