# SPDX-License-Identifier: Apache-2.0
"""Data sets of slim: files of records, and how they are read and decoded."""

from .reading import parallel_read


class DataDecoder:
    """Makes items of a record."""

    def decode(self, data, items):
        """Returns the items of a record.

        Args:
            data: The record, a tensor.
            items: Names of the items, a list of str.

        Returns:
            A list of tensors.
        """
        raise NotImplementedError

    def list_items(self):
        """Lists the items.

        Returns:
            Their names, a list of str.
        """
        raise NotImplementedError


class DataProvider:
    """Gives the items of one element.

    Args:
        items_to_tensors: A dict: name of an item -> tensor.
        num_samples: How many elements there are, an int.
    """

    def __init__(self, items_to_tensors, num_samples):
        self._tensors, self._count = items_to_tensors, num_samples

    def get(self, items):
        """Returns the tensors of items.

        Args:
            items: Names of the items, a list of str.

        Returns:
            A list of tensors.

        Raises:
            ValueError: The element does not have one of the items.
        """
        for item in items:
            if item not in self._tensors:
                raise ValueError(
                    f"Item [{item}] is invalid. Valid entries include: {list(self._tensors)}"
                )
        return [self._tensors[item] for item in items]

    def list_items(self):
        """Lists the items.

        Returns:
            Their names.
        """
        return self._tensors.keys()

    def num_samples(self):
        """Counts the elements.

        Returns:
            Their number, an int, or None.
        """
        return self._count


class Dataset:
    """Files of records, how they are read and decoded, and what the items are.

    Args:
        data_sources: Names of files or patterns, a str or a list.
        reader: A function that makes a reader.
        decoder: A DataDecoder.
        num_samples: How many records there are, an int.
        items_to_descriptions: A dict: name of an item -> str.
        **kwargs: Further attributes.
    """

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        self.data_sources, self.reader, self.decoder = data_sources, reader, decoder
        self.num_samples, self.items_to_descriptions = num_samples, items_to_descriptions
        vars(self).update(kwargs)


class DatasetDataProvider(DataProvider):
    """Gives the items of the records of a Dataset.

    Args:
        dataset: The Dataset.
        num_readers: How many readers read the files, an int.
        reader_kwargs: Arguments of the readers, a dict.
        shuffle: Whether files and records come in a random order. A bool.
        num_epochs: How often all files are read, an int. None: without end.
        common_queue_capacity: How many records the queue holds, an int.
        common_queue_min: How many records remain in a random queue, an int.
        record_key: Name of the item that is the key of the record, a str.
        seed: Seed of the order, an int.
        scope: Name of the scope, a str.
    """

    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None,
                 common_queue_capacity=256, common_queue_min=128, record_key="record_key",
                 seed=None, scope=None):  # fmt: skip
        key, data = parallel_read(
            dataset.data_sources, dataset.reader, num_epochs, num_readers, reader_kwargs, shuffle,
            capacity=common_queue_capacity, min_after_dequeue=common_queue_min, seed=seed,
            scope=scope,
        )  # fmt: skip
        items = list(dataset.decoder.list_items())
        tensors = dict(zip(items, dataset.decoder.decode(data, items)))
        if record_key in tensors:
            raise ValueError(f"record_key is the name of an item: {record_key}")
        super().__init__({**tensors, record_key: key}, dataset.num_samples)
