# SPDX-License-Identifier: Apache-2.0
"""Queues of tensors that are computed ahead, and the threads that fill queues."""

import contextlib

from ....graph.default_graph import name_scope
from ....ops.data_flow.queues import FIFOQueue, PaddingFIFOQueue
from ....training.coordinator import Coordinator
from ....training.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from .reading import note_fullness


def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None,
                   name=None):  # fmt: skip
    """Computes tensors ahead: makes a queue of them, and adds its QueueRunner.

    Args:
        tensors: The tensors, a list or a dict.
        capacity: How many elements the queue holds, an int.
        num_threads: How many threads fill it, an int.
        dynamic_pad: Whether dimensions that are not known are padded in batches. A bool.
        shared_name: Name by which sessions share the queue, a str.
        name: Name of the scope, a str.

    Returns:
        A queue.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    values = [tensors[key] for key in names] if names else list(tensors)
    with name_scope(name, "prefetch_queue"):
        make = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = make(
            capacity, [value.dtype for value in values], [value.shape for value in values],
            names=names, shared_name=shared_name,
        )  # fmt: skip
        enqueue = queue.enqueue(dict(zip(names, values)) if names else values)
        add_queue_runner(QueueRunner(queue, [enqueue] * num_threads))
        note_fullness(queue, capacity)
        return queue


class NestedQueueRunnerError(Exception):
    """The threads of QueueRunners() run already.

    Args:
        message: What is wrong, a str.
    """

    def __init__(self, message=""):
        super().__init__(message)


@contextlib.contextmanager
def QueueRunners(session):  # noqa: N802
    """Runs the threads of all queues inside.

    Args:
        session: The session.

    Returns:
        A context manager.

    Raises:
        NestedQueueRunnerError: They run already.
    """
    if getattr(session, "_queue_runners_run", False):
        raise NestedQueueRunnerError("QueueRunners() cannot be nested.")
    session._queue_runners_run = True
    coord, threads = Coordinator(), []
    try:
        threads = start_queue_runners(session, coord)
        yield
    finally:
        coord.request_stop()
        session._queue_runners_run = False
        coord.join(threads, stop_grace_period_secs=120)
