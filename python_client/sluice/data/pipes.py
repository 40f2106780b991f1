# SPDX-License-Identifier: Apache-2.0
"""Data sets from FIFOs that another process fills while a program trains."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..ops import raw_ops
from .dataset import Dataset
from .shapes import scalar

_FORMATS = ("RecordIO", "TFRecord", "TextLine")


class PipeModeDataset(Dataset):
    """The records of a channel of SageMaker's Pipe mode, string scalars.

    Another process writes the epochs of the channel to FIFOs `<pipe_dir>/<channel>_<epoch>`. Each
    iterator reads the next epoch. The server that runs the data set opens the FIFO, and keeps the
    number of the next epoch in the file `<state_dir>/<channel>`.

    An iterator waits `timeout` seconds for the FIFO and its writer, then the error names the path.
    A writer that ends in the middle of a record is a DataLossError with channel, epoch and byte
    offset.

    Args:
        channel: Name of the channel, a str.
        record_format: "RecordIO", "TFRecord" or "TextLine".
        state_dir: Folder with the numbers of the next epochs, a str.
        pipe_dir: Folder of the FIFOs, a str.
        num_shards: How many iterators read the same records, each in a FIFO of its own. An int: 1
            for a FIFO whose records are all given.
        shard_index: Which records are given, an int: those whose index, modulo num_shards, is it.
        timeout: The seconds to wait for a FIFO and its writer, an int.

    Raises:
        ValueError: record_format is not one of the three.
    """

    def __init__(self, channel, record_format="RecordIO", state_dir="/opt/ml/pipe_state",
                 pipe_dir="/opt/ml/input/data", num_shards=1, shard_index=0,
                 timeout=120):  # fmt: skip
        if record_format not in _FORMATS:
            raise ValueError(f"record_format must be one of {_FORMATS}, not {record_format!r}")
        texts = {"channel": channel, "record_format": record_format}
        texts.update(state_dir=state_dir, pipe_dir=pipe_dir)
        numbers = {"num_shards": num_shards, "shard_index": shard_index, "timeout": timeout}
        arguments = {k: convert_to_tensor(v, dtypes.string, k) for k, v in texts.items()}
        for key, value in numbers.items():
            arguments[key] = convert_to_tensor(value, dtypes.int64, key)
        super().__init__(raw_ops.SluicePipeModeDataset(**arguments), scalar(dtypes.string))
