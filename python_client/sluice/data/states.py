# SPDX-License-Identifier: Apache-2.0
"""Data sets with a state, and single values of data sets."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import raw_ops
from . import specs
from .dataset import Dataset
from .functions import of_states
from .seeds import seed_tensors
from .shapes import scalar, shapes_of
from .structure import is_nested
from .variants import then, variant_of

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


def scan(initial_state, scan_func):
    """Computes elements from the earlier ones by a state.

    Args:
        initial_state: The first state, in a structure.
        scan_func: A function of (state, element) that returns a pair: next state, new element.

    Returns:
        A function for Dataset.apply().
    """

    def apply(dataset):
        initial = specs.normalized(initial_state)
        made, state = of_states(
            scan_func, "data.experimental.scan()", specs.spec_of(initial), dataset.element_spec,
            lambda structure: _pair(structure)[0],
        )  # fmt: skip
        return then(dataset,
            "ScanDataset", _pair(made.structure)[1], [made], f=made.name,
            initial_state=specs.to_tensors(state, initial), other_arguments=made.captured,
            preserve_cardinality=True,
        )  # fmt: skip

    return apply


def _pair(structure):
    if not is_nested(structure) or isinstance(structure, dict) or len(structure) != 2:
        raise TypeError(
            "The scan function must return a pair comprising the new state and the output value."
            f" It returns {structure}"
        )
    return structure


def Counter(start=0, step=1, dtype=dtypes.int64):  # noqa: N802
    """Makes a data set of the numbers start, start + step, ... without end.

    Args:
        start: The first number.
        step: The difference of two.
        dtype: Dtype of the numbers.

    Returns:
        A Dataset of scalars.
    """
    with name_scope("counter"):
        first = convert_to_tensor(start, dtype, "start")
        width = convert_to_tensor(step, dtype, "step")
        count = scan(first, lambda state, _: (state + width, state))
        return Dataset.from_tensors(0).repeat(None).apply(count)


class RandomDataset(Dataset):
    """A data set of random int64 numbers without end.

    Args:
        seed: Seed of the numbers, an int.
    """

    def __init__(self, seed=None):
        first, second = seed_tensors(seed)
        spec = scalar(dtypes.int64)
        variant = raw_ops.RandomDataset(seed=first, seed2=second, **shapes_of(spec))
        super().__init__(variant, spec)


def cardinality(dataset):
    """Computes how many elements a data set has, as far as it is known without reading it.

    Args:
        dataset: A Dataset.

    Returns:
        An int64 scalar; INFINITE_CARDINALITY and UNKNOWN_CARDINALITY are special.
    """
    return raw_ops.DatasetCardinality(input_dataset=variant_of(dataset))


def get_single_element(dataset):
    """Returns the only element of a data set.

    Args:
        dataset: A Dataset of one element.

    Returns:
        The element: tensors in its structure.

    Raises:
        TypeError: It is not a Dataset.
        errors.InvalidArgumentError: In run(): the data set is empty or has more elements.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"`dataset` must be a `tf.data.Dataset` object. It is {dataset!r}")
    found = raw_ops.add_op(
        "DatasetToSingleElement", None, {"dataset": variant_of(dataset),
                                         **shapes_of(dataset.element_spec)}
    )  # fmt: skip
    return specs.from_tensors(dataset.element_spec, found)


def from_variant(variant, structure):
    """Makes a data set of the tensor that stands for it.

    Args:
        variant: A variant scalar: what to_variant() gave.
        structure: The structure of its elements.

    Returns:
        A Dataset.
    """
    return Dataset(variant, structure)


def to_variant(dataset):
    """Returns the tensor that stands for a data set.

    Args:
        dataset: A Dataset.

    Returns:
        A variant scalar.
    """
    return variant_of(dataset)


class TFRecordWriter:
    """Writes the elements of a data set to a TFRecord file. The task writes the file.

    Args:
        filename: Name of the file, a str or string scalar.
        compression_type: "ZLIB", "GZIP", or "" or None for none.
    """

    def __init__(self, filename, compression_type=None):
        self._filename = convert_to_tensor(filename, dtypes.string, "filename")
        kind = "" if compression_type is None else compression_type
        self._compression = convert_to_tensor(kind, dtypes.string, "compression_type")

    def write(self, dataset):
        """Makes the operation that writes.

        Args:
            dataset: A Dataset of string scalars.

        Returns:
            An Operation.

        Raises:
            TypeError: The elements are others.
        """
        if not isinstance(dataset, Dataset):
            raise TypeError(f"`dataset` must be a `tf.data.Dataset` object. It is {dataset!r}")
        if not specs.is_scalar_of(dataset.element_spec, dtypes.string):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape"
                f" {dataset.output_shapes} and types {dataset.output_types}"
            )
        return raw_ops.DatasetToTFRecord(
            input_dataset=variant_of(dataset), filename=self._filename,
            compression_type=self._compression,
        )  # fmt: skip
