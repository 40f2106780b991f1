# SPDX-License-Identifier: Apache-2.0
"""Threads that stop together."""

import contextlib
import sys
import threading
import time

from .. import errors


class Coordinator:
    """Tells a group of threads when to stop, and passes on the first error of one of them.

    Args:
        clean_stop_exception_types: Classes of errors that end the work as planned. None:
            OutOfRangeError.

    Example:
        >>> coord = sl.train.Coordinator()
        >>> coord.request_stop()
        >>> coord.should_stop()
        True
    """

    def __init__(self, clean_stop_exception_types=None):
        self._clean = tuple(clean_stop_exception_types or (errors.OutOfRangeError,))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error = None  # as sys.exc_info() gives it
        self._threads = set()
        self._joined = False

    @property
    def joined(self):
        """Whether join() has returned. A bool."""
        return self._joined

    def register_thread(self, thread):
        """Adds a thread that join() waits for.

        Args:
            thread: The thread.
        """
        with self._lock:
            self._threads.add(thread)

    def should_stop(self):
        """Tests whether threads must end.

        Returns:
            A bool.
        """
        return self._stop.is_set()

    def wait_for_stop(self, timeout=None):
        """Waits until request_stop() is called.

        Args:
            timeout: The most seconds to wait, a float. None: no limit.

        Returns:
            Whether it was called, a bool.
        """
        return self._stop.wait(timeout)

    def request_stop(self, ex=None):
        """Asks every thread to end.

        Args:
            ex: The error that is the reason, or its sys.exc_info(). join() raises the first one.
                None: no error.
        """
        with self._lock:
            if ex is not None and not self._stop.is_set() and self._error is None:
                if isinstance(ex, BaseException):
                    ex = (type(ex), ex, ex.__traceback__)
                if not isinstance(ex[1], self._clean):
                    self._error = ex
            elif self._joined and ex is not None:
                raise ex if isinstance(ex, BaseException) else ex[1]
            self._stop.set()

    def clear_stop(self):
        """Forgets a request to stop, and its error."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def raise_requested_exception(self):
        """Raises the error that request_stop() was given, if there is one."""
        if self._error is not None:
            raise self._error[1].with_traceback(self._error[2])

    @contextlib.contextmanager
    def stop_on_exception(self):
        """Passes errors inside to request_stop() instead of raising them.

        Returns:
            A context manager.
        """
        try:
            yield
        except Exception:
            self.request_stop(sys.exc_info())

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits until the threads have ended.

        Args:
            threads: More threads to wait for, a list.
            stop_grace_period_secs: The most seconds to wait after a request to stop, a float.
            ignore_live_threads: Whether threads that have not ended are left alone. A bool.

        Raises:
            RuntimeError: A thread has not ended in time.
            Exception: The error that request_stop() was given.
        """
        with self._lock:
            threads = list(self._threads.union(threads or ()))
        while any(t.is_alive() for t in threads) and not self._stop.wait(0.05):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        for thread in threads:
            while thread.is_alive() and time.monotonic() < deadline:
                thread.join(0.05)
        with self._lock:
            self._joined = True
            self._threads = set()
            self.raise_requested_exception()
            late = [t.name for t in threads if t.is_alive()]
            if late and not ignore_live_threads:
                raise RuntimeError(
                    f"Coordinator stopped with threads still running: {' '.join(late)}, after"
                    f" {stop_grace_period_secs} s"
                )

    def __repr__(self):
        state = "stopping" if self._stop.is_set() else "running"
        state = "joined" if self._joined else state
        error = self._error[1] if isinstance(self._error, tuple) else self._error
        why = f" by {error!r}" if error is not None else ""
        return f"<sluice.train.Coordinator of {len(self._threads)} threads, {state}{why}>"


class LooperThread(threading.Thread):
    """A thread that calls a function again and again, until its coordinator asks it to stop. An
    error stops all.

    Args:
        coord: The Coordinator of the threads.
        timer_interval_secs: Seconds between calls, a float. None: no pause.
        target: The function. None: run_loop().
        args: Its arguments, a tuple.
        kwargs: Its arguments by name, a dict.

    Raises:
        ValueError: coord is not a Coordinator.
    """

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs
        self._work = (target, args or (), kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """Starts a LooperThread.

        Args:
            coord: The Coordinator of the threads.
            timer_interval_secs: Seconds between calls, a float. None: no pause.
            target: The function.
            args: Its arguments, a tuple.
            kwargs: Its arguments by name, a dict.

        Returns:
            The LooperThread.
        """
        looper = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        looper.start()
        return looper

    def run(self):
        """Runs the loop. Thread.start() calls it."""
        with self._coord.stop_on_exception():
            self.start_loop()
            wanted = 0.0 if self._interval is None else time.time()
            while not self._coord.wait_for_stop(max(0.0, wanted - time.time())):
                wanted += self._interval or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """Is called before the first call of run_loop(). It does nothing."""

    def stop_loop(self):
        """Is called after the last call of run_loop(). It does nothing."""

    def run_loop(self):
        """Calls the function once. Subclasses may replace it."""
        target, args, kwargs = self._work
        if target is not None:
            target(*args, **kwargs)
