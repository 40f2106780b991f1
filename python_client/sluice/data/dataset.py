# SPDX-License-Identifier: Apache-2.0
"""Data sets: sequences of elements that the servers produce."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.elements import attr_of
from ..ops import raw_ops
from ..ops.functions.functions import TensorSpec
from ..ops.sparse.sparse_tensor import SparseTensor
from . import generators, iterators, specs
from .files import list_files
from .functions import ElementFunction, of_data_sets, of_states
from .padding import padded_batch
from .same_elements import SameElements, int64
from .shapes import shapes_of
from .step_iterator import StepIterator
from .structure import leaves, mapped
from .variants import DatasetSpec, make_data_sets_of, then, variant_of

_AUTOTUNE = -1


@make_data_sets_of
class Dataset(SameElements):
    """A sequence of elements that a task produces: the input of a program.

    An element is a tensor, or tuples and dicts of tensors and SparseTensors. Methods return new
    data sets. An iterator gives the elements to the graph: see make_one_shot_iterator(). Programs
    do not call the class.

    Args:
        variant: The tensor that stands for the data set in the graph.
        element_spec: The structure of its elements.
        inputs: The data sets that it is made of, a list.
        functions: The functions that it calls, a list.
        options: Its own options, an Options or None.

    Example:
        >>> numbers = sl.data.Dataset.range(5).map(lambda x: x * x).batch(2)
        >>> batch = numbers.make_one_shot_iterator().get_next()
        >>> with sl.Session() as session:
        ...     print(session.run(batch), session.run(batch))
        [0 1] [4 9]
    """

    def __iter__(self):
        return StepIterator(self)

    # ---- sources

    @staticmethod
    def from_tensors(tensors):
        """Makes a data set of one element.

        Args:
            tensors: An element: tensors, or what can be converted to them, in a structure.

        Returns:
            A Dataset.
        """
        with name_scope("normalize_element"):
            element = specs.normalized(tensors)
        spec = specs.spec_of(element)
        shapes = shapes_of(spec)["output_shapes"]
        found = specs.to_tensors(spec, element)
        return Dataset(raw_ops.TensorDataset(components=found, output_shapes=shapes), spec)

    @staticmethod
    def from_tensor_slices(tensors):
        """Makes a data set of the slices of tensors along their first dimension.

        Args:
            tensors: Tensors, or what can be converted to them, in a structure. All have the same
                first size.

        Returns:
            A Dataset.

        Raises:
            ValueError: A tensor is a scalar, or first sizes differ.
        """
        with name_scope("normalize_element"):
            element = specs.normalized(tensors)
        whole = specs.spec_of(element)
        for spec, leaf in zip(leaves(whole), leaves(element)):
            if getattr(spec, "shape", None) is not None and spec.shape.ndims == 0:
                raise ValueError(f"Value {leaf} has insufficient rank for batching.")
        sizes = _first_sizes(specs.flat_shapes(whole))
        if len(sizes) > 1:
            raise ValueError(f"Dimensions {' and '.join(map(str, sizes))} are not compatible")
        spec, found = specs.unbatched(whole), specs.to_rows(whole, element)
        shapes = shapes_of(spec)["output_shapes"]
        return Dataset(raw_ops.TensorSliceDataset(components=found, output_shapes=shapes), spec)

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        """Makes a data set of the rows of a SparseTensor.

        Args:
            sparse_tensor: A SparseTensor.

        Returns:
            A Dataset, whose elements are tuples: indices, values and shape of a row.

        Raises:
            TypeError: It is not a SparseTensor.
        """
        sparse = sparse_tensor
        if not isinstance(sparse, SparseTensor):
            raise TypeError(f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse}.")
        sizes = sparse.indices.shape[1].value, sparse.dense_shape.shape[0].value
        known = [size - 1 for size in sizes if size is not None]
        rank = known[0] if known else None
        spec = (
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], sparse.dtype),
            TensorSpec([rank], dtypes.int64),
        )
        variant = raw_ops.SparseTensorSliceDataset(
            indices=sparse.indices, values=sparse.values, dense_shape=sparse.dense_shape
        )
        return Dataset(variant, spec)

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        """Makes a data set of what a Python generator gives.

        The generator runs in the process of the program: see py_func(). It is called again each
        time the data set is read from its begin.

        Args:
            generator: A function that returns an iterable of elements.
            output_types: Dtypes of an element, in its structure.
            output_shapes: The shapes, in the same structure. None: not known.
            args: Tensors that the generator is given as arrays, a tuple. None: none.

        Returns:
            A Dataset.

        Raises:
            TypeError: generator is not a function.

        Example:
            >>> numbers = sl.data.Dataset.from_generator(lambda: iter([1, 2]), sl.int32, [])
            >>> value = numbers.make_one_shot_iterator().get_next()
            >>> with sl.Session() as session:
            ...     print(session.run(value), session.run(value))
            1 2
        """
        return generators.from_generator(
            Dataset.from_tensors(0), generator, output_types, output_shapes, args
        )

    @staticmethod
    def range(*args):
        """Makes a data set of the numbers of a range.

        Args:
            *args: As of Python's range(): ints, or int64 scalars.

        Returns:
            A Dataset of int64 scalars.

        Raises:
            ValueError: There are more than three arguments, or none.
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}. range() takes 1 to 3")
        given = {1: (0, *args, 1), 2: (*args, 1), 3: args}[len(args)]
        names = ("start", "stop", "step")
        parts = {n: convert_to_tensor(v, dtypes.int64, n) for n, v in zip(names, given)}
        spec = TensorSpec([], dtypes.int64)
        return Dataset(raw_ops.RangeDataset(**parts, **shapes_of(spec)), spec)

    @staticmethod
    def zip(datasets):
        """Makes a data set whose elements have one element of each of several.

        Args:
            datasets: Datasets in a structure of tuples and dicts.

        Returns:
            A Dataset, which ends with the shortest.

        Raises:
            TypeError: A leaf of the structure is not a Dataset.
        """
        for one in leaves(datasets):
            if not isinstance(one, Dataset):
                hint = " Nested structures do not support Python lists; please use a tuple instead."
                raise TypeError(
                    "The argument to `Dataset.zip()` must be a nested structure of `Dataset`"
                    f" objects.{hint if isinstance(one, list) else f' It has {one!r}'}"
                )
        spec = mapped(lambda dataset: dataset.element_spec, datasets)
        inputs = leaves(datasets)
        variants = [variant_of(dataset) for dataset in inputs]
        made = raw_ops.ZipDataset(input_datasets=variants, **shapes_of(spec))
        return Dataset(made, spec, inputs)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        """Makes a data set of the names of files. The tasks look for them, when the iterator is
        made.

        Args:
            file_pattern: Patterns such as "/data/*.txt": a str, a list of str or a tensor.
            shuffle: Whether the names come in random order. A bool. None: they do.
            seed: Seed of the order, an int.

        Returns:
            A Dataset of string scalars.

        Raises:
            errors.InvalidArgumentError: In run(): no file matches.
        """
        return list_files(Dataset, file_pattern, shuffle, seed)

    # ---- elements of others

    def enumerate(self, start=0):
        """Numbers the elements.

        Args:
            start: The first number, an int or int64 scalar.

        Returns:
            A Dataset of tuples: number, element.
        """
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def batch(self, batch_size, drop_remainder=False):
        """Joins elements to batches.

        Args:
            batch_size: How many, an int or int64 scalar.
            drop_remainder: Whether a smaller batch at the end is left out. A bool or bool scalar.

        Returns:
            A Dataset, whose elements have one dimension more.
        """
        size = int64(batch_size, "batch_size")
        drop = convert_to_tensor(drop_remainder, dtypes.bool_, "drop_remainder")
        spec = specs.batched(self.element_spec, static_size(size, drop))
        return then(self, "BatchDatasetV2", spec, batch_size=size, drop_remainder=drop)

    def padded_batch(self, batch_size, padded_shapes, padding_values=None, drop_remainder=False):
        """Joins elements to batches, and pads them to one shape.

        Args:
            batch_size: How many, an int or int64 scalar.
            padded_shapes: Shapes to pad to, in the structure of elements; None where a size is the
                largest of the batch.
            padding_values: Scalars to pad with, in the structure of elements. None: 0 or "".
            drop_remainder: Whether a smaller batch at the end is left out. A bool or bool scalar.

        Returns:
            A Dataset.

        Raises:
            TypeError: An element has a SparseTensor, or a value has another dtype.
            ValueError: A shape does not fit.
        """
        return padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    def map(self, map_func, num_parallel_calls=None):
        """Applies a function to every element.

        Args:
            map_func: A function of an element that returns one. It is called once, to trace it. It
                takes the parts of a tuple as arguments.
            num_parallel_calls: How many elements are computed at once, an int or int32 scalar.
                -1: the task chooses. None: one.

        Returns:
            A Dataset of what the function returns.

        Raises:
            TypeError: The function returns what cannot be part of an element.
        """
        made = ElementFunction(map_func, "Dataset.map()", self.element_spec)
        arguments = {"f": made.name, "other_arguments": made.captured}
        if num_parallel_calls is None:
            return then(self, "MapDataset", made.structure, [made], **arguments)
        calls = convert_to_tensor(num_parallel_calls, dtypes.int32, "num_parallel_calls")
        return then(
            self,
            "ParallelMapDataset",
            made.structure,
            [made],
            num_parallel_calls=calls,
            **arguments,
        )

    def map_with_legacy_function(self, map_func, num_parallel_calls=None):
        """Applies a function to every element, as map().

        Args:
            map_func: A function of an element that returns one.
            num_parallel_calls: As of map().

        Returns:
            A Dataset.
        """
        return self.map(map_func, num_parallel_calls)

    def flat_map(self, map_func):
        """Makes a data set of every element, and takes them one after the other.

        Args:
            map_func: A function of an element that returns a Dataset.

        Returns:
            A Dataset.

        Raises:
            TypeError: The function returns something else.
        """
        made, spec = of_data_sets(map_func, "Dataset.flat_map()", self.element_spec)
        return then(
            self, "FlatMapDataset", spec, [made], f=made.name, other_arguments=made.captured
        )

    def interleave(self, map_func, cycle_length=_AUTOTUNE, block_length=1, num_parallel_calls=None):
        """Makes a data set of every element, and takes from several in turn.

        Args:
            map_func: A function of an element that returns a Dataset.
            cycle_length: From how many in turn, an int or int64 scalar. -1: the task chooses.
            block_length: How many elements of each, an int or int64 scalar.
            num_parallel_calls: How many are computed at once, an int or int64 scalar. -1: the task
                chooses. None: one.

        Returns:
            A Dataset.

        Raises:
            TypeError: The function returns something else.
        """
        made, spec = of_data_sets(map_func, "Dataset.interleave()", self.element_spec)
        arguments = {
            "cycle_length": int64(cycle_length, "cycle_length"),
            "block_length": int64(block_length, "block_length"),
            "f": made.name,
            "other_arguments": made.captured,
        }
        if num_parallel_calls is None:
            return then(self, "InterleaveDataset", spec, [made], **arguments)
        arguments["num_parallel_calls"] = int64(num_parallel_calls, "num_parallel_calls")
        return then(self, "ParallelInterleaveDatasetV2", spec, [made], **arguments)

    def apply(self, transformation_func):
        """Applies a function of data sets, such as those of data.experimental.

        Args:
            transformation_func: A function of a Dataset that returns one.

        Returns:
            A Dataset.

        Raises:
            TypeError: The function returns something else.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        return dataset

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        """Makes data sets of neighbouring elements.

        Args:
            size: How many elements each has, an int or int64 scalar.
            shift: How far the next one begins after the last, an int or int64 scalar. None: `size`.
            stride: How far apart the elements of one are, an int or int64 scalar.
            drop_remainder: Whether smaller ones at the end are left out. A bool or bool scalar.

        Returns:
            A Dataset, whose elements have Datasets as leaves.
        """
        shift = size if shift is None else shift
        given = {"size": size, "shift": shift, "stride": stride}
        arguments = {name: int64(value, name) for name, value in given.items()}
        drop = convert_to_tensor(drop_remainder, dtypes.bool_, "drop_remainder")
        spec = mapped(DatasetSpec, self.element_spec)
        return then(self, "WindowDataset", spec, drop_remainder=drop, **arguments)

    def unbatch(self):
        """Splits every element along its first dimension.

        Returns:
            A Dataset, whose elements have one dimension less.

        Raises:
            ValueError: A leaf is a scalar, or first sizes differ.
        """
        spec = self.element_spec
        shapes = specs.flat_shapes(spec)
        if any(shape.ndims == 0 for shape in shapes):
            raise ValueError(
                "Cannot unbatch an input with scalar components. They have insufficient rank for"
                " batching."
            )
        sizes = _first_sizes(shapes)
        if len(sizes) > 1:
            raise ValueError(
                f"Cannot unbatch an input whose components have different batch sizes: {sizes}"
            )

        def rows(*parts):
            return tuple(specs.to_rows(spec, parts if type(spec) is tuple else parts[0]))

        return then(self.map(rows), "UnbatchDataset", specs.unbatched(spec))

    def reduce(self, initial_state, reduce_func):
        """Combines all elements.

        Args:
            initial_state: The first state, in a structure.
            reduce_func: A function of (state, element) that returns the next state.

        Returns:
            The last state: tensors in the structure of the first.

        Raises:
            TypeError: The function returns other dtypes than those of the first state.
        """
        with name_scope("initial_state"):
            initial = specs.normalized(initial_state)
        made, state = of_states(reduce_func, "reduce()", specs.spec_of(initial), self.element_spec)
        found = raw_ops.ReduceDataset(
            input_dataset=self._variant, initial_state=specs.to_tensors(state, initial),
            other_arguments=made.captured, f=made.name, **shapes_of(state),
        )  # fmt: skip
        return specs.from_tensors(state, found)

    # ---- options and iterators

    def with_options(self, options):
        """Sets options of this data set.

        Args:
            options: An Options.

        Returns:
            A Dataset.

        Raises:
            TypeError: It is not an Options.
            ValueError: An option was set to another value before.
        """
        self.options().merge(options)
        return Dataset(self._variant, self.element_spec, [self], (), options)

    def make_one_shot_iterator(self):
        """Makes an iterator that needs no initializer and runs once.

        Returns:
            An Iterator.

        Raises:
            ValueError: The data set uses state, such as a variable: use
                make_initializable_iterator().
        """
        return iterators.make_one_shot(self)

    def make_initializable_iterator(self, shared_name=None):
        """Makes an iterator that begins when its `initializer` runs.

        Args:
            shared_name: Name under which sessions share it, a str. None: each has its own.

        Returns:
            An Iterator.
        """
        return iterators.make_initializable(self, shared_name)


def static_size(size, drop):
    """The size of batches, an int; None where it is not known or the last may be smaller."""
    found = [attr_of(t.op, "value") if t.op.type == "Const" else None for t in (drop, size)]
    return int(found[1]) if found[0] and found[1] is not None else None


def _first_sizes(shapes):
    """The first sizes of shapes, each once; more than one if they differ."""
    sizes = [shape[0].value for shape in shapes if shape.ndims]
    return list(dict.fromkeys(size for size in sizes if size is not None))
