# SPDX-License-Identifier: Apache-2.0
"""Runs one process of a job on another host. The launcher sends this file through ssh.

The first line of standard input was a JSON object: "command", "environment", "folder". When
standard input ends, which is when the launcher ends, so does the process with all that it started.
"""

import os
import signal
import subprocess
import sys
import threading
import time

_GRACE_SECONDS = 1.5  # less than the launcher gives ssh


def _signal_group(group, number):
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def _end_with_input(group):
    sys.stdin.buffer.read()
    _signal_group(group, signal.SIGTERM)
    time.sleep(_GRACE_SECONDS)
    _signal_group(group, signal.SIGKILL)


def run(job):
    """Runs the process. This process ends with its status, or 128 + N for a signal N."""
    # The end of ssh is seen by the end of input. Signals that come with it must not end this
    # process, not even while it starts the other one, which does not inherit the handlers.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, lambda *_: None)
    try:
        if os.path.isdir(job["folder"]):
            os.chdir(job["folder"])
        process = subprocess.Popen(
            job["command"], env=dict(os.environ, **job["environment"]), stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        print(f"sluice run: {job['command'][0]}: {error}", file=sys.stderr, flush=True)
        os._exit(127)
    threading.Thread(target=_end_with_input, args=(process.pid,), daemon=True).start()
    # The group is signalled before the number is free for another process.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    _signal_group(process.pid, signal.SIGKILL)
    status = process.wait()
    os._exit(status if status >= 0 else 128 - status)


run(job)  # noqa: F821 - the line that ssh runs sets it
