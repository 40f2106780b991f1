# SPDX-License-Identifier: Apache-2.0
"""The driver's side of a cluster on Spark: nodes come, get the cluster, and report their end.

Messages are objects over multiprocessing.connection, whose two sides prove that they know the
token:

  node -> driver   ("come", number, address, executor, URL of TensorBoard or None)
  driver -> node   ("members", addresses), or ("refused", why)
  driver -> node   ("stop",)              no more data comes
  node -> driver   ("ended", traceback or None)
"""

import contextlib
import os
import socket
import threading
import time
from multiprocessing.connection import Listener


class Meeting:
    """Serves the nodes of one cluster.

    Threads: one that accepts, and one for each node. They end with the process.

    Args:
      names: name of each node by number, a list of str.
      host: the name of this host for executors.
      token: the secret of the cluster, bytes.
      on_failure: called with a text when a node fails or is gone, once.
    """

    def __init__(self, names, host, token, on_failure):
        self._names, self._on_failure = names, on_failure
        self._listener = Listener(("", 0), backlog=max(16, len(names)), authkey=token)
        self.address = (host, self._listener.address[1])
        self._changed = threading.Condition()
        self._members = {}  # number -> (address, executor)
        self._connections = {}  # number -> connection
        self._ended = {}  # number -> None or traceback
        self._is_stopping = False
        self.failure = None  # which node failed first, and why
        self.tensorboard = None  # its URL
        threading.Thread(target=self._accept, daemon=True).start()

    def wait_for_members(self, seconds):
        """Returns None once all nodes have come, or says which have not."""
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._members) == len(self._names) or self.failure, seconds
            )
            missing = [name for n, name in enumerate(self._names) if n not in self._members]
        if self.failure:
            return self.failure
        return f"{', '.join(missing)} did not come within {seconds:g} s" if missing else None

    def stop(self, numbers, seconds):
        """Tells nodes that no more data comes, and waits for their end.

        Args:
          numbers: those that end by themselves, a list.
          seconds: the longest time to wait.

        Returns:
          Whether all of them have ended.
        """
        with self._changed:
            for number in numbers:
                self._send(number, ("stop",))
            return self._changed.wait_for(
                lambda: self.failure or all(n in self._ended for n in numbers), seconds
            )

    def is_closed(self):
        """Returns whether close() was called."""
        return self._is_stopping

    def close(self):
        """Closes all connections, at which nodes that still run are ended."""
        with self._changed:
            self._is_stopping = True
            for connection in self._connections.values():
                # close() alone does not end a read of another thread, nor the connection.
                with contextlib.suppress(OSError):
                    socket.socket(fileno=os.dup(connection.fileno())).shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _send(self, number, message):
        try:
            self._connections[number].send(message)
        except (OSError, KeyError):
            pass  # the node is gone, which its thread reports

    def _accept(self):
        while True:
            try:
                connection = self._listener.accept()
            except Exception as error:  # a peer without the token raises AuthenticationError
                if self._is_stopping or isinstance(error, OSError) and self._is_closed():
                    return
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _is_closed(self):
        time.sleep(0.01)  # a broken listener must not spin
        return self._listener._listener is None

    def _serve(self, connection):
        number = None
        try:
            _, number, address, executor, url = connection.recv()
            with self._changed:
                if number in self._members:
                    connection.send(("refused", f"{self._names[number]} is here already"))
                    return
                self._members[number] = address, executor
                self.tensorboard = self.tensorboard or url
                self._connections[number] = connection
                self._changed.notify_all()
                self._changed.wait_for(lambda: len(self._members) == len(self._names))
            connection.send(("members", [self._members[n][0] for n in range(len(self._names))]))
            said = connection.recv()
        except (EOFError, OSError, ValueError):
            said = None
        self._end(number, said)

    def _end(self, number, said):
        if number not in self._members or self._is_stopping:
            return
        where = self._members[number][1]
        if said is None:
            text = f"{self._names[number]} on {where} is gone"
        else:
            text = said[1] and f"{self._names[number]} on {where} failed:\n{said[1]}"
        with self._changed:
            self._ended[number] = text
            self._changed.notify_all()
        if text:
            self.fail(text)

    def fail(self, text):
        """The cluster has failed, unless it had before."""
        with self._changed:
            if self.failure is not None or self._is_stopping:
                return
            self.failure = text
            self._changed.notify_all()
        self._on_failure(text)

    def wait_for_failure(self, seconds):
        """Waits for fail(). Returns its text, or None."""
        with self._changed:
            self._changed.wait_for(lambda: self.failure, seconds)
            return self.failure
