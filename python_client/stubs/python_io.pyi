# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.files.records import TFRecordCompressionType as TFRecordCompressionType
from sluice.files.records import TFRecordOptions as TFRecordOptions
from sluice.files.records import TFRecordWriter as TFRecordWriter
from sluice.files.records import tf_record_iterator as tf_record_iterator
