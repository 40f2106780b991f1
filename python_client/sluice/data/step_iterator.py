# SPDX-License-Identifier: Apache-2.0
"""iter() of a data set."""

from ..graph.default_graph import control_dependencies, get_default_graph
from ..ops import raw_ops
from ..ops.functions.tracing import Body
from .iterators import Iterator, next_of, on_cpu, prepared
from .shapes import shapes_of

_MOST = 10_000  # calls of next() of one iterator: more are a loop that never ends


class StepIterator:
    """The elements of a data set from the first on, in each call of the function that makes it.

    Programs make it by iter(dataset) inside of function().

    Args:
        dataset: The Dataset.

    Raises:
        RuntimeError: No function is being made.
    """

    def __init__(self, dataset):
        if not isinstance(get_default_graph(), Body):
            raise RuntimeError(
                "__iter__() is only supported inside of tf.function or when eager execution is"
                " enabled: use make_one_shot_iterator()"
            )
        self._spec, self._calls = dataset.element_spec, 0
        shapes = shapes_of(self._spec)
        with on_cpu():
            made, _ = raw_ops.add_op("AnonymousIteratorV2", None, shapes)
            begin = raw_ops.MakeIterator(dataset=prepared(dataset), iterator=made)
            with control_dependencies([begin]):
                self._resource = raw_ops.Identity(input=made)

    def __iter__(self):
        return self

    def __next__(self):
        return self.get_next()

    next = __next__

    def get_next(self, name=None):
        """Makes the tensors of the next element.

        At the end, a run raises errors.OutOfRangeError.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An element: tensors in its structure.

        Raises:
            RuntimeError: It is called far too often.
        """
        self._calls += 1
        if self._calls > _MOST:
            raise RuntimeError(
                f"next() is called {_MOST} times: a loop of Python over a data set does not end;"
                " AutoGraph converts `for` statements of the function"
            )
        return next_of(self, name)

    element_spec = Iterator.element_spec
    output_types = Iterator.output_types
    output_shapes = Iterator.output_shapes
    output_classes = Iterator.output_classes
