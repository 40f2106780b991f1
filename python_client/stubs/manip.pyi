# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.array.moving import batch_to_space_nd as batch_to_space_nd
from sluice.ops.array.indexing import gather_nd as gather_nd
from sluice.ops.array.shaping import reshape as reshape
from sluice.ops.array.moving import reverse as reverse
from sluice.ops.array.moving import roll as roll
from sluice.ops.array.indexing import scatter_nd as scatter_nd
from sluice.ops.array.moving import space_to_batch_nd as space_to_batch_nd
from sluice.ops.array.shaping import tile as tile
