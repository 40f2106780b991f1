# SPDX-License-Identifier: Apache-2.0
"""Gradients of the operations that are made inside of a `with`."""

import contextlib

from .. import nest
from ..dtypes import resource
from ..graph.default_graph import get_default_graph
from ..graph.elements import id_of, is_ref, operation_of
from ..graph.keys import GraphKeys
from .building import with_names
from .differentiate import UnconnectedGradients, gradients


class GradientTape:
    """Finds the operations that a program makes inside of a `with`, and computes their gradients.

    What was made before counts as constant.

    Args:
        persistent: Whether gradient() can be called several times. A bool.
        watch_accessed_variables: Whether trainable variables are watched. A bool.

    Example:
        >>> x = sl.constant(3.0)
        >>> with sl.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> sl.Session().run(tape.gradient(y, x))
        6.0
    """

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._all_variables = persistent, watch_accessed_variables
        self._graph, self._spans, self._watched = None, [], []
        self._recording, self._used = False, False

    def __enter__(self):
        if self._recording:
            raise ValueError("Tape is already recording.")
        self._graph, self._recording = get_default_graph(), True
        self._spans.append([self._graph.version, None])
        return self

    def __exit__(self, *_):
        if self._recording:
            self._pause()

    def _pause(self):
        self._spans[-1][1], self._recording = self._graph.version, False

    def watch(self, tensor):
        """Lets gradient() return gradients for tensors and variables that were made before.

        Args:
            tensor: A tensor or a variable, or a structure of them.
        """
        self._watched += nest.flatten(tensor)

    @contextlib.contextmanager
    def stop_recording(self):
        """Lets operations not count.

        Returns:
            A context manager, inside of which they do not.

        Raises:
            ValueError: The tape does not record.
        """
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._pause()
        try:
            yield
        finally:
            self._spans.append([self._graph.version, None])
            self._recording = True

    def reset(self):
        """Forgets all operations and what is watched."""
        self._spans, self._watched = [], []
        if self._recording:
            self._spans.append([self._graph.version, None])

    def watched_variables(self):
        """Finds the variables that gradient() knows.

        Returns:
            A tuple of variables.
        """
        with self._graph.as_default():
            known = self._graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        used = {id_of(tensor.op) for op in self._operations() for tensor in op.inputs}
        own = [v for v in self._watched if hasattr(v, "initializer")]
        read = [v for v in known if self._all_variables and id_of(v.op) in used]
        return (*own, *(v for v in read if not any(v is w for w in own)))

    def _holds(self, node):
        return any(a <= node and (b is None or node < b) for a, b in self._spans)

    def _operations(self):
        for first, last in self._spans:
            for node in range(first, self._graph.version if last is None else last):
                yield operation_of(self._graph, node)

    def gradient(self, target, sources, output_gradients=None,
                 unconnected_gradients=UnconnectedGradients.NONE):  # fmt: skip
        """Computes d sum(target) / dx for every x of sources.

        Args:
            target: A tensor, or a structure of tensors.
            sources: A tensor or a variable, or a structure of them.
            output_gradients: The gradients of target, a list of tensors. None: ones.
            unconnected_gradients: UnconnectedGradients.NONE or ZERO: what an x gets that is not
                watched, or that no target depends on.

        Returns:
            The structure of sources, with a tensor, IndexedSlices or None for each x.

        Raises:
            RuntimeError: It is called again, and the tape is not persistent.
        """
        if self._used and not self._persistent:
            raise RuntimeError(
                "GradientTape.gradient can only be called once on non-persistent tapes."
            )
        self._used = True
        if self._recording and not self._persistent:
            self._pause()
        outside = {
            id(tensor): tensor for op in self._operations() for tensor in op.inputs
            if not (tensor.dtype == resource or is_ref(tensor) or self._holds(id_of(tensor.op)))
        }  # fmt: skip
        xs = nest.flatten(sources)
        known = [x for x in xs if self._knows(x)]
        if output_gradients is not None:
            output_gradients = nest.flatten(output_gradients)
        zero = getattr(unconnected_gradients, "value", unconnected_gradients)
        found = iter(gradients(
            nest.flatten(target), known, output_gradients, stop_gradients=list(outside.values()),
            unconnected_gradients=unconnected_gradients,
        ) if known else [])  # fmt: skip
        results = [next(found) if self._knows(x) else None for x in xs]
        if zero == UnconnectedGradients.ZERO:
            results = [x * 0 if r is None else r for x, r in zip(xs, results)]
        return nest.pack_sequence_as(sources, results)

    def _knows(self, x):
        if any(x is w for w in self._watched):
            return True
        if hasattr(x, "initializer"):
            return self._all_variables and getattr(x, "trainable", True)
        return self._holds(id_of(x.op))


__all__ = with_names(globals())
