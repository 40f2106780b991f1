# SPDX-License-Identifier: Apache-2.0
"""Data sets with the same elements as another, in another number or order."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from . import specs
from .functions import predicate
from .seeds import seed_tensors
from .variants import Variant, then, variant_of


class SameElements(Variant):
    """The methods of a Dataset that give elements of one kind.

    Args:
        variant: As of Variant.
        element_spec: As of Variant.
        inputs: As of Variant.
        functions: As of Variant.
        options: As of Variant.
    """

    def concatenate(self, dataset):
        """Appends the elements of another data set.

        Args:
            dataset: A Dataset whose elements have the same structure and dtypes.

        Returns:
            A Dataset.

        Raises:
            TypeError: Dtypes or classes differ.
        """
        for what, words in ((0, "types"), (2, "classes")):
            ours, theirs = (specs.legacy(d.element_spec, what) for d in (self, dataset))
            if ours != theirs:
                raise TypeError(
                    f"Two datasets to concatenate have different {words} {ours} and {theirs}"
                )
        spec = specs.weakened(self.element_spec, dataset.element_spec)
        return then(
            self, "ConcatenateDataset", spec, (), [dataset], another_dataset=variant_of(dataset)
        )

    def prefetch(self, buffer_size):
        """Produces elements before they are asked for.

        Args:
            buffer_size: How many at most, an int or int64 scalar. -1: the task chooses.

        Returns:
            A Dataset.
        """
        size = -1 if buffer_size is None else buffer_size
        return then(self, "PrefetchDataset", buffer_size=int64(size, "buffer_size"))

    def repeat(self, count=None):
        """Repeats all elements.

        Args:
            count: How often, an int or int64 scalar. None or -1: without end.

        Returns:
            A Dataset.
        """
        return then(self, "RepeatDataset", count=int64(-1 if count is None else count, "count"))

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        """Takes elements in random order.

        Args:
            buffer_size: From how many elements the next one is drawn, an int or int64 scalar.
            seed: Seed of the order, an int.
            reshuffle_each_iteration: Whether each repetition has another order. A bool. None: it
                has.

        Returns:
            A Dataset.
        """
        size = int64(buffer_size, "buffer_size")
        seed, seed2 = seed_tensors(seed)
        again = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        return then(self,
            "ShuffleDataset", buffer_size=size, seed=seed, seed2=seed2,
            reshuffle_each_iteration=again,
        )  # fmt: skip

    def cache(self, filename=""):
        """Keeps the elements of the first repetition for the later ones.

        Args:
            filename: The file that keeps them, a str. "": the task's memory.

        Returns:
            A Dataset.
        """
        filename = convert_to_tensor(filename, dtypes.string, "filename")
        return then(self, "CacheDataset", filename=filename)

    def take(self, count):
        """Takes the first elements.

        Args:
            count: How many at most, an int or int64 scalar. -1: all.

        Returns:
            A Dataset.
        """
        return then(self, "TakeDataset", count=int64(count, "count"))

    def skip(self, count):
        """Leaves out the first elements.

        Args:
            count: How many, an int or int64 scalar. -1: all.

        Returns:
            A Dataset.
        """
        return then(self, "SkipDataset", count=int64(count, "count"))

    def shard(self, num_shards, index):
        """Takes every n-th element, so that each of n workers has others.

        Args:
            num_shards: How many workers, an int or int64 scalar.
            index: Which of them this is, an int or int64 scalar.

        Returns:
            A Dataset.
        """
        count, index = int64(num_shards, "num_shards"), int64(index, "index")
        return then(self, "ShardDataset", num_shards=count, index=index)

    def filter(self, predicate):
        """Takes the elements for which a function gives true.

        Args:
            predicate: A function of an element that returns a bool scalar.

        Returns:
            A Dataset.

        Raises:
            ValueError: The function returns something else.
        """
        return self._filter("Dataset.filter()", "FilterDataset", predicate)

    def _filter(self, where, op, function):
        made = predicate(function, where, self.element_spec)
        return then(self, op, None, [made], predicate=made.name, other_arguments=made.captured)

    def filter_with_legacy_function(self, predicate):
        """Takes the elements for which a function gives true, as filter().

        Args:
            predicate: A function of an element that returns a bool scalar.

        Returns:
            A Dataset.
        """
        return self.filter(predicate)


def int64(value, name):
    """A number as an int64 scalar."""
    return convert_to_tensor(value, dtypes.int64, name)
