# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.data.summaries import add_histogram_summaries as add_histogram_summaries
from sluice.contrib_parts.slim.data.summaries import add_histogram_summary as add_histogram_summary
from sluice.contrib_parts.slim.data.summaries import add_image_summaries as add_image_summaries
from sluice.contrib_parts.slim.data.summaries import add_image_summary as add_image_summary
from sluice.contrib_parts.slim.data.summaries import add_scalar_summaries as add_scalar_summaries
from sluice.contrib_parts.slim.data.summaries import add_scalar_summary as add_scalar_summary
from sluice.contrib_parts.slim.data.summaries import add_zero_fraction_summaries as add_zero_fraction_summaries
from sluice.contrib_parts.slim.data.summaries import add_zero_fraction_summary as add_zero_fraction_summary
