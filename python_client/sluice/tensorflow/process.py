# SPDX-License-Identifier: Apache-2.0
"""sluice-server as a process beside this one."""

import atexit
import os
import shutil
import subprocess
import threading

_LISTENS = " listens at "
_END_SECONDS = 1.0  # for a server to end by itself when this process does


class StartError(Exception):
    """Why a server did not start: its own words and its exit status, or None if there is no server.

    The status is 2 where what it was asked makes no sense.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


def find_server():
    """The path of sluice-server: $SLUICE_SERVER, the one of this build, or the one in $PATH.

    Raises:
      StartError: names the places without one.
    """
    chosen = os.environ.get("SLUICE_SERVER")
    if chosen:
        if os.access(chosen, os.X_OK):
            return chosen
        raise StartError(f"SLUICE_SERVER is {chosen!r}, which is not a program")
    # build/python/sluice/tensorflow/process.py and build/sluice-server
    folder = os.path.abspath(__file__)
    for _ in range(4):
        folder = os.path.dirname(folder)
    built = os.path.join(folder, "sluice-server")
    if os.access(built, os.X_OK):
        return built
    found = shutil.which("sluice-server")
    if found is None:
        raise StartError(
            f"sluice-server is not there: neither {built} nor a program of $PATH; build it, or set"
            " SLUICE_SERVER to its path"
        )
    return found


class ServerProcess:
    """A server that runs until stop() or until this process ends, however it ends.

    It has a session of its own, so that Ctrl-C reaches the program alone, which may still need
    its server to save a checkpoint. It watches this process and ends after it. A process forked
    from this one may end without harm to the server.
    """

    def __init__(self, options):
        """Starts sluice-server and returns when it listens.

        Args:
          options: options of sluice-server, which name the cluster and the task.

        Raises:
          StartError: it did not start.
        """
        self._owner = os.getpid()
        self._stopped = False
        command = [find_server(), f"--parent={self._owner}", *options]
        env = dict(os.environ)
        env.setdefault("SLUICE_LOG_LEVEL", "warning")
        self._process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            line = self._process.stdout.readline().decode("utf-8", "replace").strip()
            if _LISTENS not in line:
                status = self._process.wait()
                text = line or f"sluice-server ended with status {status} and said nothing"
                raise StartError(text, status)
        except BaseException:
            self.kill()
            raise
        self.target = line.partition(_LISTENS)[2]
        _running.add(self)

    def join(self):
        """Waits for the end of the server. Returns False if stop() was not called."""
        self._process.wait()
        return self._stopped

    @property
    def status(self):
        """The exit status of the server, negative if a signal ended it; None while it runs."""
        return self._process.poll()

    def stop(self, grace):
        """Ends the server: its calls have `grace` seconds to end. A second call does nothing."""
        if self._owner != os.getpid():
            return
        self._stopped = True
        _running.discard(self)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                pass
        self.kill()

    def leave(self):
        """Lets the server run until this process has ended, which then still may close sessions."""
        _running.discard(self)

    def kill(self):
        """Ends the server at once."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()


_running = set()  # keeps a server whose Server object the program dropped, as TensorFlow does
_last_calls = []  # functions to call before the servers end


def before_end(function):
    """Calls a function when this process ends, while its servers still run."""
    _last_calls.append((os.getpid(), function))


@atexit.register
def _end_all():
    own = os.getpid()
    calls = [function for owner, function in _last_calls if owner == own]
    if calls:
        # A call that hangs must not keep the process from ending.
        thread = threading.Thread(target=lambda: [call() for call in calls], daemon=True)
        thread.start()
        thread.join(_END_SECONDS)
    for server in list(_running):
        server.stop(_END_SECONDS)
