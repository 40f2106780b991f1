# SPDX-License-Identifier: Apache-2.0
"""Batches that threads make ahead of their use."""

import collections
import random
import threading
from concurrent.futures import ThreadPoolExecutor

_END = object()  # in place of a batch: the generator ended


class SequenceEnqueuer:
    """Makes batches in threads. Derived classes define _run().

    Args:
        sequence: What makes the batches.
        use_multiprocessing: Accepted. There are threads only. A bool.
    """

    def __init__(self, sequence, use_multiprocessing=False):
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self.workers, self.run_thread, self.stop_signal = 0, None, None
        self._changed = threading.Condition()
        self._futures, self._pending, self._most = collections.deque(), 0, 0

    def is_running(self):
        """Tests whether it was started and not stopped.

        Returns:
            A bool.
        """
        return self.stop_signal is not None and not self.stop_signal.is_set()

    def start(self, workers=1, max_queue_size=10):
        """Starts the threads.

        Args:
            workers: How many batches are made at once, an int.
            max_queue_size: How many batches may be ahead, an int.
        """
        self.workers, self._most = max(workers, 1), max_queue_size
        self.stop_signal = threading.Event()
        self.run_thread = threading.Thread(target=self._run, daemon=True)
        self.run_thread.start()

    def stop(self, timeout=None):
        """Stops the threads, and drops the batches that are ahead.

        Args:
            timeout: How long it waits for them, in seconds. None: until they end.
        """
        with self._changed:
            self.stop_signal.set()
            self._futures.clear()
            self._pending = 0
            self._changed.notify_all()
        self.run_thread.join(timeout)

    def get(self):
        """Returns the batches.

        Returns:
            A generator. A batch that is None is left out.

        Raises:
            RuntimeError: Several threads called a generator that only one may call.
        """
        try:
            while True:
                future = self._taken()
                batch = _END if future is None else future.result()
                if batch is _END:
                    break
                self._taken_is_done()
                if batch is not None:
                    yield batch
        except Exception as error:
            self.stop()
            if "generator already executing" in str(error):
                raise RuntimeError(
                    "Your generator is NOT thread-safe. Keras requires a thread-safe generator "
                    "when `use_multiprocessing=False, workers > 1`. "
                ) from error
            raise
        for future in self._rest():
            batch = future.result()
            if batch is not _END and batch is not None:
                yield batch

    def _run(self):
        raise NotImplementedError

    def _put(self, future):
        """Adds a batch. Waits while as many as may be are ahead."""
        with self._changed:
            while len(self._futures) >= self._most > 0 and self.is_running():
                self._changed.wait()
            if self.is_running():
                self._futures.append(future)
                self._pending += 1
                self._changed.notify_all()

    def _taken(self):
        """The next batch; None if it was stopped."""
        with self._changed:
            while not self._futures and self.is_running():
                self._changed.wait()
            future = self._futures.popleft() if self._futures else None
            self._changed.notify_all()
            return future

    def _taken_is_done(self):
        with self._changed:
            self._pending = max(self._pending - 1, 0)
            self._changed.notify_all()

    def _wait_until_used(self):
        """Waits until all batches were taken."""
        with self._changed:
            while self._pending and self.is_running():
                self._changed.wait()

    def _rest(self):
        """The batches that are ahead when a generator ended, and no more are made."""
        with self._changed:
            if self.stop_signal is not None:
                self.stop_signal.set()
            rest, self._futures = list(self._futures), collections.deque()
            self._changed.notify_all()
        return rest


class OrderedEnqueuer(SequenceEnqueuer):
    """Makes the batches of a Sequence, in its order, epoch after epoch.

    Args:
        sequence: The Sequence. Its on_epoch_end() is called after the last batch was taken.
        use_multiprocessing: Accepted. There are threads only. A bool.
        shuffle: Whether each epoch has another order. A bool.
    """

    def __init__(self, sequence, use_multiprocessing=False, shuffle=False):
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _run(self):
        numbers = list(range(len(self.sequence)))
        with ThreadPoolExecutor(self.workers) as pool:
            while self.is_running():
                if self.shuffle:
                    random.shuffle(numbers)
                for number in numbers:
                    if not self.is_running():
                        return
                    self._put(pool.submit(self.sequence.__getitem__, number))
                self._wait_until_used()
                if self.is_running():
                    self.sequence.on_epoch_end()


class GeneratorEnqueuer(SequenceEnqueuer):
    """Makes the batches of a generator, which may end.

    Args:
        sequence: The generator.
        use_multiprocessing: Accepted. There are threads only. A bool.
        random_seed: Accepted. It has no effect.
    """

    def __init__(self, sequence, use_multiprocessing=False, random_seed=None):
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed

    def _run(self):
        with ThreadPoolExecutor(self.workers) as pool:
            while self.is_running():
                self._put(pool.submit(next, self.sequence, _END))


def terminate_keras_multiprocessing_pools(grace_period=0.1, use_sigkill=False):
    """Ends the processes that make batches. There are none: threads make them.

    Args:
        grace_period: Accepted. It has no effect.
        use_sigkill: Accepted. It has no effect.

    Returns:
        An empty list: what went wrong with each process.
    """
    del grace_period, use_sigkill
    return []


__all__ = ["GeneratorEnqueuer", "OrderedEnqueuer", "SequenceEnqueuer"]
