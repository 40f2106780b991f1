# SPDX-License-Identifier: Apache-2.0
"""The task of this process, as TF_CONFIG describes it, and sessions on the task's server.

    TF_CONFIG='{"cluster": {"worker": ["localhost:2222", "localhost:2223"]},
                "task": {"type": "worker", "index": 0}}'

Every worker runs the same program. It builds its own graph and opens a session on the server of its
own task. Only collective operations connect the workers.
"""

import faulthandler
import json
import os
import threading

# A step that takes longer fails with DEADLINE_EXCEEDED.
STEP_SECONDS = 30
# After this time the process prints the stacks of its threads and ends.
PROCESS_SECONDS = 50
faulthandler.enable()
faulthandler.dump_traceback_later(PROCESS_SECONDS, exit=True)

import tensorflow.compat.v1 as tf  # noqa: E402 (the time of the import counts)

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

_described = json.loads(os.environ["TF_CONFIG"])
WORKERS = _described["cluster"]["worker"]
RANK = _described["task"]["index"]
SIZE = len(WORKERS)
TARGET = "grpc://" + WORKERS[RANK]
DEVICE = f"/job:worker/replica:0/task:{RANK}/device:CPU:0"


def session_config():
    """The options of a session of this task.

    The filter keeps the other tasks out of the session. One task, the leader, forms the groups of
    collective operations.
    """
    config = tf.ConfigProto(
        device_filters=[f"/job:worker/task:{RANK}"], operation_timeout_in_ms=STEP_SECONDS * 1000
    )
    config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    return config


def report(**values):
    """Prints results for the test that started this program."""
    print("result", json.dumps(values), flush=True)


def in_threads(count, function):
    """Calls function(0), ..., function(count - 1) at the same time. Raises their first error."""
    errors = []

    def call(index):
        try:
            function(index)
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)

    threads = [threading.Thread(target=call, args=[i]) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
