# SPDX-License-Identifier: Apache-2.0
"""The calls of layers that are going on, the innermost last."""

import contextlib
import threading


class Call:
    """One call of a layer: its inputs, and what it was told of training."""

    def __init__(self, layer, inputs, training):
        self.layer, self.inputs, self.training = layer, inputs, training


class _Calls(threading.local):
    def __init__(self):
        self.stack = []


_calls = _Calls()


def current_call():
    """The innermost call, or None."""
    return _calls.stack[-1] if _calls.stack else None


@contextlib.contextmanager
def calling(layer, inputs, training):
    """A call goes on inside. Without a value of its own, training is that of the call around it."""
    outer = current_call()
    if training is None and outer is not None:
        training = outer.training
    _calls.stack.append(Call(layer, inputs, training))
    try:
        yield
    finally:
        _calls.stack.pop()
