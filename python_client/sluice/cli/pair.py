# SPDX-License-Identifier: Apache-2.0
"""Measures the time of a tensor from one task to another, through a session."""

import time
from dataclasses import dataclass

import sluice as sl

from .figures import median

TRIPS = 16  # round trips in one step


@dataclass
class Measured:
    null_step: float  # seconds
    one_way: float  # seconds
    bytes_per_second: float


def measure(sender, receiver, address, size, seconds):
    """Measures tensors from `sender` (a task; its server is at `address`) to `receiver`.

    null_step is the time of a step that runs a NoOp on both tasks. one_way is half of a round trip
    of a 4-byte tensor: a step with 16 round trips, less the null step. bytes_per_second comes from
    a step in which `size` bytes go to the receiver, less the null step. Each figure is the median
    over a third of `seconds`. Raises the error of a step that fails.
    """
    graph = sl.Graph()
    with graph.as_default():
        with sl.device(sender):
            small = sl.Variable(0.0, use_resource=True, trainable=False)
            zeros = sl.zeros([size], sl.uint8)
            large = sl.Variable(zeros, use_resource=True, trainable=False)
            sent, nothing_here = large.read_value(), sl.no_op()
        with sl.device(receiver):
            arrival, nothing_there = sl.identity(sent).op, sl.no_op()
        null = sl.group(nothing_here, nothing_there)
        hops = _there_and_back(small, sender, receiver)
    with sl.Session("grpc://" + address, graph=graph, config=_config(sender, receiver)) as session:
        session.run([small.initializer, large.initializer])
        null_step, trips, transfer = (
            _median_seconds(session, operation, seconds / 3) for operation in (null, hops, arrival)
        )
    return Measured(
        null_step,
        max(trips - null_step, 0.0) / (2 * TRIPS),
        size / max(transfer - null_step, 1e-9),
    )


def _there_and_back(variable, here, there):
    with sl.device(here):
        tensor = variable.read_value()
    for _ in range(TRIPS):
        for place in (there, here):
            with sl.device(place):
                tensor = sl.identity(tensor)
    return tensor.op


def _config(*tasks):
    """The session owns its variables. Other tasks, which may be down, do not take part."""
    config = sl.ConfigProto(device_filters=list(tasks), isolate_session_state=True)
    config.operation_timeout_in_ms = 60000
    return config


def _median_seconds(session, operation, seconds):
    """Runs at least three times, after one run that connects and compiles."""
    call = session.make_callable(operation)
    call()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or (time.perf_counter() < end and len(times) < 10000):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return median(times)
