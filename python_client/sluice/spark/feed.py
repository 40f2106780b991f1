# SPDX-License-Identifier: Apache-2.0
"""The rows on their way from Spark's tasks to the map function of a node.

Tasks of the same executor connect to the node through a socket in the executor's folder. Messages:

  task -> node   ("feed", whether results are wanted), bytes of Arrow..., None
  node -> task   ("taken", results or None)     once the map function took all rows
                 ("stopped", None)              it takes no more
"""

import collections
import threading
from multiprocessing.connection import Client, Listener

from .batches import decoded, encoded

_MOST_ROWS = 8192  # that wait; beyond them a task waits


class _Partition:
    """The rows of one task, and the results for them."""

    def __init__(self, wants_results):
        self.wants_results = wants_results
        self.rows = collections.deque()
        self.results = []
        self.is_whole = False  # all rows have come
        self.taken = 0


class Feed:
    """Serves tasks in the process of a node.

    Args:
      path: of the socket.
      token: the secret of the cluster, bytes.
    """

    def __init__(self, path, token):
        self._listener = Listener(path, "AF_UNIX", backlog=16, authkey=token)
        self._changed = threading.Condition()
        self._partitions = collections.deque()  # in the order of their tasks
        self._unanswered = collections.deque()  # (partition, rows) that were taken without results
        self._is_ended = False  # the driver sends no more
        self._is_terminated = False
        threading.Thread(target=self._accept, daemon=True).start()

    def take(self, count, whole_partitions):
        """Waits for rows. Returns at most so many; fewer at the end."""
        rows = []
        with self._changed:
            while len(rows) < count and not self._is_terminated:
                self._changed.wait_for(self._has_news)
                if not self._partitions:
                    break
                first = self._partitions[0]
                taken = 0
                while first.rows and len(rows) < count:
                    rows.append(first.rows.popleft())
                    taken += 1
                first.taken += taken
                if taken and whole_partitions:
                    self._unanswered.append([first, taken])
                if not first.rows and first.is_whole:
                    self._partitions.popleft()
                    self._changed.notify_all()
                    if whole_partitions and rows:
                        break
                self._changed.notify_all()
        return rows

    def _has_news(self):
        first = self._partitions[0] if self._partitions else None
        come = first is not None and (first.rows or first.is_whole)
        return come or self._is_terminated or self._is_ended and first is None

    def is_over(self):
        """Whether no rows are left. Waits until some have come, or none will."""
        with self._changed:
            return self._is_terminated or self._is_ended and not self._partitions

    def put_results(self, results):
        """Gives results to the tasks whose rows were taken first."""
        with self._changed:
            for result in results:
                if not self._unanswered:
                    raise ValueError("there are more results than rows")
                first = self._unanswered[0]
                first[0].results.append(result)
                first[1] -= 1
                if not first[1]:
                    self._unanswered.popleft()
            self._changed.notify_all()

    def terminate(self):
        """Drops what comes."""
        with self._changed:
            self._is_terminated = True
            self._changed.notify_all()

    def end(self):
        """No more rows come."""
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()

    def _accept(self):
        while True:
            try:
                connection = self._listener.accept()
            except Exception:  # a peer without the token
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            _, wants_results = connection.recv()
            partition = _Partition(wants_results)
            with self._changed:
                self._partitions.append(partition)
            while not self._is_terminated:
                data = connection.recv()
                rows = [] if data is None else decoded(data)
                with self._changed:
                    partition.rows.extend(rows)
                    partition.is_whole = data is None
                    self._changed.notify_all()
                    if data is None:
                        break
                    self._changed.wait_for(
                        lambda: len(partition.rows) < _MOST_ROWS or self._is_terminated
                    )
            with self._changed:
                self._changed.wait_for(lambda: self._is_answered(partition) or self._is_terminated)
            said = "taken" if self._is_answered(partition) else "stopped"
            connection.send((said, partition.results if wants_results else None))
        except (EOFError, OSError):
            with self._changed:  # the task has ended: Spark starts it again, or the job fails
                partition.is_whole = True
                self._changed.notify_all()
        connection.close()

    def _is_answered(self, partition):
        if not partition.is_whole or partition.rows or partition in self._partitions:
            return False
        return not partition.wants_results or len(partition.results) == partition.taken


def send(path, token, rows, wants_results):
    """Sends the rows of a task, in that task.

    Args:
      path, token: as for Feed.
      rows: an iterator.
      wants_results: whether to wait for a result for each row.

    Returns:
      (whether the node takes more, the results or None).
    """
    with Client(path, "AF_UNIX", authkey=token) as connection:
        connection.send(("feed", wants_results))
        for data in encoded(rows):
            if connection.poll():  # it takes no more
                break
            connection.send(data)
        else:
            connection.send(None)
        said, results = connection.recv()
    return said == "taken", results
