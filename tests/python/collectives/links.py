# SPDX-License-Identifier: Apache-2.0
"""Connections between servers that a test can cut: a proxy for each ordered pair of tasks."""

import socket
import struct
import threading

CUT, SILENT = "cut", "silent"
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset


class Link:
    """Forwards TCP connections from one port to another.

    cut() resets them and refuses new ones. silence() forwards nothing and drops nothing: the peers
    see a network that lost its route. mend() ends both; connections that were silent are reset.
    """

    def __init__(self, port, target):
        self.port = port
        self._target = ("127.0.0.1", target)
        self._lock = threading.Condition()
        self._state = ""
        self._open = set()  # sockets of both sides
        self._listener = None
        self._listen(port)

    def cut(self):
        with self._lock:
            self._state = CUT
            self._stop_listening()
            self._reset()

    def silence(self):
        with self._lock:
            self._state = SILENT

    def mend(self):
        with self._lock:
            self._reset()
            was, self._state = self._state, ""
            if was == CUT:
                self._listen(self.port)
            self._lock.notify_all()

    def close(self):
        self.cut()
        with self._lock:
            self._lock.notify_all()

    def _listen(self, port):
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _stop_listening(self):
        if self._listener is not None:
            # shutdown() wakes the thread that accepts; close() alone does not.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None

    def _reset(self):
        for end in self._open:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.shutdown(socket.SHUT_RDWR)
                end.close()
            except OSError:  # the peer was faster
                pass
        self._open.clear()

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target, timeout=5)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            with self._lock:
                if self._state == CUT:
                    near.close()
                    far.close()
                    return
                self._open |= {near, far}
            for ends in (near, far), (far, near):
                threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                with self._lock:
                    while self._state == SILENT:
                        self._lock.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
