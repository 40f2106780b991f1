# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.parsing.examples import parse_example as parse_example
from sluice.ops.parsing.examples import parse_single_example as parse_single_example
from sluice.ops.parsing.features import FixedLenFeature as FixedLenFeature
from sluice.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from sluice.ops.parsing.features import SparseFeature as SparseFeature
from sluice.ops.parsing.features import VarLenFeature as VarLenFeature
from sluice.ops.parsing.protos import decode_proto as decode_proto
from sluice.ops.parsing.protos import encode_proto as encode_proto
from sluice.ops.parsing.records import decode_compressed as decode_compressed
from sluice.ops.parsing.records import decode_csv as decode_csv
from sluice.ops.parsing.records import decode_json_example as decode_json_example
from sluice.ops.parsing.records import parse_tensor as parse_tensor
from sluice.ops.parsing.records import serialize_tensor as serialize_tensor
from sluice.ops.parsing.sequences import parse_sequence_example as parse_sequence_example
from sluice.ops.parsing.sequences import parse_single_sequence_example as parse_single_sequence_example


