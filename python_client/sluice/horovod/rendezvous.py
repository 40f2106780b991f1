# SPDX-License-Identifier: Apache-2.0
"""The ranks of a job exchange the addresses of their servers, and wait for each other at the end.

One process serves: the launcher, or rank 0. All messages are lines of JSON:

  server -> rank   {"sluice": 1, "nonce": N}
  rank -> server   {"rank", "size", "address", "host", "mac"}    mac: HMAC of the token over all
  server -> rank   {"members": [[address, host], ...], "mac"}    once all ranks have come
                   {"error": text}                               or why that does not happen
  rank -> server   {"who": true}
  server -> rank   {"ended": [rank, ...]}                        those that have ended or are gone
  rank -> server   {"done": true}                                the rank ends
  server -> rank   {"done": true}                                all ranks have ended or are gone
"""

import hashlib
import hmac
import json
import os
import socket
import threading
import time

from ..launching.accepting import serve_each

DEFAULT_SECONDS = 120.0
_MARGIN = 10.0  # a rank waits so much longer than the server, to hear from it who is missing
_LONGEST_LINE = 1 << 20


class RendezvousError(RuntimeError):
    """The ranks did not find each other.

    Args:
        message: Which ranks are missing, or why they are refused, a str.
    """

    def __init__(self, message):
        super().__init__(message)


def seconds_from_environment():
    """The time budget for all ranks to come: SLUICE_RENDEZVOUS_TIMEOUT, or 120 seconds."""
    text = os.environ.get("SLUICE_RENDEZVOUS_TIMEOUT", "")
    try:
        value = float(text or DEFAULT_SECONDS)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise ValueError(f'SLUICE_RENDEZVOUS_TIMEOUT must be a number of seconds, not "{text}"')
    return value


def _mac(token, *parts):
    text = json.dumps(parts, sort_keys=True).encode()
    return hmac.new(token, text, hashlib.sha256).hexdigest()


def _send(connection, message):
    connection.sendall(json.dumps(message).encode() + b"\n")


def _receive(file):
    """The next message; None at the end of the connection, or if it is not a message."""
    try:
        line = file.readline(_LONGEST_LINE)
        message = json.loads(line.decode()) if line.endswith(b"\n") else None
    except (OSError, ValueError):
        return None
    return message if isinstance(message, dict) else None


class _Meeting:
    """The ranks that came together. After all have ended, they may meet again."""

    def __init__(self, size):
        self._size = size
        self.members = {}  # rank -> [address, host]
        self.ended = set()  # ranks that said so or are gone
        self.error = None  # why it does not come about
        self.deadline = None  # for all ranks to come

    def missing(self):
        """The ranks that have not come, a list."""
        return [rank for rank in range(self._size) if rank not in self.members]

    def is_over(self):
        """Whether all ranks have ended."""
        return len(self.ended) == self._size


class RendezvousServer:
    """Serves one job.

    Threads: one that accepts, and one for each connection. They end with the process.
    """

    def __init__(self, size, token, host="127.0.0.1", port=0, seconds=DEFAULT_SECONDS):
        """Listens at once.

        Args:
          size: number of ranks.
          token: the secret of the job, bytes.
          host, port: the address; port 0 takes a free one.
          seconds: time budget for all ranks to come, from the first one.

        Raises:
          OSError: the address cannot be used.
        """
        self._size, self._token, self._seconds = size, token, seconds
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind((host, port))
        self._listener.listen(max(16, size))
        self.port = self._listener.getsockname()[1]
        self._changed = threading.Condition()
        self._meeting = _Meeting(size)  # guarded by _changed
        serve_each(self._listener, self._serve)

    def missing(self):
        """The ranks that have not come, a list."""
        with self._changed:
            return self._meeting.missing()

    def close(self):
        """Accepts no more connections."""
        self._listener.close()

    def _serve(self, connection):
        try:
            connection.settimeout(self._seconds)
            nonce = os.urandom(16).hex()
            _send(connection, {"sluice": 1, "nonce": nonce})
            file = connection.makefile("rb")
            said = _receive(file)
            meeting, error = self._admit(said, nonce)
            if error is None:
                error = self._wait_for_all(meeting)
            if error is not None:
                _send(connection, {"error": error})
                return
            members = [meeting.members[rank] for rank in range(self._size)]
            _send(connection, {"members": members, "mac": _mac(self._token, nonce, members)})
            connection.settimeout(None)
            self._serve_end(connection, file, meeting, said["rank"])
        except OSError:
            pass
        finally:
            connection.close()

    def _admit(self, said, nonce):
        """(the meeting that the peer is a member of, None), or (None, why it is refused)."""
        said = said or {}
        parts = [said.get(key) for key in ("rank", "size", "address", "host")]
        mac = said.get("mac")
        expected = _mac(self._token, nonce, *parts)
        if not isinstance(mac, str) or not hmac.compare_digest(mac.encode(), expected.encode()):
            return None, "wrong token: this process is not of the job that meets here"
        rank, size, address, host = parts
        if size != self._size or not isinstance(rank, int) or not 0 <= rank < size:
            return None, f"this job has {self._size} ranks, and this is rank {rank} of {size}"
        with self._changed:
            meeting = self._meeting
            if rank in meeting.members:
                return None, f"rank {rank} is here already, at {meeting.members[rank][0]}"
            meeting.members[rank] = [address, host]
            if meeting.deadline is None:
                meeting.deadline = time.monotonic() + self._seconds
            self._changed.notify_all()
        return meeting, None

    def _wait_for_all(self, meeting):
        """None once all ranks are here, or the error that tells who is missing."""
        with self._changed:
            while meeting.missing() and meeting.error is None:
                left = meeting.deadline - time.monotonic()
                if left <= 0:
                    meeting.error = (
                        f"{_ranks(meeting.missing())} of {self._size} did not come within"
                        f" {self._seconds:g} s; SLUICE_RENDEZVOUS_TIMEOUT sets another time"
                    )
                    self._changed.notify_all()
                else:
                    self._changed.wait(left)
            return meeting.error

    def _serve_end(self, connection, file, meeting, rank):
        while "who" in (_receive(file) or ()):
            with self._changed:
                ended = sorted(meeting.ended)
            _send(connection, {"ended": ended})
        with self._changed:
            meeting.ended.add(rank)
            if meeting.is_over():
                self._meeting = _Meeting(self._size)
            self._changed.notify_all()
            self._changed.wait_for(meeting.is_over)
        _send(connection, {"done": True})


class Rendezvous:
    """A rank's connection to the rendezvous. `members` has (address, host) of each rank."""

    def __init__(self, host, port, token, rank, size, address, own_host, seconds=DEFAULT_SECONDS):
        """Waits for all ranks.

        Args:
          host, port: address of the rendezvous.
          token: the secret of the job, bytes.
          rank, size: the place of this process.
          address, own_host: address of this rank's server, and the name of its host.
          seconds: time budget.

        Raises:
          RendezvousError: a rank is missing, or the rendezvous refuses this process.
        """
        self._who, self._at = f"rank {rank} of {size}", f"{host}:{port}"
        self._connection = self._connect(host, port, seconds)
        self._file = self._connection.makefile("rb")
        self._connection.settimeout(seconds + _MARGIN)
        hello = self._next()
        if hello.get("sluice") != 1:
            raise RendezvousError(f"{self._who}: what answers at {self._at} is not a rendezvous of"
                                  " sluice.hvd")  # fmt: skip
        nonce = str(hello.get("nonce"))
        parts = (rank, size, address, own_host)
        said = dict(zip(("rank", "size", "address", "host"), parts))
        _send(self._connection, dict(said, mac=_mac(token, nonce, *parts)))
        answer = self._next()
        if "error" in answer:
            raise RendezvousError(f"{self._who}: the rendezvous at {self._at} says:"
                                  f" {answer['error']}")  # fmt: skip
        self.members = answer.get("members")
        mac = str(answer.get("mac"))
        if not hmac.compare_digest(mac.encode(), _mac(token, nonce, self.members).encode()):
            raise RendezvousError(f"{self._who}: the rendezvous at {self._at} has a wrong token")

    def _next(self):
        message = _receive(self._file)
        if message is None:
            raise RendezvousError(f"{self._who}: the rendezvous at {self._at} gave no answer")
        return message

    def _connect(self, host, port, seconds):
        deadline = time.monotonic() + seconds
        while True:
            try:
                return socket.create_connection((host, port), timeout=seconds)
            except OSError as error:
                if time.monotonic() > deadline:
                    raise RendezvousError(
                        f"{self._who}: rank 0 does not serve the rendezvous at {self._at} within"
                        f" {seconds:g} s: {error}"
                    ) from error
                time.sleep(0.05)  # the other process starts to listen

    def ended(self):
        """The ranks that have ended or are gone, a list. Empty if the rendezvous is gone itself."""
        try:
            _send(self._connection, {"who": True})
            return (_receive(self._file) or {}).get("ended", [])
        except OSError:
            return []

    def leave(self, seconds):
        """Says that this rank ends, and waits for the others to end too.

        Args:
          seconds: the longest time to wait.
        """
        try:
            self._connection.settimeout(seconds)
            _send(self._connection, {"done": True})
            _receive(self._file)
        except OSError:
            pass
        self.close()

    def close(self):
        """Leaves without a word: the others do not wait for this rank."""
        self._file.close()
        self._connection.close()


def _ranks(ranks):
    names = [str(rank) for rank in ranks]
    if len(names) == 1:
        return f"rank {names[0]}"
    return f"ranks {', '.join(names[:-1])} and {names[-1]}"
