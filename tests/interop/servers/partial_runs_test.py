# SPDX-License-Identifier: Apache-2.0
"""Partial runs and callables, compared with TensorFlow's own servers."""

import numpy as np
import pytest
from tensorflow.core.protobuf import config_pb2

from interop.tools.outcomes import Program, outcome, same

JOBS = {"ps": 1, "worker": 2}


def parts(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    first = p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})
    return first, p.session.partial_run(handle, p.r2, {p.c: first * 17})


def interleaved(p):
    handles = [p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c]) for _ in range(3)]
    firsts = [p.session.partial_run(h, p.r1, {p.a: i, p.b: 2}) for i, h in enumerate(handles)]
    seconds = [p.session.partial_run(h, p.r2, {p.c: 10}) for h in reversed(handles)]
    return firsts, seconds


def fetched_later(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    p.session.partial_run(handle, [], {p.a: 1})
    second = p.session.partial_run(handle, p.r2, {p.b: 2, p.c: 5})
    return second, p.session.partial_run(handle, p.r1, {})


def with_target(p):
    p.session.run(p.start)
    handle = p.session.partial_run_setup([p.bump.op, p.r1], [p.a, p.b])
    p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})
    return p.session.run(p.v)


def too_early(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    return p.session.partial_run(handle, p.r2, {p.a: 1, p.b: 2})


def goes_on_after_too_early(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    outcome(p.session.partial_run, handle, p.r2, {p.a: 1, p.b: 2})
    return p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})


def fed_twice(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})
    return p.session.partial_run(handle, p.r2, {p.a: 1, p.c: 2})


def fetched_twice(p):
    handle = p.session.partial_run_setup([p.r1, p.r2], [p.a, p.b, p.c])
    p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})
    return p.session.partial_run(handle, p.r1, {p.c: 2})


def feed_not_set_up(p):
    handle = p.session.partial_run_setup([p.r1], [p.a, p.b])
    return p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2, p.c: 1})


def fetch_not_set_up(p):
    handle = p.session.partial_run_setup([p.r1], [p.a, p.b])
    return p.session.partial_run(handle, p.r2, {p.a: 1, p.b: 2})


def unknown_handle(p):
    return p.session.partial_run("77", p.r1, {p.a: 1, p.b: 2})


def after_the_last(p):
    handle = p.session.partial_run_setup([p.r1], [p.a, p.b])
    p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})
    return p.session.partial_run(handle, p.r1, {p.a: 1, p.b: 2})


def step_fails(p):
    handle = p.session.partial_run_setup([p.checked, p.r1], [p.a, p.b])
    return p.session.partial_run(handle, p.checked, {p.a: float("nan")})


def goes_on_after_failure(p):
    outcome(step_fails, p)
    return p.session.run(p.r1, {p.a: 1, p.b: 1})


def not_fed_at_all(p):
    handle = p.session.partial_run_setup([p.r1], [])
    return p.session.partial_run(handle, p.r1, {})


PARTIAL = [
    parts,
    interleaved,
    fetched_later,
    with_target,
    too_early,
    goes_on_after_too_early,
    fed_twice,
    fetched_twice,
    feed_not_set_up,
    fetch_not_set_up,
    unknown_handle,
    after_the_last,
    step_fails,
    goes_on_after_failure,
    not_fed_at_all,
]

# callables ---------------------------------------------------------------------------------


def call(p, fetch, connections, feeds=("a:0", "b:0"), feed_devices=(), fetch_devices=()):
    options = config_pb2.CallableOptions()
    options.feed.extend(feeds)
    options.fetch.append(fetch)
    for source, target in connections:
        options.tensor_connection.add(from_tensor=source, to_tensor=target)
    for tensor, device in feed_devices:
        options.feed_devices[tensor] = device
    for tensor, device in fetch_devices:
        options.fetch_devices[tensor] = device
    function = p.session._make_callable_from_options(options)
    return [function(np.float32(2), np.float32(3)) for _ in range(3)]


DEVICE = "/job:worker/replica:0/task:0/device:CPU:0"
CALLS = {
    "plain": ("r1:0", []),
    "connection": ("r2:0", [("r1:0", "c:0")]),
    "connection in a cycle": ("r2:0", [("r2:0", "r1:0")]),
    "connection to a feed": ("r2:0", [("r1:0", "c:0")], ("a:0", "c:0")),
    "two connections to one tensor": ("r2:0", [("r1:0", "c:0"), ("a:0", "c:0")]),
    "connection from nobody": ("r2:0", [("nobody:0", "c:0")]),
    "connection to nobody": ("r2:0", [("r1:0", "nobody:0")]),
    "connection from no output": ("r2:0", [("r1:0", "c:0"), ("r1:7", "b:0")], ("a:0",)),
    "connected and fetched": ("c:0", [("r1:0", "c:0")]),
    "feed_devices": ("r1:0", [], ("a:0", "b:0"), [("a:0", DEVICE)]),
    "fetch_devices": ("r1:0", [], ("a:0", "b:0"), (), [("r1:0", DEVICE)]),
}

# containers, sharing -----------------------------------------------------------------------


def check_same(actual, expected):
    assert same(actual, expected), f"{actual!r}, TensorFlow: {expected!r}"


def outcomes(ours, theirs, function, *arguments):
    """Of our servers, and of TensorFlow's."""
    found = []
    for cluster in (ours, theirs):
        with Program(cluster.target()) as p:
            found.append(outcome(function, p, *arguments))
    return found


@pytest.mark.parametrize("function", PARTIAL, ids=lambda function: function.__name__)
def test_partial_run(ours, theirs, function):
    check_same(*outcomes(ours, theirs, function))


@pytest.mark.parametrize("name", sorted(CALLS))
def test_callable(ours, theirs, name):
    check_same(*outcomes(ours, theirs, call, *CALLS[name]))
