# SPDX-License-Identifier: Apache-2.0
"""Iterators: where the elements of data sets enter the graph."""

import warnings

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import (
    add_to_collection,
    colocate_with,
    device,
    get_default_graph,
    name_scope,
)
from ..graph.elements import Tensor
from ..graph.state import state_of
from ..graph.tensor_shape import TensorShape
from ..ops import raw_ops
from ..ops.functions.tracing import TracedFunction
from . import specs
from .capturing import ByValue
from .options import optimizations
from .shapes import shapes_of
from .statistics import aggregator_of
from .structure import assert_same, leaves, mapped, mapped_up_to
from .variants import all_functions, variant_of

_MANY = 32  # calls of get_next() of one iterator: more are a mistake


class Iterator:
    """The elements of a data set, one by one: a resource of a task.

    Programs make it by Dataset.make_one_shot_iterator() and its like.

    Args:
        iterator_resource: The tensor of the resource.
        initializer: The Operation that begins with the first element, or None.
        output_types: Dtypes of an element, in its structure.
        output_shapes: Shapes of an element, in its structure.
        output_classes: Classes of an element, in its structure.
    """

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes):
        self._resource, self._initializer = iterator_resource, initializer
        self._spec = specs.from_legacy(output_types, output_shapes, output_classes)
        self._string_handle = raw_ops.IteratorToStringHandle(resource_handle=iterator_resource)
        self._calls = 0
        add_to_collection("iterators", iterator_resource)

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        """Makes an iterator that can be given the elements of several data sets.

        Args:
            output_types: Dtypes of an element, in its structure.
            output_shapes: Shapes of an element, in the same structure. None: any.
            shared_name: Name under which sessions share it, a str. None: each has its own.
            output_classes: Tensor or SparseTensor, in the same structure. None: Tensor.

        Returns:
            An Iterator, to be given a data set by make_initializer().

        Raises:
            ValueError: The structures differ.
            TypeError: The structures differ.
        """
        spec = _from_types(output_types, output_shapes, output_classes)
        with on_cpu():
            resource = raw_ops.IteratorV2(
                container="", shared_name=shared_name or "", **shapes_of(spec)
            )
        return _iterator(resource, None, spec)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        """Makes an iterator that a handle chooses in every run.

        Args:
            string_handle: What another iterator's string_handle() gave, a string scalar.
            output_types: Dtypes of an element, in its structure.
            output_shapes: Shapes of an element, in the same structure. None: any.
            output_classes: Tensor or SparseTensor, in the same structure. None: Tensor.

        Returns:
            An Iterator.

        Raises:
            ValueError: The structures differ.
            TypeError: The structures differ.
        """
        spec = _from_types(output_types, output_shapes, output_classes)
        handle = convert_to_tensor(string_handle, dtypes.string)
        with on_cpu():
            resource = raw_ops.IteratorFromStringHandleV2(string_handle=handle, **shapes_of(spec))
        return _iterator(resource, None, spec)

    @property
    def initializer(self):
        """The Operation that begins with the first element.

        Raises:
            ValueError: The iterator has none.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset, name=None):
        """Makes an operation that lets the iterator begin with a data set.

        Args:
            dataset: A Dataset whose elements are of the iterator's structure.
            name: Name of the operation, a str. None: a default name.

        Returns:
            An Operation.

        Raises:
            TypeError: Dtypes, shapes or classes differ.
            ValueError: The structure differs.
        """
        with name_scope(name, "make_initializer") as scope:
            _check_same(self._spec, dataset.element_spec)
        with colocate_with(self._resource.op):
            return raw_ops.MakeIterator(
                dataset=variant_of(dataset), iterator=self._resource, name=scope
            )

    def get_next(self, name=None):
        """Makes the tensors of the next element: each run takes one.

        A run at the end raises errors.OutOfRangeError. Call it once, outside of the training loop.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An element: tensors in its structure.
        """
        self._calls += 1
        if self._calls > _MANY:
            warnings.warn(
                f"get_next() was called {self._calls} times: each call adds operations to the"
                " graph; call it once, outside of the loop",
                stacklevel=2,
            )
        return next_of(self, name)

    def string_handle(self, name=None):
        """Returns the handle that from_string_handle() takes.

        Args:
            name: Name of the operation, a str. None: the operation that exists.

        Returns:
            A string scalar.
        """
        if name is None:
            return self._string_handle
        return raw_ops.IteratorToStringHandle(resource_handle=self._resource, name=name)

    @property
    def element_spec(self):
        """The structure of elements: a TensorSpec, SparseTensorSpec or DatasetSpec for each
        leaf."""
        return self._spec

    @property
    def output_types(self):
        """The dtypes of an element, in its structure."""
        return specs.legacy(self._spec, 0)

    @property
    def output_shapes(self):
        """The shapes of an element, TensorShapes in its structure."""
        return specs.legacy(self._spec, 1)

    @property
    def output_classes(self):
        """The classes of an element, Tensor or SparseTensor in its structure."""
        return specs.legacy(self._spec, 2)


def next_of(iterator, name):
    """The tensors of an iterator's next element: see Iterator.get_next()."""
    spec = iterator.element_spec
    found = raw_ops.add_op(
        "IteratorGetNext", name, {"iterator": resource_of(iterator), **shapes_of(spec)}
    )
    return specs.from_tensors(spec, found)


def resource_of(iterator):
    """The tensor of an iterator's resource."""
    return iterator._resource


def _iterator(resource, initializer, spec):
    return Iterator(resource, initializer, *(specs.legacy(spec, i) for i in range(3)))


def on_cpu():
    """A scope for an iterator that the program puts nowhere: a CPU."""
    state = state_of(get_default_graph())
    return state.within() if state.devices else device("/cpu:0")


def _from_types(types, shapes, classes):
    types = mapped(dtypes.as_dtype, types)
    if shapes is None:
        shapes = mapped(lambda _: TensorShape(None), types)
    else:
        shapes = mapped_up_to(TensorShape, types, shapes)
    if classes is None:
        classes = mapped(lambda _: Tensor, types)
    assert_same(types, classes)
    return specs.from_legacy(types, shapes, classes)


def _check_same(spec, other):
    """Raises an error for elements that an iterator cannot take."""
    assert_same(spec, other)
    for what, words in ((2, "class"), (0, "types")):
        ours, theirs = specs.legacy(spec, what), specs.legacy(other, what)
        if leaves(ours) != leaves(theirs):
            raise TypeError(
                f"Expected output {words.replace('class', 'classes')} {ours!r} but got dataset with"
                f" output {words} {theirs!r}."
            )
    ours, theirs = specs.legacy(spec, 1), specs.legacy(other, 1)
    for one, more in zip(leaves(ours), leaves(theirs)):
        if not one.is_compatible_with(more):
            raise TypeError(
                f"Expected output shapes compatible with {ours!r} but got dataset with output"
                f" shapes {theirs!r}."
            )


def prepared(dataset):
    """The variant of a data set with the operations that its options ask for."""
    options = dataset.options()
    threading = options.experimental_threading
    spec, variant = dataset.element_spec, variant_of(dataset)

    def then(op, **arguments):
        return raw_ops.add_op(op, None, {"input_dataset": variant, **arguments, **shapes_of(spec)})

    for op, name in (
        ("MaxIntraOpParallelismDataset", "max_intra_op_parallelism"),
        ("PrivateThreadPoolDataset", "private_threadpool_size"),
    ):
        value = getattr(threading, name)
        if value is not None:
            argument = name.replace("private_threadpool_size", "num_threads")
            variant = then(op, **{argument: convert_to_tensor(value, dtypes.int64, argument)})
    names, configs = optimizations(options)
    if names and not _reads_reference(dataset):
        given = convert_to_tensor(names, dtypes.string, "optimizations")
        variant = then("OptimizeDataset", optimizations=given, optimization_configs=configs)
    tuning = options.experimental_optimization
    if tuning.autotune is not False:
        more = {"cpu_budget": tuning.autotune_cpu_budget or 0}
        if tuning.autotune_algorithm:
            more["algorithm"] = tuning.autotune_algorithm
        variant = then("ModelDataset", **more)
    stats = options.experimental_stats
    if stats.aggregator:
        variant = then(
            "SetStatsAggregatorDataset", stats_aggregator=aggregator_of(stats.aggregator),
            tag=stats.prefix, counter_prefix=stats.counter_prefix,
        )  # fmt: skip
    return variant


def _reads_reference(dataset):
    """Whether a function of the data set uses a reference variable: then it is not optimised."""
    return any(f.reads_reference() for f in all_functions(dataset))


def make_one_shot(dataset):
    """Dataset.make_one_shot_iterator()."""
    graph = get_default_graph()
    try:
        made = TracedFunction(graph, lambda: prepared(dataset), body_class=ByValue)
    except ValueError as e:
        if "cannot be part of a function" not in str(e):
            raise
        raise ValueError(
            "Failed to create a one-shot iterator for a dataset."
            " `Dataset.make_one_shot_iterator()` does not support datasets that capture stateful"
            " objects, such as a `Variable` or `LookupTable`. In these cases, use"
            f" `Dataset.make_initializable_iterator()`. (Original error: {e})"
        ) from None
    name = made.add_to(graph, "make_dataset", [])
    resource = raw_ops.OneShotIterator(dataset_factory=name, **shapes_of(dataset.element_spec))
    return _iterator(resource, None, dataset.element_spec)


def make_initializable(dataset, shared_name):
    """Dataset.make_initializable_iterator()."""
    variant = prepared(dataset)
    resource = raw_ops.IteratorV2(
        container="", shared_name=shared_name or "", **shapes_of(dataset.element_spec)
    )
    with colocate_with(resource.op):
        initializer = raw_ops.MakeIterator(dataset=variant, iterator=resource)
    return _iterator(resource, initializer, dataset.element_spec)
