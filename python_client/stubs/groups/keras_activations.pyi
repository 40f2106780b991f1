# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.activations import deserialize as deserialize
from sluice.keras.base.activations import elu as elu
from sluice.keras.base.activations import exponential as exponential
from sluice.keras.base.activations import get as get
from sluice.keras.base.activations import hard_sigmoid as hard_sigmoid
from sluice.keras.base.activations import linear as linear
from sluice.keras.base.activations import relu as relu
from sluice.keras.base.activations import selu as selu
from sluice.keras.base.activations import serialize as serialize
from sluice.keras.base.activations import sigmoid as sigmoid
from sluice.keras.base.activations import softmax as softmax
from sluice.keras.base.activations import softplus as softplus
from sluice.keras.base.activations import softsign as softsign
from sluice.keras.base.activations import tanh as tanh
