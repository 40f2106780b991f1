# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.summary.writers import SummaryWriter as SummaryWriter
from sluice.contrib_parts.summary.writing import all_summary_ops as all_summary_ops
from sluice.contrib_parts.summary.recording import always_record_summaries as always_record_summaries
from sluice.contrib_parts.summary.writing import audio as audio
from sluice.contrib_parts.summary.writers import create_file_writer as create_file_writer
from sluice.contrib_parts.summary.writers import create_file_writer as _contrib_parts_summary_writers_create_file_writer
create_summary_file_writer = _contrib_parts_summary_writers_create_file_writer
from sluice.contrib_parts.summary.writers import eval_dir as eval_dir
from sluice.contrib_parts.summary.writers import flush as flush
from sluice.contrib_parts.summary.writing import generic as generic
from sluice.contrib_parts.summary.writing import graph as graph
from sluice.contrib_parts.summary.writing import histogram as histogram
from sluice.contrib_parts.summary.writing import image as image
from sluice.contrib_parts.summary.writing import import_event as import_event
from sluice.contrib_parts.summary.writers import initialize as initialize
from sluice.contrib_parts.summary.recording import never_record_summaries as never_record_summaries
from sluice.contrib_parts.summary.recording import record_summaries_every_n_global_steps as record_summaries_every_n_global_steps
from sluice.contrib_parts.summary.writing import scalar as scalar
from sluice.contrib_parts.summary.recording import should_record_summaries as should_record_summaries
from sluice.contrib_parts.summary.writers import summary_writer_initializer_op as summary_writer_initializer_op
