# SPDX-License-Identifier: Apache-2.0
"""Threads of the client that keep a queue filled."""

import sys
import threading
import weakref

from .. import errors, messages
from ..graph.default_graph import add_to_collection, get_default_graph
from ..graph.defaults import get_default_session
from ..graph.keys import GraphKeys


class QueueRunner:
    """Fills a queue: it runs each enqueue operation in a thread of its own, until the queue is
    closed or a coordinator asks to stop.

    Args:
        queue: The queue.
        enqueue_ops: The operations, a list.
        close_op: Operation that closes the queue. None: queue.close().
        cancel_op: Operation that cancels the queue. None:
            queue.close(cancel_pending_enqueues=True).
        queue_closed_exception_types: Classes of errors that say that the queue is closed. None:
            OutOfRangeError.
        queue_runner_def: The result of to_proto(), instead of all other arguments.
        import_scope: Name scope to put in front of names, a str. None: none.

    Raises:
        ValueError: queue and enqueue_ops are not given.
    """

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None,
                 queue_closed_exception_types=None, queue_runner_def=None,
                 import_scope=None):  # fmt: skip
        self._lock = threading.Lock()
        self._running = weakref.WeakKeyDictionary()  # session -> enqueue operations that run
        self._raised = []
        if queue_runner_def is not None:
            if queue is not None or enqueue_ops is not None:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._find(queue_runner_def, import_scope)
            return
        if queue is None or not enqueue_ops:
            raise ValueError("queue and enqueue_ops must be given")
        self._queue, self._enqueue_ops = queue, list(enqueue_ops)
        self._closed_types = tuple(queue_closed_exception_types or (errors.OutOfRangeError,))
        self._close_op = queue.close() if close_op is None else close_op
        cancel = cancel_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel is None else cancel

    def _find(self, definition, import_scope):
        graph = get_default_graph()

        def element(name):
            return graph.as_graph_element(f"{import_scope}/{name}" if import_scope else name)

        definition = messages.take(messages.QueueRunnerDef, definition)
        self._queue = element(definition.queue_name)
        self._enqueue_ops = [element(n) for n in definition.enqueue_op_name]
        self._close_op = element(definition.close_op_name)
        self._cancel_op = element(definition.cancel_op_name)
        codes = definition.queue_closed_exception_types
        types = [errors.exception_type_from_error_code(c) for c in codes]
        self._closed_types = tuple(types or (errors.OutOfRangeError,))

    @property
    def queue(self):
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self):
        """The enqueue operations, a list."""
        return self._enqueue_ops

    @property
    def close_op(self):
        """The operation that closes the queue."""
        return self._close_op

    @property
    def cancel_op(self):
        """The operation that cancels the queue."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self):
        """The classes of errors that say that the queue is closed, a tuple."""
        return self._closed_types

    @property
    def name(self):
        """The name of the queue, a str."""
        return getattr(self._queue, "name", "")

    @property
    def exceptions_raised(self):
        """The errors of threads without a coordinator, a list."""
        return self._raised

    def to_proto(self, export_scope=None):
        """Converts the runner to a protocol message.

        Args:
            export_scope: Name scope to export without its own name, a str. None: everything.

        Returns:
            A QueueRunnerDef; None if it is not within export_scope.
        """
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(prefix):
            return None
        cut = len(prefix)
        return messages.QueueRunnerDef(
            queue_name=self.name[cut:], close_op_name=self._close_op.name[cut:],
            enqueue_op_name=[op.name[cut:] for op in self._enqueue_ops],
            cancel_op_name=self._cancel_op.name[cut:],
            queue_closed_exception_types=[t.code for t in self._closed_types],
        )  # fmt: skip

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        """Makes the runner that a message of to_proto() describes.

        Args:
            queue_runner_def: The QueueRunnerDef.
            import_scope: Name scope to put in front of names, a str. None: none.

        Returns:
            A QueueRunner.
        """
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """Makes the threads for a session.

        Args:
            sess: The session.
            coord: The Coordinator of the threads.
            daemon: Whether the program may end before the threads. A bool.
            start: Whether they are started. A bool.

        Returns:
            A list of threads; empty while those of the session run.
        """
        with self._lock:
            if self._running.get(sess):
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._raised = []
        threads = [
            threading.Thread(
                target=self._run, args=(sess, op, coord), name=f"QueueRunnerThread-{self.name}-{n}"
            )
            for op, n in ((op, getattr(op, "name", "")) for op in self._enqueue_ops)
        ]
        if coord is not None:
            threads.append(threading.Thread(
                target=self._cancel_on_stop, args=(sess, coord),
                name=f"QueueRunnerThread-{self.name}-close_on_stop",
            ))  # fmt: skip
        for thread in threads:
            thread.daemon = daemon
            if coord is not None and self._is_awaited(thread):
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def _is_awaited(self, thread):
        """Whether the coordinator waits until a thread has ended."""
        return True

    def _step_of(self, sess, enqueue_op):
        """A function that enqueues once."""
        return sess.make_callable(enqueue_op)

    def _run(self, sess, enqueue_op, coord):
        ended = False
        try:
            enqueue = self._step_of(sess, enqueue_op)
            while coord is None or not coord.should_stop():
                try:
                    enqueue()
                except self._closed_types:
                    ended = True
                    if self._is_last(sess):
                        self._close(sess)
                    return
        except Exception as e:
            if coord is not None:
                if not coord.joined:  # else nobody waits any more
                    coord.request_stop(sys.exc_info())
            else:
                with self._lock:
                    self._raised.append(e)
                raise
        finally:
            if not ended:
                self._is_last(sess)

    def _is_last(self, sess):
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess] == 0

    def _close(self, sess):
        try:
            sess.run(self._close_op)
        except Exception:  # the session is gone, and the queue with it
            pass

    def _cancel_on_stop(self, sess, coord):
        coord.wait_for_stop()
        try:
            sess.run(self._cancel_op)
        except Exception:  # as above
            pass

    def __repr__(self):
        return f"<sluice.train.QueueRunner of {self.name!r} with {len(self._enqueue_ops)} threads>"


def add_queue_runner(qr, collection=GraphKeys.QUEUE_RUNNERS):
    """Adds a runner to a collection, in which start_queue_runners() finds it.

    Args:
        qr: The QueueRunner.
        collection: Name of the collection, a str.
    """
    add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True,
                        collection=GraphKeys.QUEUE_RUNNERS):  # fmt: skip
    """Starts the threads of all runners of the graph.

    Args:
        sess: The session. None: the default session.
        coord: The Coordinator of the threads.
        daemon: Whether the program may end before the threads. A bool.
        start: Whether they are started. A bool.
        collection: Name of the collection, a str.

    Returns:
        A list of threads.

    Raises:
        ValueError: There is no session.
    """
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Give one, or enter a"
            " `with Session():`"
        )
    with sess.graph.as_default():
        runners = sess.graph.get_collection(collection)
        return [t for r in runners for t in r.create_threads(sess, coord, daemon, start)]
