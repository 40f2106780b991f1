# SPDX-License-Identifier: Apache-2.0
"""The sessions and threads of a test case."""

import contextlib
import threading

from ..graph.defaults import get_default_session
from ..messages import ConfigProto
from ..session.devices import list_logical_devices
from ..session.session import Session
from .assertions import ArrayTestCase


class CheckedThread:
    """A thread of a test, which fails if the thread does.

    Args:
        case: The test case.
        target: What the thread calls.
        args: Arguments of the call, a tuple.
        kwargs: Arguments by name, a dict.
    """

    def __init__(self, case, target, args=(), kwargs=None):
        self._case, self._target = case, target
        self._args, self._kwargs = args or (), kwargs or {}
        self._thread = threading.Thread(target=self._run)
        self._error, self._joined = None, False

    def _run(self):
        try:
            self._target(*self._args, **self._kwargs)
        except Exception as error:
            self._error = error

    def start(self):
        """Starts the thread."""
        self._thread.start()

    def join(self):
        """Waits for the end of the thread, and fails the test if the call raised an error."""
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self):
        """Tests whether the thread runs.

        Returns:
            A bool.
        """
        return self._thread.is_alive()

    def check_termination(self):
        """Fails the test if nobody waited for the thread."""
        if not self._joined:
            self._case.fail("A checked thread was not joined.")


class SessionTestCase(ArrayTestCase):
    """The sessions of a test: one that its parts share, and others.

    Args:
        methodName: Name of the test's method, a str.
    """

    _cached = None  # the shared session
    _cached_for = ()  # what it was made with: graph, config and force_gpu

    def __init__(self, methodName="runTest"):  # noqa: N803, unittest's name
        super().__init__(methodName)
        self._threads = []

    def setUp(self):
        """Closes a session from before the test."""
        super().setUp()
        self._close_session()

    def tearDown(self):
        """Checks the threads of the test, and closes its session."""
        for thread in self._threads:
            thread.check_termination()
        self._close_session()
        super().tearDown()

    def _close_session(self):
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """Makes a session, which is the default one of a with statement and closed at its end.

        Args:
            graph: The Graph. None: the default graph.
            config: A ConfigProto. None: one with allow_soft_placement, unless force_gpu.
            use_gpu: Whether operations may be on a GPU. A bool. False: they are on the CPU.
            force_gpu: Whether operations are on a GPU. A bool.

        Returns:
            A context manager, whose value is the Session.
        """
        return self._within(_new_session(graph, config, force_gpu), use_gpu, force_gpu, True)

    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """Makes a session that later calls in the test return, too. It is closed after the test.

        Args:
            graph: The Graph. None: the default graph.
            config: A ConfigProto. None: one with allow_soft_placement, unless force_gpu.
            use_gpu: Whether operations may be on a GPU. A bool. False: they are on the CPU.
            force_gpu: Whether operations are on a GPU. A bool.

        Returns:
            A context manager, whose value is the Session. It raises ValueError where an earlier
            call in the test had another graph, config or force_gpu.
        """
        given = graph, config, force_gpu
        for what, old, new in zip(("graph", "config", "force_gpu value"), self._cached_for, given):
            if self._cached is not None and old is not new:
                raise ValueError(
                    f"The {what} used to get the cached session is different than the one that was "
                    "used to create the session. Maybe create a new session with self.session()"
                )
        return self._within(self._session_of_all(*given), use_gpu, force_gpu)

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """Makes a session: without a graph the one that the parts of the test share, whatever it
        was made with; else as session().

        Args:
            graph: The Graph. None: the default graph.
            config: A ConfigProto. None: one with allow_soft_placement, unless force_gpu.
            use_gpu: Whether operations may be on a GPU. A bool. False: they are on the CPU.
            force_gpu: Whether operations are on a GPU. A bool.

        Returns:
            A context manager, whose value is the Session.
        """
        if self.id().endswith(".test_session"):
            self.skipTest("a method of the class, not a test")
        if graph is not None:
            return self.session(graph, config, use_gpu, force_gpu)
        return self._within(self._session_of_all(None, config, force_gpu), use_gpu, force_gpu)

    def _session_of_all(self, *given):
        if self._cached is None:
            self._cached, self._cached_for = _new_session(*given), given
        return self._cached

    @contextlib.contextmanager
    def _within(self, session, use_gpu, force_gpu, closes=False):
        """Makes a session and its graph the default ones, on the devices that a test names."""
        devices = contextlib.nullcontext()
        if force_gpu:
            found = list_logical_devices("GPU")
            devices = session.graph.device(found[0].name if found else "/device:GPU:0")
        elif not use_gpu:
            devices = session.graph.device("/device:CPU:0")
        around = session if closes else contextlib.nullcontext()
        with around, session.graph.as_default(), session.as_default(), devices:
            yield session

    def evaluate(self, tensors):
        """Computes tensors in the default session; without one in the session that the parts of
        the test share.

        Args:
            tensors: Tensors in any structure.

        Returns:
            The values, in the same structure.
        """
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    def checkedThread(self, target, args=None, kwargs=None):  # noqa: N802
        """Makes a thread: the test fails if it raises an error, or nobody waits for it.

        Args:
            target: What the thread calls.
            args: Arguments of the call, a tuple. None: none.
            kwargs: Arguments by name, a dict. None: none.

        Returns:
            A CheckedThread, with start() and join().
        """
        self._threads.append(CheckedThread(self, target, args, kwargs))
        return self._threads[-1]


def _new_session(graph, config, force_gpu):
    config = config or ConfigProto(allow_soft_placement=not force_gpu)
    return Session(graph=graph, config=config)
