# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.regularizers import L1L2 as L1L2
from sluice.keras.base.regularizers import Regularizer as Regularizer
from sluice.keras.base.regularizers import deserialize as deserialize
from sluice.keras.base.regularizers import get as get
from sluice.keras.base.regularizers import l1 as l1
from sluice.keras.base.regularizers import l1_l2 as l1_l2
from sluice.keras.base.regularizers import l2 as l2
from sluice.keras.base.regularizers import serialize as serialize
