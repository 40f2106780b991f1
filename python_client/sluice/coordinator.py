"""Threads that stop together."""

import contextlib
import sys
import threading
import time

from . import errors


class Coordinator:
    """Tells a group of threads when to stop, and hands the first error of one to who joins them.

    clean_stop_exception_types: errors that end the work as planned (OutOfRangeError).
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
        return self._joined

    def register_thread(self, thread):
        """A thread that join() waits for."""
        with self._lock:
            self._threads.add(thread)

    def should_stop(self):
        return self._stop.is_set()

    def wait_for_stop(self, timeout=None):
        """Waits for request_stop(); was it called?"""
        return self._stop.wait(timeout)

    def request_stop(self, ex=None):
        """Every thread is to end. ex: the error that is why (or its sys.exc_info()); join() raises
        the first of them."""
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
        """Begins anew."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def raise_requested_exception(self):
        """Raises the error that request_stop() was given, if any."""
        if self._error is not None:
            raise self._error[1].with_traceback(self._error[2])

    @contextlib.contextmanager
    def stop_on_exception(self):
        """An error inside is given to request_stop(), and not raised."""
        try:
            yield
        except Exception:
            self.request_stop(sys.exc_info())

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits for the registered threads and these; once a stop was requested at most the grace
        period, then RuntimeError. Raises the error that request_stop() was given."""
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
                    f"threads did not stop within {stop_grace_period_secs} s: {', '.join(late)}"
                )


class LooperThread(threading.Thread):
    """Calls run_loop(), or `target`, every timer_interval_secs (None: at once) until its
    coordinator says stop. An error stops all."""

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs
        self._work = (target, args or (), kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """A LooperThread that runs."""
        looper = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            wanted = 0.0 if self._interval is None else time.time()
            while not self._coord.wait_for_stop(max(0.0, wanted - time.time())):
                wanted += self._interval or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """Before the first call."""

    def stop_loop(self):
        """After the last."""

    def run_loop(self):
        target, args, kwargs = self._work
        if target is not None:
            target(*args, **kwargs)
