# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.testing import FakeSummaryWriter as FakeSummaryWriter
from sluice.contrib_parts.testing import assert_summary as assert_summary
from sluice.contrib_parts.testing import latest_event_file as latest_event_file
from sluice.contrib_parts.testing import latest_events as latest_events
from sluice.contrib_parts.testing import latest_summaries as latest_summaries
from sluice.contrib_parts.testing import simple_values_from_events as simple_values_from_events
from sluice.contrib_parts.testing import to_summary_proto as to_summary_proto
