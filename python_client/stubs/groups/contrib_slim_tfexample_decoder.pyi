# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.data.examples import BackupHandler as BackupHandler
from sluice.contrib_parts.slim.data.examples import BoundingBox as BoundingBox
from sluice.contrib_parts.slim.data.examples import Image as Image
from sluice.contrib_parts.slim.data.examples import ItemHandler as ItemHandler
from sluice.contrib_parts.slim.data.examples import ItemHandlerCallback as ItemHandlerCallback
from sluice.contrib_parts.slim.data.examples import LookupTensor as LookupTensor
from sluice.contrib_parts.slim.data.examples import SparseTensor as SparseTensor
from sluice.contrib_parts.slim.data.examples import TFExampleDecoder as TFExampleDecoder
from sluice.contrib_parts.slim.data.examples import Tensor as Tensor
