# SPDX-License-Identifier: Apache-2.0
"""Data sets of Examples."""

from .. import dtypes
from ..graph.tensor_shape import TensorShape
from ..ops.functions.functions import TensorSpec
from ..ops.io.readers import Reader
from ..ops.parsing.features import KINDS, SparseFeature, Wanted, joined, with_lengths
from . import specs
from .batching import parallel_interleave, shuffle_and_repeat
from .choosing import mapped_in_line
from .dataset import Dataset
from .options import Options
from .readers import TFRecordDataset
from .variants import then

_AUTOTUNE = -1


def parse_example_dataset(features, num_parallel_calls=1):
    """Parses batches of Examples.

    Args:
        features: A dict: name of a feature -> FixedLenFeature, VarLenFeature, SparseFeature or
            FixedLenSequenceFeature.
        num_parallel_calls: How many batches are parsed at once, an int or int64 scalar.

    Returns:
        A function for Dataset.apply(): of string vectors it makes dicts of tensors.

    Raises:
        ValueError: There are no features.
    """
    if features is None:
        raise ValueError(f"Missing: features was {features}.")

    def apply(dataset):
        vectors = TensorSpec([None], dtypes.string)
        if not specs.compatible(dataset.element_spec, vectors):
            raise TypeError(
                "Input dataset should be a dataset of vectors of strings."
                f" It has {dataset.element_spec}"
            )
        wanted = Wanted(with_lengths(features), KINDS)
        made = then(dataset,
            "ParseExampleDataset", _parsed_spec(wanted, dataset.element_spec.shape),
            num_parallel_calls=num_parallel_calls,
            dense_defaults=wanted.defaults(), sparse_keys=[*wanted.sparse],
            sparse_types=[*wanted.sparse.values()], dense_keys=[*wanted.dense],
            dense_shapes=wanted.shapes,
        )  # fmt: skip
        if any(isinstance(feature, SparseFeature) for feature in features.values()):
            made = made.map(lambda found: joined(features, found), num_parallel_calls)
        return made

    return apply


def _parsed_spec(wanted, batch):
    spec = {
        key: TensorSpec(batch.concatenate(shape), dtype)
        for key, (dtype, shape, _) in wanted.dense.items()
    }
    for key, dtype in wanted.sparse.items():
        spec[key] = specs.SparseTensorSpec(batch.concatenate(TensorShape([None])), dtype)
    return spec


def shuffled_and_repeated(dataset, num_epochs, shuffle, buffer_size, seed):
    """The elements as often as wanted, in random order if wanted."""
    if num_epochs != 1 and shuffle:
        return dataset.apply(shuffle_and_repeat(buffer_size, num_epochs, seed))
    if shuffle:
        return dataset.shuffle(buffer_size, seed)
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)


def of_files(files, read, num_parallel, sloppy):
    """The elements of all files, several of which are read at once."""
    if num_parallel == _AUTOTUNE:
        options = Options()
        options.experimental_deterministic = not sloppy
        return files.interleave(read, num_parallel_calls=num_parallel).with_options(options)
    return files.apply(parallel_interleave(read, num_parallel, sloppy=sloppy))


def make_batched_features_dataset(file_pattern, batch_size, features, reader=TFRecordDataset,
                                  label_key=None, reader_args=None, num_epochs=None,
                                  shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None,
                                  prefetch_buffer_size=None, reader_num_threads=None,
                                  parser_num_threads=None, sloppy_ordering=False,
                                  drop_final_batch=False):  # fmt: skip
    """Reads files of Examples as batches of features.

    Args:
        file_pattern: Patterns of the files' names: a str, a list of str or a tensor.
        batch_size: How many Examples a batch has, an int or int64 scalar.
        features: A dict: name of a feature -> FixedLenFeature, VarLenFeature, SparseFeature or
            FixedLenSequenceFeature.
        reader: A function of a filename that returns a Dataset.
        label_key: Name of the feature that is the label, a str. None: none is.
        reader_args: More arguments of `reader`, a list.
        num_epochs: How often all is read, an int. None: without end.
        shuffle: Whether the order is random. A bool.
        shuffle_buffer_size: From how many Examples the next one is drawn, an int.
        shuffle_seed: Seed of the order, an int.
        prefetch_buffer_size: How many batches wait, an int. None: the task chooses.
        reader_num_threads: How many files are read at once, an int. None: one.
        parser_num_threads: How many batches are parsed at once, an int. None: two.
        sloppy_ordering: Whether the order may vary. A bool.
        drop_final_batch: Whether a smaller batch at the end is left out. A bool.

    Returns:
        A Dataset of dicts, or of tuples of a dict and the label.

    Raises:
        TypeError: `reader` is a reader of queues.
        ValueError: The label is not among the features.
    """
    if isinstance(reader, type) and issubclass(reader, Reader):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object, as data.TFRecordDataset does."
            " `tf.ReaderBase` subclasses are not supported."
        )
    threads = 1 if reader_num_threads is None else reader_num_threads
    files = Dataset.list_files(file_pattern, shuffle, shuffle_seed)
    dataset = of_files(
        files, lambda name: reader(name, *(reader_args or [])), threads, sloppy_ordering
    )
    if dataset.output_types == (dtypes.string, dtypes.string):  # pairs: key, value
        dataset = mapped_in_line(dataset, lambda _, value: value)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    calls = 2 if parser_num_threads is None else parser_num_threads
    dataset = dataset.apply(parse_example_dataset(features, calls))
    if label_key:
        if label_key not in features:
            raise ValueError(
                f"The `label_key` provided ({label_key!r}) must be one of the `features` keys."
            )
        dataset = dataset.map(lambda found: (found, found.pop(label_key)))
    return dataset.prefetch(_AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
