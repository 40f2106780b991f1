# SPDX-License-Identifier: Apache-2.0
"""Input of slim programs: data sets of files, and queues."""

from .... import modules
from . import datasets, examples, queues, reading, summaries

_PARTS = {
    "data_decoder": ("What makes items of records.", datasets, "DataDecoder"),
    "data_provider": ("What gives the items of an element.", datasets, "DataProvider"),
    "dataset": ("Files of records.", datasets, "Dataset"),
    "dataset_data_provider": (
        "What gives the items of records.", datasets, "DataProvider DatasetDataProvider"
    ),
    "parallel_reader": (
        "Several readers of files.", reading,
        "ParallelReader get_data_files parallel_read single_pass_read",
    ),
    "prefetch_queue": ("Queues of tensors that are computed ahead.", queues, "prefetch_queue"),
    "queues": ("The threads that fill queues.", queues, "NestedQueueRunnerError QueueRunners"),
    "summaries": (
        "Summaries that may be printed.", summaries,
        "add_histogram_summaries add_histogram_summary add_image_summaries add_image_summary"
        " add_scalar_summaries add_scalar_summary add_zero_fraction_summaries"
        " add_zero_fraction_summary",
    ),
    "tfexample_decoder": (
        "Items of Examples.", examples,
        "BackupHandler BoundingBox Image ItemHandler ItemHandlerCallback LookupTensor SparseTensor"
        " TFExampleDecoder Tensor",
    ),
}  # fmt: skip
MODULES = tuple(
    modules.make(f"contrib.slim.{name}", doc, {one: getattr(source, one) for one in names.split()})
    for name, (doc, source, names) in _PARTS.items()
)
