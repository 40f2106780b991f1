# SPDX-License-Identifier: Apache-2.0
"""Functions of tensors that the session of Keras runs."""

import weakref

from ... import nest
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import Operation
from ...ops.control_flow.grouping import group
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.sparse.sparse_tensor import SparseTensor
from ...session.session import callable_of
from .ragged_rows import op_of
from .sparse_rows import rows_of
from .state import get_session


class Function:
    """Feeds inputs, runs updates, and returns outputs.

    Args:
        inputs: Placeholders, a list.
        outputs: Tensors, a list.
        updates: Operations, or pairs of a variable and its new value, a list.
        name: Name scope of the operations, a str.
        fetches: A tensor, or a list of tensors, that is computed too. None: none.
        feed_dict: A dict: tensor -> value that is fed too. None: none.
        options: RunOptions of each call. None: the default ones.
        run_metadata: A RunMetadata that each call fills. None: none.
    """

    def __init__(self, inputs, outputs, updates=(), name="function", fetches=None, feed_dict=None,
                 options=None, run_metadata=None):  # fmt: skip
        self.inputs, self.structure = list(nest.flatten(inputs)), outputs
        self.outputs = nest.flatten(outputs)
        with name_scope(name or "function"):
            with control_dependencies([op_of(self.outputs[0])] if self.outputs else []):
                ops = [_operation(update) for update in updates or ()]
            self.updates = group(*(op_of(o) for o in self.outputs[:1]), *ops)
        fetches = fetches if isinstance(fetches, list) else [] if fetches is None else [fetches]
        self.fetches, self._fed = list(fetches), dict(feed_dict or {})
        self.fetch_callbacks = {}  # one of fetches -> a function that takes its value
        self._given = {}
        if options is not None or run_metadata is not None:
            self._given = {"options": options, "run_metadata": run_metadata}
        self._callables = weakref.WeakKeyDictionary()  # a session -> (fetches, what runs it)

    def __call__(self, inputs):
        session = get_session(inputs)
        fetches, run = self._callables.get(session, (None, None))
        if fetches != self.fetches:
            run = self._callable(session)
            self._callables[session] = list(self.fetches), run
        values = run(self._parts_of(inputs))
        for fetch, value in zip(self.fetches, values[len(self.outputs) + 1 :]):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        values = values[: len(self.outputs)]
        return nest.pack_sequence_as(self.structure, values)

    def _callable(self, session):
        """What runs it in a session, a function of the values of the first inputs; inputs without a
        value, or with None, are not fed. Operations check the shapes, as in TensorFlow 1.15."""
        fetches, fed = [*self.outputs, self.updates, *self.fetches], self._fed_parts()
        made = {}  # places of the inputs that are fed -> what runs it

        def run(values):
            places = tuple(i for i, v in enumerate(values[: len(fed)]) if v is not None)
            if places not in made:
                made[places] = callable_of(
                    session, fetches, [*(fed[i] for i in places), *self._fed], bool(self._given),
                    any_shape=True,
                )  # fmt: skip
            return made[places](
                *(values[i] for i in places), *self._fed.values(), **self._given
            )  # fmt: skip

        return run

    def _fed_parts(self):
        """The placeholders of all inputs: a SparseTensor and a RaggedTensor have several."""
        return [part for t in self.inputs for part in _placeholders(t)]

    def _parts_of(self, inputs):
        """What is fed for these. ValueError: an array is given for a SparseTensor or a
        RaggedTensor."""
        given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        rows = [rows_of(value) for value in given]
        kinds = (SparseTensor, RaggedTensor)
        if all(r is None for r in rows) and not any(isinstance(t, kinds) for t in self.inputs):
            return nest.flatten(inputs)
        found = []
        for tensor, value, of_value in zip(self.inputs, given, rows):
            if of_value is None and isinstance(tensor, kinds):
                wanted = "SparseTensorValue or a matrix of SciPy"
                if isinstance(tensor, RaggedTensor):
                    wanted = "RaggedTensorValue"
                raise ValueError(f"the input {tensor} takes a {wanted}, not {value!r}")
            if of_value is None:
                found.append(value)
            else:
                found += of_value.parts() if isinstance(tensor, kinds) else [of_value.to_dense()]
        return found


def _placeholders(tensor):
    """The placeholders of an input, a list."""
    if isinstance(tensor, SparseTensor):
        return [tensor.indices, tensor.values, tensor.dense_shape]
    if isinstance(tensor, RaggedTensor):
        return [tensor.flat_values, *tensor.nested_row_splits]
    return [tensor]


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
        **kwargs: fetches: a tensor, or a list of tensors, that is computed too. feed_dict: a dict:
            tensor -> value that is fed too. options: RunOptions. run_metadata: a RunMetadata that
            each call fills.

    Returns:
        A function of a list of arrays that returns arrays in the structure of outputs.

    Raises:
        ValueError: There are further arguments.
    """
    return Function(inputs, outputs, updates, name, **checked_arguments(kwargs))


def checked_arguments(kwargs):
    """The arguments for steps of a session. ValueError: there is another one."""
    for key in sorted(kwargs):
        if key not in ("fetches", "feed_dict", "options", "run_metadata"):
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
    return kwargs
