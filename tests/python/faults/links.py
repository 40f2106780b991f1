# SPDX-License-Identifier: Apache-2.0
"""Connections between the tasks of a test, through proxies that harm them."""

import re
import socket
import struct
import threading
import time

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset
# The name of a transport and an address in a connection offer (proto/transports.proto).
_OFFER = re.compile(rb"(\x03tcp\x12.)127\.0\.0\.1:(\d+)", re.DOTALL)


class _Connection:
    def __init__(self, near, far):
        self.near, self.far = self.ends = near, far
        self.running = 2  # threads that forward

    def shut_down(self):
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Link:
    """The way from one task to another: forwards from host:port to port of 127.0.0.1.

    `host` is an address of loopback, "127.a.b.1" with one digit each. If the task offers another of
    its ports, the link forwards that one too. Harms, until mend():

        cut()        resets the connections and refuses new ones
        silence()    forwards nothing and drops nothing, as a network without a route
        delay(s)     holds back each piece of at most 64 KB for so many seconds

    Harms that happen once, or at once, to connections of both directions:

        reset()      resets the connections; new ones are forwarded
        truncate(n)  forwards n more bytes, then ends the connection that had the last of them
        corrupt(ns)  for each n of a list: forwards n more bytes, then changes a bit of the next
    """

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.corrupted = 0  # bits that were changed
        self._lock = threading.Condition()
        self._cut = self._silent = False
        self._delay = 0.0
        self._truncate, self._corrupt = None, []  # bytes to go
        self._open = set()
        self._listeners = {}  # port -> socket
        self._listen(port)

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def cut(self):
        with self._lock:
            if not self._cut:
                for listener in self._listeners.values():
                    # shutdown() wakes the thread that accepts; close() alone does not.
                    listener.shutdown(socket.SHUT_RDWR)
                    listener.close()
            self._cut = True
            self._reset()

    def silence(self):
        with self._lock:
            self._silent = True

    def delay(self, seconds):
        with self._lock:
            self._delay = seconds

    def reset(self):
        with self._lock:
            self._reset()

    def truncate(self, after):
        with self._lock:
            self._truncate = after

    def corrupt(self, after):
        with self._lock:
            self._corrupt = list(after)

    def mend(self):
        """Ends all harms. Connections that were silent are reset."""
        with self._lock:
            was_cut = self._cut
            if was_cut or self._silent:
                self._reset()
            self._cut = self._silent = False
            self._delay, self._truncate, self._corrupt = 0.0, None, []
            if was_cut:
                for port in self._listeners:
                    self._listen(port)
            self._lock.notify_all()

    def close(self):
        self.cut()
        with self._lock:
            self._silent = False
            self._lock.notify_all()

    def _listen(self, port):
        listener = self._listeners[port] = socket.create_server((self.host, port))
        threading.Thread(target=self._accept, args=(listener, port), daemon=True).start()

    def _reset(self):
        for connection in self._open:
            for end in connection.ends:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    end.shutdown(socket.SHUT_RDWR)
                    end.close()
                except OSError:  # the peer was faster
                    pass
        self._open.clear()

    def _accept(self, listener, port):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", port), timeout=5)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            for end in near, far:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = _Connection(near, far)
            with self._lock:
                if self._cut:
                    near.close()
                    far.close()
                    return
                self._open.add(connection)
            for way in (near, far), (far, near):
                args = connection, *way
                threading.Thread(target=self._forward, args=args, daemon=True).start()

    def _forward(self, connection, source, sink):
        last = False
        try:
            while not last and (data := source.recv(1 << 16)):
                if source is connection.far and b"127.0.0.1:" in data:
                    data = self._follow_offers(data)
                data, last = self._harm(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            last = True
        if last:
            connection.shut_down()
        with self._lock:
            connection.running -= 1
            if not connection.running:
                self._open.discard(connection)
                connection.near.close()
                connection.far.close()

    def _harm(self, data):
        """What to forward of these bytes, and whether the connection ends then."""
        with self._lock:
            while self._silent and not self._cut:
                self._lock.wait()
            delay, last = self._delay, False
            if self._truncate is not None:
                last = self._truncate < len(data)
                data = data[: self._truncate]
                self._truncate = None if last else self._truncate - len(data)
            if self._corrupt:
                data = self._corrupted(bytearray(data))
        time.sleep(delay)
        return data, last

    def _corrupted(self, data):
        at = 0
        while self._corrupt and at + self._corrupt[0] < len(data):
            at += self._corrupt.pop(0)
            data[at] ^= 1 << (at % 8)
            at += 1
            self.corrupted += 1
        if self._corrupt:
            self._corrupt[0] -= len(data) - at
        return data

    def _follow_offers(self, data):
        """Forwards the ports that the task offers, and puts the link's address into the offers."""

        def follow(offer):
            port = int(offer.group(2))
            with self._lock:
                if port not in self._listeners and not self._cut:
                    self._listen(port)
            return offer.group(1) + f"{self.host}:{port}".encode()

        return _OFFER.sub(follow, data)
