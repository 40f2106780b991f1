# SPDX-License-Identifier: Apache-2.0
"""A function that has a copy of everything that it uses of the graph around it."""

from .. import _sluice, dtypes
from ..graph.elements import attr_of, is_ref
from ..graph.state import state_of
from ..ops.functions.tracing import Body
from ..ops.raw_ops import definition


class ByValue(Body):
    """A function in the making: operations outside whose results it uses are copied into it."""

    def __init__(self, outer):
        super().__init__(outer)
        self._copies = {}  # the operation outside -> its copy

    def capture(self, tensor):
        if tensor.graph is self:
            return tensor
        return self._copy(tensor.op).outputs[tensor.value_index]

    def _copy(self, op):
        todo = [op]
        while todo:
            one = todo[-1]
            missing = [t.op for t in one.inputs if t.op not in self._copies]
            if missing and one not in self._copies:
                todo += missing
                continue
            if one not in self._copies:
                _check(one)
                inputs = [self._copies[t.op].outputs[t.value_index] for t in one.inputs]
                with state_of(self).within(scope="", devices=[], control=[], colocation=[]):
                    made = self.create_op(one.type, inputs, _attrs(one), one.name)
                self._copies[one] = made
            todo.pop()
        return self._copies[op]


def _attrs(op):
    """The attributes of an operation as create_op() takes them."""
    found = {}
    for attr in definition(op.type)["attrs"]:
        found[attr["name"]] = attr_of(op, attr["name"])
    if op.type == "Const":  # an array may be of another dtype than it stands for
        found["value"] = _sluice.tensor(found["value"], found["dtype"])
    return found


def _check(op):
    """ValueError for an operation whose copy would be another thing."""
    text = f"{op.name} ({op.type}) cannot be part of a function"
    if op.type in ("Placeholder", "PlaceholderV2"):
        raise ValueError(f"{op.name} ({op.type}), a placeholder, cannot be copied into a function")
    makes_data_set = any(t.dtype == dtypes.variant for t in op.outputs)
    if definition(op.type)["stateful"] and not makes_data_set or any(map(is_ref, op.outputs)):
        raise ValueError(text)
