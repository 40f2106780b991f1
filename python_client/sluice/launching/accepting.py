# SPDX-License-Identifier: Apache-2.0
"""Accepts the connections of a socket that listens."""

import threading


def serve_each(listener, serve):
    """Serves each connection on a thread of its own, until the listener is closed.

    Returns at once: another thread accepts. The threads end with the process.

    Args:
      listener: the socket.
      serve: a function of a connection, which closes it.
    """

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
