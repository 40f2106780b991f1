# SPDX-License-Identifier: Apache-2.0
"""gRPC calls byte by byte, for clients that break the rules. https://www.rfc-editor.org/rfc/rfc9113"""

import random
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HELLO = PREFACE + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"  # empty settings
DATA, HEADERS, RST_STREAM, SETTINGS, PING = 0x0, 0x1, 0x3, 0x4, 0x6
END_STREAM, END_HEADERS = 0x1, 0x4
CANCEL = struct.pack(">I", 8)
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def headers(path, more=b""):
    """The header block of a call, without Huffman codes and without the dynamic table."""
    return b"".join([
        b"\x83\x86",  # POST, http
        b"\x04" + bytes([len(path)]) + path.encode(),
        b"\x01\x09localhost",
        b"\x0f\x10\x10application/grpc",
        b"\x00\x02te\x08trailers",
        more,
    ])  # fmt: skip


def call_frames(path, stream, message, more=b""):
    """The frames of one call with this message, which may be any bytes."""
    body = b"\x00" + struct.pack(">I", len(message)) + message
    frames = [frame(HEADERS, END_HEADERS, stream, headers(path, more))]
    for at in range(0, len(body), 1 << 14):
        piece = body[at : at + (1 << 14)]
        last = at + len(piece) == len(body)
        frames.append(frame(DATA, END_STREAM if last else 0, stream, piece))
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
