# SPDX-License-Identifier: Apache-2.0
"""Data sets of the records of files."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import raw_ops
from .dataset import Dataset
from .functions import of_data_sets
from .shapes import scalar
from .variants import same_as, then

_BUFFER = 256 * 1024  # bytes that are read at once
_AUTOTUNE = -1


def parameter(name, value, default=0, dtype=dtypes.int64):
    """An argument of an operation that may be left out: None."""
    return convert_to_tensor(default if value is None else value, dtype, name)


def parallel_interleave(dataset, map_func, cycle_length, block_length, sloppy, buffer_output,
                        prefetch_input):  # fmt: skip
    """Makes a data set of every element, and takes from several at once.

    Args:
        dataset: A Dataset.
        map_func: A function of an element that returns a Dataset.
        cycle_length: From how many, an int or int64 scalar.
        block_length: How many elements of each in turn, an int or int64 scalar.
        sloppy: Whether the order may vary. A bool or bool scalar.
        buffer_output: How many elements of each wait, an int. None: twice the block.
        prefetch_input: How many data sets are prepared, an int. None: twice the cycle.

    Returns:
        A Dataset.
    """
    where = "data.experimental.parallel_interleave()"
    made, spec = of_data_sets(map_func, where, dataset.element_spec)
    return then(dataset,
        "ParallelInterleaveDataset", spec, [made], f=made.name, other_arguments=made.captured,
        cycle_length=convert_to_tensor(cycle_length, dtypes.int64, "cycle_length"),
        block_length=convert_to_tensor(block_length, dtypes.int64, "block_length"),
        sloppy=convert_to_tensor(sloppy, dtypes.bool_, "sloppy"),
        buffer_output_elements=parameter(
            "buffer_output_elements", buffer_output, 2 * block_length
        ),
        prefetch_input_elements=parameter(
            "prefetch_input_elements", prefetch_input, 2 * cycle_length
        ),
    )  # fmt: skip


def _names(filenames):
    """The names of files as a data set of string scalars."""
    if isinstance(filenames, Dataset):
        if filenames.output_types != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        if not filenames.output_shapes.is_compatible_with(TensorShape([])):
            raise TypeError(
                "`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements."
            )
        return filenames
    names = convert_to_tensor(filenames, dtypes.string)
    return Dataset.from_tensor_slices(arrays.reshape(names, [-1], name="flat_filenames"))


class _Records(Dataset):
    """The records of files: strings."""

    def __init__(self, filenames, op, arguments, num_parallel_reads):
        def read(filename):
            filename = convert_to_tensor(filename, dtypes.string, "filename")
            return Dataset(raw_ops.add_op(op, None, arguments(filename)), scalar(dtypes.string))

        names = _names(filenames)
        if num_parallel_reads is None:
            made = names.flat_map(read)
        elif isinstance(num_parallel_reads, int) and num_parallel_reads == _AUTOTUNE:
            made = names.interleave(read, num_parallel_calls=num_parallel_reads)
        else:
            made = parallel_interleave(names, read, num_parallel_reads, 1, False, None, None)
        super().__init__(*same_as(made))


class TFRecordDataset(_Records):
    """The records of TFRecord files, string scalars. The tasks read the files.

    Args:
        filenames: Names of the files: a str, a list of str, a tensor, or a Dataset.
        compression_type: "ZLIB", "GZIP", or "" or None for none.
        buffer_size: How many bytes are read at once, an int or int64 scalar. None: 256 KiB.
        num_parallel_reads: How many files are read at once, an int. None: one after the other.

    Raises:
        TypeError: `filenames` is a Dataset of other elements.
    """

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        def arguments(filename):
            return _of_text(filename, compression_type, buffer_size)

        super().__init__(filenames, "TFRecordDataset", arguments, num_parallel_reads)


class TextLineDataset(_Records):
    """The lines of text files, string scalars without their ends. The tasks read the files.

    Args:
        filenames: Names of the files: a str, a list of str, a tensor, or a Dataset.
        compression_type: "ZLIB", "GZIP", or "" or None for none.
        buffer_size: How many bytes are read at once, an int or int64 scalar. None: 256 KiB.
        num_parallel_reads: How many files are read at once, an int. None: one after the other.

    Raises:
        TypeError: `filenames` is a Dataset of other elements.
    """

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        def arguments(filename):
            return _of_text(filename, compression_type, buffer_size)

        super().__init__(filenames, "TextLineDataset", arguments, num_parallel_reads)


def _of_text(filename, compression_type, buffer_size):
    kind = parameter("compression_type", compression_type, "", dtypes.string)
    size = parameter("buffer_size", buffer_size, _BUFFER)
    return {"filenames": filename, "compression_type": kind, "buffer_size": size}


class FixedLengthRecordDataset(_Records):
    """The records of binary files whose records have one length, string scalars. The tasks read
    the files.

    Args:
        filenames: Names of the files: a str, a list of str, a tensor, or a Dataset.
        record_bytes: Length of a record, an int or int64 scalar.
        header_bytes: How many bytes at the start are left out, an int or int64 scalar. None: 0.
        footer_bytes: How many bytes at the end are left out, an int or int64 scalar. None: 0.
        buffer_size: How many bytes are read at once, an int or int64 scalar. None: 256 KiB.
        compression_type: "ZLIB", "GZIP", or "" or None for none.
        num_parallel_reads: How many files are read at once, an int. None: one after the other.

    Raises:
        TypeError: `filenames` is a Dataset of other elements.
    """

    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None,
                 buffer_size=None, compression_type=None, num_parallel_reads=None):  # fmt: skip
        def arguments(filename):
            return {
                "filenames": filename,
                "record_bytes": convert_to_tensor(record_bytes, dtypes.int64, "record_bytes"),
                "header_bytes": parameter("header_bytes", header_bytes),
                "footer_bytes": parameter("footer_bytes", footer_bytes),
                "buffer_size": parameter("buffer_size", buffer_size, _BUFFER),
                "compression_type": parameter(
                    "compression_type", compression_type, "", dtypes.string
                ),
            }

        super().__init__(filenames, "FixedLengthRecordDatasetV2", arguments, num_parallel_reads)
