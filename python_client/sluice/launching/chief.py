# SPDX-License-Identifier: Apache-2.0
"""The other tasks of a cluster learn from the chief's process that the job has ended.

They keep a connection to it. Messages are lines of JSON:

  task -> chief    {"task": NAME, "stays": bool}    stays: it does not end by itself
  chief -> task    {"ended": STATUS, "mac"}         mac: HMAC of the token over the status
"""

import hashlib
import hmac
import json
import socket
import threading
import time

from .accepting import serve_each

_LONGEST_LINE = 1 << 12
_AGAIN_SECONDS = 0.5  # between attempts to connect
_COME_SECONDS = 60.0  # for tasks that start later than the chief ends


def _mac(token, status):
    return hmac.new(token, f"ended {status}".encode(), hashlib.sha256).hexdigest()


class ChiefServer:
    """Serves in the process that runs the chief.

    Threads: one that accepts, and one for each connection. They end with the process.

    Args:
      host, port: the address to listen at; port 0 takes a free one.
      token: the secret of the job, bytes.
      others: number of the other tasks.
    """

    def __init__(self, host, port, token, others):
        self._token, self._others = token, others
        self._listener = socket.create_server((host, port))
        self.port = self._listener.getsockname()[1]
        self._changed = threading.Condition()
        self._connections = {}  # connection -> whether its task stays; guarded by _changed
        self._names = set()  # of the tasks that have come; guarded by _changed
        serve_each(self._listener, self._serve)

    def _serve(self, connection):
        try:
            with connection.makefile("rb") as file:
                said = json.loads(file.readline(_LONGEST_LINE))
                with self._changed:
                    self._connections[connection] = bool(said["stays"])
                    self._names.add(str(said["task"]))
                    self._changed.notify_all()
                file.read(1)  # the end of the connection
        except (OSError, ValueError, KeyError, TypeError):
            pass
        with self._changed:
            self._connections.pop(connection, None)
            self._changed.notify_all()
        connection.close()

    def end(self, status, grace):
        """Tells the other tasks that the chief has ended.

        Args:
          status: its exit status. After 0, tasks that end by themselves may do so first.
          grace: seconds that they may take.
        """
        line = json.dumps({"ended": status, "mac": _mac(self._token, status)}).encode() + b"\n"
        with self._changed:
            if status == 0:
                # A task that comes later would not learn of the end.
                self._changed.wait_for(lambda: len(self._names) >= self._others, _COME_SECONDS)
                self._changed.wait_for(lambda: all(self._connections.values()), grace)
            for connection in self._connections:
                try:
                    connection.sendall(line)
                except OSError:
                    pass  # its task is gone
        self._listener.close()


def wait_for_chief(address, token, name, stays, again):
    """Waits until the chief has ended.

    Args:
      address: HOST:PORT of the ChiefServer.
      token: the secret of the job, bytes.
      name: the name of this task.
      stays: whether it does not end by itself.
      again: whether the chief may be started again after its process is gone.

    Returns:
      The exit status of the chief; None: its process is gone.
    """
    host, _, port = address.rpartition(":")
    hello = json.dumps({"task": name, "stays": stays}).encode() + b"\n"
    while True:
        try:
            with socket.create_connection((host, int(port)), timeout=30) as connection:
                connection.settimeout(None)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                connection.sendall(hello)
                with connection.makefile("rb") as file:
                    said = json.loads(file.readline(_LONGEST_LINE))
                    if hmac.compare_digest(str(said["mac"]), _mac(token, said["ended"])):
                        return int(said["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        if not again:
            return None
        time.sleep(_AGAIN_SECONDS)
