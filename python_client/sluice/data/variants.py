# SPDX-License-Identifier: Apache-2.0
"""A data set as one tensor of the graph, with the structure of its elements."""

from .. import dtypes
from ..graph.tensor_shape import TensorShape
from ..ops import raw_ops
from . import specs
from .options import Options
from .shapes import shapes_of
from .structure import assert_same

_classes = []  # the class of data sets


def make_data_sets_of(cls):
    """Sets the class of the data sets that functions here make.

    Args:
        cls: A class that derives from Variant. It is returned, so that this is a decorator.
    """
    _classes.append(cls)
    return cls


class Variant:
    """What every data set is.

    Args:
        variant: The tensor that stands for the data set in the graph.
        element_spec: The structure of its elements.
        inputs: The data sets that it is made of, a list.
        functions: The functions that it calls, a list.
        options: Its own options, an Options or None.
    """

    def __init__(self, variant, element_spec, inputs=(), functions=(), options=None):
        self._variant, self._spec = variant, element_spec
        self._inputs, self._functions = list(inputs), list(functions)
        self._options = options

    def __repr__(self):
        shapes, types = (specs.legacy(self.element_spec, i) for i in (1, 0))
        return f"<{type(self).__name__} shapes: {shapes}, types: {types}>"

    @property
    def element_spec(self):
        """The structure of elements: a TensorSpec, SparseTensorSpec or DatasetSpec for each
        leaf."""
        return self._spec

    @property
    def output_types(self):
        """The dtypes of an element, in its structure."""
        return specs.legacy(self.element_spec, 0)

    @property
    def output_shapes(self):
        """The shapes of an element, TensorShapes in its structure."""
        return specs.legacy(self.element_spec, 1)

    @property
    def output_classes(self):
        """The classes of an element, Tensor or SparseTensor in its structure."""
        return specs.legacy(self.element_spec, 2)

    def options(self):
        """Returns the options of this data set and of those that it is made of.

        Returns:
            An Options.
        """
        merged = Options()
        for dataset in made_of(self):
            if dataset._options is not None:
                merged = merged.merge(dataset._options)
        return merged


def dataset_of(variant, element_spec, inputs=(), functions=(), options=None):
    """Makes a data set: see Variant."""
    return _classes[-1](variant, element_spec, inputs, functions, options)


def then(dataset, op, spec=None, functions=(), inputs=(), typed=True, **arguments):
    """Makes the data set of an operation on another one.

    Args:
        dataset: The data set.
        op: The op, a str.
        spec: The structure of elements. None: that of the data set.
        functions: The functions that the operation calls, a list.
        inputs: The other data sets that it takes, a list.
        typed: Whether the op has an attribute output_types. A bool.
        **arguments: The op's other arguments.

    Returns:
        A data set.
    """
    spec = dataset.element_spec if spec is None else spec
    shapes = shapes_of(spec)
    if not typed:
        del shapes["output_types"]
    given = {"input_dataset": dataset._variant, **arguments, **shapes}
    return dataset_of(raw_ops.add_op(op, None, given), spec, [dataset, *inputs], functions)


def variant_of(dataset):
    """The tensor that stands for a data set."""
    return dataset._variant


def same_as(dataset):
    """The arguments of a Variant that is the same as a data set."""
    return dataset._variant, dataset.element_spec, dataset._inputs, dataset._functions


def made_of(dataset):
    """The data sets that one is made of, itself last, each once."""
    todo, seen, found = [dataset], set(), []
    while todo:
        one = todo[-1]
        missing = [other for other in one._inputs if id(other) not in seen]
        if missing:
            todo += missing
            continue
        if id(one) not in seen:
            seen.add(id(one))
            found.append(one)
        todo.pop()
    return found


def all_functions(dataset):
    """The functions that a data set and those that it is made of call."""
    return [function for one in made_of(dataset) for function in one._functions]


class DatasetSpec(specs.Spec):
    """The kind of a leaf that is a data set itself, as of window().

    Args:
        element_spec: The structure of its elements.
        dataset_shape: The shape of a batch of data sets. (): one data set.
    """

    def __init__(self, element_spec, dataset_shape=()):
        self._element_spec, self._dataset_shape = element_spec, TensorShape(dataset_shape)

    @property
    def value_type(self):
        """The class of the values."""
        return _classes[-1]

    @staticmethod
    def from_value(value):
        """Returns the spec of a data set.

        Args:
            value: A Dataset.

        Returns:
            A DatasetSpec.
        """
        return DatasetSpec(value.element_spec)

    def _key(self):
        return repr(self._element_spec), repr(self._dataset_shape)

    def _fits(self, other):
        return specs.compatible(self._element_spec, other._element_spec)

    def _joined(self, other):
        assert_same(self._element_spec, other._element_spec)
        return DatasetSpec(
            specs.weakened(self._element_spec, other._element_spec), self._dataset_shape
        )

    def __repr__(self):
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape})"


def elements_of(spec):
    """The structure of the elements of a data set with a DatasetSpec; None for other specs."""
    return spec._element_spec if isinstance(spec, DatasetSpec) else None


class _Nested:
    """How a data set passes: as a variant."""

    @staticmethod
    def flat(spec):
        return dtypes.variant, spec._dataset_shape

    @staticmethod
    def encoded(spec, value):
        return value._variant

    rows = encoded

    @staticmethod
    def decoded(spec, tensor):
        if spec._dataset_shape.ndims:
            raise ValueError("a batch of data sets cannot be used")
        return dataset_of(tensor, spec._element_spec)

    @staticmethod
    def batch(spec, size):
        shape = TensorShape([size]).concatenate(spec._dataset_shape)
        return DatasetSpec(spec._element_spec, shape)

    @staticmethod
    def unbatch(spec):
        if not spec._dataset_shape.ndims:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return DatasetSpec(spec._element_spec, spec._dataset_shape[1:])

    @staticmethod
    def legacy(spec):
        return spec, spec, spec

    @staticmethod
    def weakened(spec, other):
        return spec.most_specific_compatible_type(other)


def _spec_of_dataset(value):
    return DatasetSpec(value.element_spec) if isinstance(value, Variant) else None


specs.add_kind(DatasetSpec, _Nested, _spec_of_dataset)
