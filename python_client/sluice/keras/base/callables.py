# SPDX-License-Identifier: Apache-2.0
"""Functions of tensors that the session of Keras runs."""

import weakref

from ... import nest
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import Operation
from ...ops.control_flow.grouping import group
from .state import get_session


class Function:
    """Feeds inputs, runs updates, and returns outputs.

    Args:
        inputs: Placeholders, a list.
        outputs: Tensors, a list.
        updates: Operations, or pairs of a variable and its new value, a list.
        name: Name scope of the operations, a str.
    """

    def __init__(self, inputs, outputs, updates=(), name="function"):
        self.inputs, self.structure = list(nest.flatten(inputs)), outputs
        self.outputs = nest.flatten(outputs)
        with name_scope(name or "function"):
            with control_dependencies([self.outputs[0]] if self.outputs else []):
                ops = [_operation(update) for update in updates or ()]
            self.updates = group(*(o.op for o in self.outputs[:1]), *ops)
        self._callables = weakref.WeakKeyDictionary()  # a session -> what runs it

    def __call__(self, inputs):
        session = get_session(inputs)
        run = self._callables.get(session)
        if run is None:
            run = session.make_callable([*self.outputs, self.updates], self.inputs)
            self._callables[session] = run
        values = run(*nest.flatten(inputs))[: len(self.outputs)]
        return nest.pack_sequence_as(self.structure, values)


def _operation(update):
    if isinstance(update, tuple):
        variable, value = update
        return variable.assign(value).op
    return update if isinstance(update, Operation) else update.op


def function(inputs, outputs, updates=None, name=None, **kwargs):
    """Makes a function that runs in the session of Keras.

    Args:
        inputs: Placeholders, a list.
        outputs: Tensors, or a structure of tensors.
        updates: Operations, or pairs of a variable and its new value, a list. None: none.
        name: Name scope of the operations, a str.
        **kwargs: Must be empty.

    Returns:
        A function of a list of arrays that returns arrays in the structure of outputs.

    Raises:
        ValueError: There are further arguments.
    """
    if kwargs:
        raise ValueError(f"function() has no argument {sorted(kwargs)[0]!r}")
    return Function(inputs, outputs, updates, name)
