# SPDX-License-Identifier: Apache-2.0
"""Records of files, read by several readers into one queue."""

from .... import dtypes, gfile
from ....graph.default_graph import name_scope
from ....ops.array import cast
from ....ops.data_flow.queues import FIFOQueue, RandomShuffleQueue
from ....training import summary
from ....training.input_pipeline import string_input_producer
from ....training.queue_runner import QueueRunner, add_queue_runner

_STRINGS = [dtypes.string, dtypes.string]


def note_fullness(queue, capacity):
    """Adds a summary of how full a queue is."""
    summary.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), "float32") * (1.0 / capacity))


class ParallelReader:
    """Several readers that put their records into one queue.

    Args:
        reader_class: A function that makes a reader.
        common_queue: The queue of the records.
        num_readers: How many readers there are, an int.
        reader_kwargs: Arguments of reader_class, a dict.
    """

    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._queue = common_queue

    @property
    def num_readers(self):
        """How many readers there are, an int."""
        return len(self._readers)

    @property
    def common_queue(self):
        """The queue of the records."""
        return self._queue

    def read(self, queue, name=None):
        """Takes one record, and adds the QueueRunner of the readers.

        Args:
            queue: The queue of the files' names.
            name: Name of the operation, a str.

        Returns:
            Two string tensors: the key and the value of the record.
        """
        self._fill([reader.read(queue) for reader in self._readers], self._queue.enqueue)
        return self._queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        """Takes several records, and adds the QueueRunner of the readers.

        Args:
            queue: The queue of the files' names.
            num_records: How many records are taken, an int.
            name: Name of the operation, a str.

        Returns:
            Two string tensors: the keys and the values of the records.
        """
        read = [reader.read_up_to(queue, num_records) for reader in self._readers]
        self._fill(read, self._queue.enqueue_many)
        return self._queue.dequeue_up_to(num_records, name)

    def _fill(self, records, enqueue):
        add_queue_runner(QueueRunner(self._queue, [enqueue(record) for record in records]))

    def num_records_produced(self, name=None):
        """Counts the records.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int64 scalar.
        """
        return self._sum("num_records_produced", name)

    def num_work_units_completed(self, name=None):
        """Counts the files that were read to their ends.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int64 scalar.
        """
        return self._sum("num_work_units_completed", name)

    def _sum(self, method, name):
        total = getattr(self._readers[0], method)()
        for reader in self._readers[1:]:
            total = total + getattr(reader, method)(name=name)
        return total


def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None,
                  shuffle=True, dtypes=None, capacity=256, min_after_dequeue=128, seed=None,
                  scope=None):  # fmt: skip
    """Reads records by several readers.

    Args:
        data_sources: Names of files or patterns, a str or a list.
        reader_class: A function that makes a reader.
        num_epochs: How often all files are read, an int. None: without end.
        num_readers: How many readers there are, an int.
        reader_kwargs: Arguments of reader_class, a dict.
        shuffle: Whether files and records come in a random order. A bool.
        dtypes: Dtypes of the key and the value, a list. None: strings.
        capacity: How many records the queue holds, an int.
        min_after_dequeue: How many records remain in a random queue, an int.
        seed: Seed of the order, an int.
        scope: Name of the scope, a str.

    Returns:
        Two tensors: the key and the value of a record.

    Raises:
        ValueError: No file has one of the names.
    """
    files = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        names = string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        kinds = dtypes or _STRINGS
        if shuffle:
            queue = RandomShuffleQueue(
                capacity, min_after_dequeue, kinds, seed=seed, name="common_queue"
            )
        else:
            queue = FIFOQueue(capacity, kinds, name="common_queue")
        note_fullness(queue, capacity)
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    """Reads all records once, in their order.

    Args:
        data_sources: Names of files or patterns, a str or a list.
        reader_class: A function that makes a reader.
        reader_kwargs: Arguments of reader_class, a dict.
        scope: Name of the scope, a str.

    Returns:
        Two string tensors: the key and the value of a record.

    Raises:
        ValueError: No file has one of the names.
    """
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = string_input_producer(
            files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources):
    """Lists the files of names and patterns.

    Args:
        data_sources: Names of files or patterns, a str or a list.

    Returns:
        A list of str.

    Raises:
        ValueError: No file has one of the names.
    """
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(letter in data_sources for letter in "*?["):
        files = gfile.Glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
