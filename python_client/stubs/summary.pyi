# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.messages import Event as Event
from sluice.messages import SessionLog as SessionLog
from sluice.messages import Summary as Summary
from sluice.training.summary import FileWriter as FileWriter
from sluice.training.summary import FileWriterCache as FileWriterCache
from sluice.training.summary import audio as audio
from sluice.training.summary import histogram as histogram
from sluice.training.summary import image as image
from sluice.training.summary import merge as merge
from sluice.training.summary import merge_all as merge_all
from sluice.training.summary import scalar as scalar
from sluice.training.summary import tensor_summary as tensor_summary
from sluice.training.summary import text as text


