# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.sequence_data import TimeseriesGenerator as TimeseriesGenerator
from sluice.keras.base.sequence_data import make_sampling_table as make_sampling_table
from sluice.keras.base.sequence_data import pad_sequences as pad_sequences
from sluice.keras.base.sequence_data import skipgrams as skipgrams
