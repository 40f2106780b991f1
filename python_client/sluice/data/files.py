# SPDX-License-Identifier: Apache-2.0
"""The names of files as a data set."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies, name_scope
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.strings import strings


def list_files(dataset_class, file_pattern, shuffle, seed):
    """Dataset.list_files()."""
    with name_scope("list_files"):
        pattern = convert_to_tensor(file_pattern, dtypes.string, "file_pattern")
        names = raw_ops.MatchingFiles(pattern=pattern)
        some = math.greater(arrays.shape(names)[0], 0, name="match_not_empty")
        said = strings.reduce_join(pattern, separator=", ")
        message = math.add("No files matched pattern: ", said, name="message")
        check = raw_ops.Assert(condition=some, data=[message], summarize=1, name="assert_not_empty")
        with control_dependencies([check]):
            names = arrays.identity(names)
        dataset = dataset_class.from_tensor_slices(names)
        if shuffle is None or shuffle:
            count = arrays.shape(names, out_type=dtypes.int64)[0]
            dataset = dataset.shuffle(math.maximum(count, 1), seed=seed)
        return dataset
