# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.data.reading import ParallelReader as ParallelReader
from sluice.contrib_parts.slim.data.reading import get_data_files as get_data_files
from sluice.contrib_parts.slim.data.reading import parallel_read as parallel_read
from sluice.contrib_parts.slim.data.reading import single_pass_read as single_pass_read
