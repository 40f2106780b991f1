# SPDX-License-Identifier: Apache-2.0
"""A process ends while its threads run steps, and while functions of its steps still run."""

import subprocess
import sys

import pytest

SECONDS = 60

STEPS = """
import sys, threading, time
import sluice as tf
loop = tf.while_loop(lambda i: i < 3000, lambda i: i + 1, [tf.constant(0)])
fed = tf.placeholder(tf.float32, [1000])
session = tf.Session()
session.run(loop)
def go():
    while True:
        session.run([loop, fed], {fed: [1.0] * 1000})
for _ in range(4):
    threading.Thread(target=go, daemon=True).start()
time.sleep(float(sys.argv[1]))
"""

FUNCTION = """
import sys, threading, time
import sluice as tf
entered = threading.Event()
def forever():
    entered.set()
    while True:
        time.sleep(0.001)
never = tf.py_func(forever, [], tf.int64)
session = tf.Session()
threading.Thread(target=lambda: session.run(never), daemon=True).start()
entered.wait()
"""


def ends(program, *arguments):
    command = [sys.executable, "-c", program, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert run.returncode == 0, (run.returncode, run.stderr[-2000:])


@pytest.mark.parametrize("seconds", ["0.1", "0.13", "0.17", "0.2"])
def test_threads_that_run_steps_do_not_keep_a_process(seconds):
    ends(STEPS, seconds)


def test_a_function_that_never_returns_does_not_keep_a_process():
    ends(FUNCTION)
