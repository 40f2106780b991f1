# SPDX-License-Identifier: Apache-2.0
"""Gradients of the operations that are made inside of a `with`."""

import contextlib

from .. import nest
from ..dtypes import resource
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.elements import id_of, is_ref, operation_of
from ..graph.keys import GraphKeys
from . import raw_ops
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
        found = iter(gradients(
            nest.flatten(target), known, output_gradients, stop_gradients=list(outside.values()),
            unconnected_gradients=unconnected_gradients,
        ) if known else [])  # fmt: skip
        results = [next(found) if self._knows(x) else None for x in xs]
        if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            results = [x * 0 if r is None else r for x, r in zip(xs, results)]
        return nest.pack_sequence_as(sources, results)

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE,
                 parallel_iterations=None, experimental_use_pfor=True):  # fmt: skip
        """Computes the derivative of every element of a tensor. Each has nodes of its own.

        Args:
            target: A tensor of known shape.
            sources: A tensor or a variable, or a structure of them.
            unconnected_gradients: As of gradient().
            parallel_iterations: Accepted. It has no effect.
            experimental_use_pfor: Accepted. It has no effect.

        Returns:
            The structure of sources, with a tensor [shape of target, shape of x] or None each.

        Raises:
            RuntimeError: It is called again, and the tape is not persistent.
            ValueError: The shape of target is not known.
        """
        del parallel_iterations, experimental_use_pfor
        target, sides = _of_known_shape(target), nest.flatten(sources)
        elements = _parts(target, [-1], 0)
        by_element = [self._slopes(y, sides, unconnected_gradients) for y in elements]
        self._used = True
        made = [_joined(rows, 0) for rows in zip(*by_element)] if elements else sides
        for i, (x, joined) in enumerate(zip(sides, made)):
            if joined is not None:
                made[i] = _shaped(joined, target, x, 0)
        return nest.pack_sequence_as(sources, made)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE,
                       parallel_iterations=None, experimental_use_pfor=True):  # fmt: skip
        """Computes the derivatives of every example of a batch by the same example.

        Args:
            target: A tensor [b, ...], of known shape without b. Example i depends on example i of
                source only.
            source: A tensor [b, ...].
            unconnected_gradients: As of gradient().
            parallel_iterations: Accepted. It has no effect.
            experimental_use_pfor: Accepted. It has no effect.

        Returns:
            A tensor [shape of target, shape of source without b], or None.

        Raises:
            RuntimeError: It is called again, and the tape is not persistent.
            ValueError: The sizes of the batches differ, or the shape of target is not known.
        """
        del parallel_iterations, experimental_use_pfor
        one, other = target.shape[0].value, source.shape[0].value
        if None not in (one, other) and one != other:
            raise ValueError(
                f"Need first dimension of target shape ({target.shape}) and source shape "
                f"({source.shape}) to match."
            )
        size = _of_known_shape(target, 1).shape[1:].num_elements()
        columns = _parts(target, [-1, size], 1)
        slopes = [self._slopes(y, [source], unconnected_gradients)[0] for y in columns]
        self._used = True
        joined = _joined(slopes, 1)
        return None if joined is None else _shaped(joined, target, source, 1)

    def _slopes(self, y, sources, unconnected):
        """gradient(), which does not count as the only call that is allowed."""
        if not self._persistent and self._recording:
            self._pause()
        used = self._used
        found = self.gradient(y, sources, unconnected_gradients=unconnected)
        self._used = used
        return found

    def _knows(self, x):
        if any(x is w for w in self._watched):
            return True
        if hasattr(x, "initializer"):
            return self._all_variables and getattr(x, "trainable", True)
        return self._holds(id_of(x.op))


def _of_known_shape(target, first=0):
    """The target. ValueError: its shape from a dimension on is not known."""
    sides = None if target.shape.ndims is None else target.shape.as_list()[first:]
    if sides is None or None in sides:
        raise ValueError(
            f"the derivative of every element needs a known shape, but {target.name} has the "
            f"shape {target.shape}"
        )
    return target


def _parts(target, shape, axis):
    """The tensors along a dimension of a target that gets another shape."""
    flat = raw_ops.Reshape(tensor=target, shape=shape)
    count = target.shape.num_elements() if axis == 0 else shape[1]
    return list(raw_ops.Unpack(value=flat, num=count, axis=axis))


def _joined(parts, axis):
    if any(part is None for part in parts):
        return None
    return raw_ops.Pack(values=[convert_to_tensor(part) for part in parts], axis=axis)


def _shaped(joined, target, source, first):
    """Derivatives in the shape of the target and of the source from a dimension on."""
    target_shape = raw_ops.Shape(input=target)
    source_shape = raw_ops.Shape(input=convert_to_tensor(source))[first:]
    shape = raw_ops.ConcatV2(values=[target_shape, source_shape], axis=0)
    return raw_ops.Reshape(tensor=joined, shape=shape)


__all__ = with_names(globals())
