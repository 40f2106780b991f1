# SPDX-License-Identifier: Apache-2.0
"""gRPC calls byte by byte, from several addresses, for clients that break the rules."""

import random
import socket
import struct

from interop.tools.http2 import DATA, END_STREAM, PREFACE, SETTINGS, frame, headers

HELLO = PREFACE + frame(SETTINGS)
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset


def call_frames(path, stream, message, more=()):
    """The frames of one call with this message, which may be any bytes."""
    body = b"\x00" + struct.pack(">I", len(message)) + message
    frames = [headers(stream, path, more)]
    for at in range(0, len(body), 1 << 14):
        piece = body[at : at + (1 << 14)]
        last = at + len(piece) == len(body)
        frames.append(frame(DATA, stream, piece, END_STREAM if last else 0))
    return b"".join(frames)


def connect(address, seconds):
    """A socket from one of a few addresses of this machine."""
    host, port = address.rsplit(":", 1)
    own = f"127.6.6.{random.randrange(1, 5)}"
    return socket.create_connection((host, int(port)), seconds, source_address=(own, 0))


class Connection:
    """A connection that has said hello; a context manager, which resets it in the end."""

    def __init__(self, address, hello=HELLO, seconds=5.0):
        self._socket = connect(address, seconds)
        self._socket.sendall(hello)

    def send(self, data):
        self._socket.sendall(data)

    def receive(self, most=1 << 16):
        return self._socket.recv(most)

    def close(self):
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
