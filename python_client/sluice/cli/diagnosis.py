# SPDX-License-Identifier: Apache-2.0
"""Explains why a server does not answer as a Sluice server, and what to do about it.

gRPC reports only that it could not connect. This module resolves the name, connects to the port
and examines the first bytes of the answer.
"""

import os
import socket
import ssl

from .. import _sluice
from ..errors import FailedPreconditionError, OpError, UnauthenticatedError, UnimplementedError

# The first bytes of an HTTP/2 client: the preface and an empty frame of settings.
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
_FRAME_OF_SETTINGS = 4

TENSORFLOW = (
    "is a TensorFlow server, not a Sluice server: clients of either kind work with it, but tasks "
    "of both kinds cannot form one cluster"
)
OTHER_GRPC = "is a gRPC server, but neither Sluice's nor TensorFlow's: check the port"
_USE_TLS = (
    "requires TLS, and this command does not use it: set SLUICE_TLS_CA to the PEM file of the "
    "authority that signed its certificate"
)
_NO_TLS = (
    "does not use TLS, and SLUICE_TLS_CA asks for TLS: unset it, or start the task with "
    "--tls_ca, --tls_cert and --tls_key"
)


def explain(address, error, timeout=3.0):
    """Says what is wrong with the server at an address.

    Args:
      address: "host:port".
      error: the OpError that a call ended with.
      timeout: seconds for each connection to the port.
    Returns: the end of a sentence that begins with the server.
    """
    if isinstance(error, UnimplementedError):
        return _other_grpc(address, timeout)
    if isinstance(error, UnauthenticatedError):
        return f"refuses this command: {error}; SLUICE_TOKEN_FILE names the file with the token"
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not port.isdigit() or not host:
        return f'has no address: "{address}" must be HOST:PORT'
    try:
        where = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
    except (socket.gaierror, OverflowError) as problem:
        return f'cannot be found: the name "{host}" is not resolved ({problem}); check its spelling'
    return _of_port(where, port, error, timeout)


def _other_grpc(address, timeout):
    try:
        _sluice.describe_task(address, timeout)
    except FailedPreconditionError:
        return TENSORFLOW
    except OpError:
        return OTHER_GRPC
    return "is a Sluice server of another version, which cannot list its transports"


def _of_port(where, port, error, timeout):
    try:
        heard = _hear(where, _HELLO, timeout)
    except ConnectionRefusedError:
        return (
            f"refuses the connection: nothing listens at port {port}; is the task started, and "
            "with --bind if it is on another machine?"
        )
    except socket.timeout:
        return (
            "does not answer a connection: the machine is off or unreachable, or a firewall drops "
            f"what goes to port {port}"
        )
    except OSError as problem:
        return f"cannot be reached: {problem}"
    own_tls = bool(os.environ.get("SLUICE_TLS_CA"))
    if heard[3:4] == bytes([_FRAME_OF_SETTINGS]):
        return _NO_TLS if own_tls else f"does not answer: {error}"
    if heard.startswith(b"HTTP/"):
        return "is a web server (HTTP/1), not a gRPC server: check the port"
    if heard.startswith(b"SSH-"):
        return "is an SSH server, not a gRPC server: check the port"
    if _speaks_tls(where, timeout):
        return f"does not accept this command's TLS: {error}" if own_tls else _USE_TLS
    if heard is _SILENCE:
        return "accepts connections but does not answer: it is suspended, or is not a gRPC server"
    return "is not a gRPC server: check the port"


_SILENCE = b"\0silence"


def _hear(where, hello, timeout):
    """Returns the first bytes of the answer; b"" if the connection is closed instead."""
    with _connect(where, timeout) as connection:
        try:
            connection.sendall(hello)
            return connection.recv(64)
        except socket.timeout:
            return _SILENCE
        except ConnectionError:
            return b""


def _connect(where, timeout):
    for family, kind, protocol, _, address in where:
        connection = socket.socket(family, kind, protocol)
        connection.settimeout(timeout)
        try:
            connection.connect(address)
            return connection
        except OSError as problem:
            connection.close()
            last = problem
    raise last


def _speaks_tls(where, timeout):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        with _connect(where, timeout) as connection, context.wrap_socket(connection):
            return True
    except ssl.SSLError as problem:
        # A server that insists on a certificate of ours speaks TLS too.
        return "CERTIFICATE" in str(problem).upper()
    except OSError:
        return False
