"""Threads of the client that keep a queue filled."""

import sys
import threading
import weakref

from . import errors, messages
from .defaults import get_default_session
from .graph import GraphKeys, add_to_collection, get_default_graph


class QueueRunner:
    """Runs enqueue operations, each in its own thread, until the queue ends or a coordinator says
    stop; then it closes the queue.

    close_op, cancel_op: what closes it, keeping and cancelling waiting enqueues; of the queue where
    they are not given. queue_closed_exception_types: errors that say the queue was closed.
    queue_runner_def: what to_proto() gave, in place of all else.
    """

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None,
                 queue_closed_exception_types=None, queue_runner_def=None,
                 import_scope=None):  # fmt: skip
        self._lock = threading.Lock()
        self._running = weakref.WeakKeyDictionary()  # session -> enqueue operations that run
        self._raised = []
        if queue_runner_def is not None:
            if queue is not None or enqueue_ops is not None:
                raise ValueError("queue and queue_runner_def cannot both be given")
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

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(lambda self: self._close_op)
    cancel_op = property(lambda self: self._cancel_op)
    queue_closed_exception_types = property(lambda self: self._closed_types)

    @property
    def name(self):
        return getattr(self._queue, "name", "")

    @property
    def exceptions_raised(self):
        """What the threads met where no coordinator took it."""
        return self._raised

    def to_proto(self, export_scope=None):
        """A QueueRunnerDef; None when it is not of the scope."""
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
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """The threads; none where those of the session still run. They register with coord."""
        with self._lock:
            if self._running.get(sess):
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._raised = []
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), name=f"fills {self.name}")
            for op in self._enqueue_ops
        ]
        if coord is not None:
            threads.append(threading.Thread(target=self._cancel_on_stop, args=(sess, coord)))
        for thread in threads:
            thread.daemon = daemon
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def _run(self, sess, enqueue_op, coord):
        ended = False
        try:
            enqueue = sess.make_callable(enqueue_op)
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


def add_queue_runner(qr, collection=GraphKeys.QUEUE_RUNNERS):
    """Enters a runner where start_queue_runners() finds it."""
    add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True,
                        collection=GraphKeys.QUEUE_RUNNERS):  # fmt: skip
    """Starts the threads of every runner of the graph; the threads."""
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise ValueError("no session: give one, or enter a `with Session():`")
    with sess.graph.as_default():
        runners = sess.graph.get_collection(collection)
        return [t for r in runners for t in r.create_threads(sess, coord, daemon, start)]
