# SPDX-License-Identifier: Apache-2.0
"""Functions of a data set or an iterator that say what its elements are."""

from .dataset import Dataset
from .iterators import Iterator


def get_output_types(dataset_or_iterator):
    """Returns the dtypes of an element.

    Args:
        dataset_or_iterator: A Dataset or Iterator.

    Returns:
        Dtypes in the structure of an element.
    """
    return _checked(dataset_or_iterator).output_types


def get_output_shapes(dataset_or_iterator):
    """Returns the shapes of an element.

    Args:
        dataset_or_iterator: A Dataset or Iterator.

    Returns:
        TensorShapes in the structure of an element.
    """
    return _checked(dataset_or_iterator).output_shapes


def get_output_classes(dataset_or_iterator):
    """Returns the classes of an element.

    Args:
        dataset_or_iterator: A Dataset or Iterator.

    Returns:
        Tensor or SparseTensor, in the structure of an element.
    """
    return _checked(dataset_or_iterator).output_classes


def get_structure(dataset_or_iterator):
    """Returns the structure of an element.

    Args:
        dataset_or_iterator: A Dataset or Iterator.

    Returns:
        A TensorSpec, SparseTensorSpec or DatasetSpec for each leaf.

    Raises:
        TypeError: It is neither.
    """
    return _checked(dataset_or_iterator).element_spec


def _checked(item):
    if not isinstance(item, (Dataset, Iterator)):
        raise TypeError(f"expected a Dataset or an Iterator, got {item!r}")
    return item


def make_one_shot_iterator(dataset):
    """Makes an iterator that needs no initializer and runs once.

    Args:
        dataset: A Dataset.

    Returns:
        An Iterator.

    Raises:
        ValueError: The data set uses state, such as a variable.
    """
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset, shared_name=None):
    """Makes an iterator that begins when its `initializer` runs.

    Args:
        dataset: A Dataset.
        shared_name: Name under which sessions share it, a str. None: each has its own.

    Returns:
        An Iterator.
    """
    return dataset.make_initializable_iterator(shared_name)
