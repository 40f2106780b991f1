# SPDX-License-Identifier: Apache-2.0
"""Elements of several data sets, chosen one by one."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math, raw_ops
from . import specs
from .dataset import Dataset
from .functions import ElementFunction
from .shapes import scalar, shapes_of
from .states import RandomDataset
from .variants import then, variant_of


def choose_from_datasets(datasets, choice_dataset):
    """Takes each element from the data set that another one names.

    Args:
        datasets: A list of Datasets, whose elements have one structure.
        choice_dataset: A Dataset of int64 scalars, places in the list.

    Returns:
        A Dataset.

    Raises:
        TypeError: The structures differ, or a choice is something else.
    """
    if not specs.compatible(choice_dataset.element_spec, scalar(dtypes.int64)):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, datasets)


def sample_from_datasets(datasets, weights=None, seed=None):
    """Takes each element from a data set that is drawn at random.

    Args:
        datasets: A list of Datasets, whose elements have one structure.
        weights: The probabilities, a list of floats, a tensor or a Dataset of such. None: equal.
        seed: Seed of the choice, an int.

    Returns:
        A Dataset.

    Raises:
        TypeError: The structures differ, or the weights are not floats.
        ValueError: There is another number of weights than of data sets.
    """
    if isinstance(weights, Dataset):
        seeds = RandomDataset(seed).batch(2)
        logits = weights.map(lambda *p: math.log(p, name="logits"))
        both = Dataset.zip((logits, seeds))
        return _directed(_mapped(both, _drawn), datasets)
    count = len(datasets)
    if weights is None:
        logits = [[1.0] * count]
    else:
        weights = convert_to_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError(
                "`weights` must be convertible to a tensor of `tf.float32` or `tf.float64`"
                f" elements. It is {weights.dtype.name}"
            )
        if not weights.shape.is_compatible_with(TensorShape([count])):
            raise ValueError(f"`weights` must be a vector of length `len(datasets)`. It is {count}")
        logits = arrays.expand_dims(math.log(weights, name="logits"), 0)
    if count == 1:
        return datasets[0]
    seeds = RandomDataset(seed).batch(2)
    return _directed(_mapped(seeds, lambda seed: _drawn(logits, seed)), datasets)


def _drawn(logits, seed):
    drawn = raw_ops.StatelessMultinomial(logits=logits, num_samples=1, seed=seed)
    return arrays.squeeze(drawn, axis=[0, 1])


def _mapped(dataset, function):
    """Dataset.map() whose function runs on the thread that asks for the element."""
    made = ElementFunction(function, "Dataset.map()", dataset.element_spec)
    return then(dataset,
        "MapDataset", made.structure, [made], f=made.name, other_arguments=made.captured,
        use_inter_op_parallelism=False,
    )  # fmt: skip


mapped_in_line = _mapped


def _directed(choices, datasets):
    datasets = list(datasets)
    spec = datasets[0].element_spec
    for dataset in datasets[1:]:
        if any(
            specs.legacy(dataset.element_spec, what) != specs.legacy(spec, what) for what in (0, 2)
        ):
            raise TypeError(
                "All datasets must have the same type and class."
                f" They have {spec} and {dataset.element_spec}"
            )
    for dataset in datasets[1:]:
        spec = specs.weakened(spec, dataset.element_spec)
    variant = raw_ops.DirectedInterleaveDataset(
        selector_input_dataset=variant_of(choices),
        data_input_datasets=[variant_of(dataset) for dataset in datasets], **shapes_of(spec),
    )  # fmt: skip
    return Dataset(variant, spec, [choices, *datasets])
