# SPDX-License-Identifier: Apache-2.0
"""Frames of HTTP/2 as bytes, for clients that do what no gRPC client does."""

import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 3, 4, 6, 8
END_STREAM, END_HEADERS = 1, 4
CANCEL = struct.pack(">I", 8)  # the reason of a RST_STREAM


def frame(kind, stream=0, payload=b"", flags=0):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(text):
    """A string of HPACK without Huffman coding."""
    text = text.encode()
    if len(text) < 127:
        return bytes([len(text)]) + text
    rest, size = len(text) - 127, b"\x7f"
    while rest >= 128:
        size += bytes([rest % 128 + 128])
        rest //= 128
    return size + bytes([rest]) + text


def headers(stream, path, more=()):
    """The beginning of a call."""
    fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "test")]
    fields += [("te", "trailers"), ("content-type", "application/grpc"), *more]
    block = b"".join(b"\x00" + literal(name) + literal(value) for name, value in fields)
    return frame(HEADERS, stream, block, END_HEADERS)


def connect(address):
    """A connection over which any frame may be sent."""
    host, port = address.rsplit(":", 1)
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(PREFACE + frame(SETTINGS))
    return connection


def is_answered(address, path="/tensorflow.WorkerService/GetStatus", seconds=30):
    """Whether a call with an empty message, on a connection of its own, gets an answer."""
    try:
        with connect(address) as connection:
            connection.settimeout(seconds)
            connection.sendall(headers(1, path) + frame(DATA, 1, bytes(5), END_STREAM))
            received = b""
            while True:
                while len(received) >= 9 and len(received) >= 9 + _length(received):
                    if received[3] == HEADERS:
                        return True
                    received = received[9 + _length(received) :]
                more = connection.recv(1 << 16)
                if not more:
                    return False
                received += more
    except OSError:
        return False


def _length(received):
    return int.from_bytes(received[:3], "big")


def is_closed_within(connection, seconds):
    """Whether the peer closes the connection so soon. What it sends before is dropped."""
    connection.settimeout(seconds)
    try:
        while connection.recv(1 << 16):
            pass
        return True
    except socket.timeout:
        return False
    except OSError:
        return True
