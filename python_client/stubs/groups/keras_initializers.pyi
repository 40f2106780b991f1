# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.initializers import Constant as Constant
from sluice.keras.base.initializers import Identity as Identity
from sluice.keras.base.initializers import Initializer as Initializer
from sluice.keras.base.initializers import Ones as Ones
from sluice.keras.base.initializers import Orthogonal as Orthogonal
from sluice.keras.base.initializers import RandomNormal as RandomNormal
from sluice.keras.base.initializers import RandomUniform as RandomUniform
from sluice.keras.base.initializers import TruncatedNormal as TruncatedNormal
from sluice.keras.base.initializers import VarianceScaling as VarianceScaling
from sluice.keras.base.initializers import Zeros as Zeros
from sluice.keras.base.initializers import Constant as _keras_base_initializers_Constant
constant = _keras_base_initializers_Constant
from sluice.keras.base.initializers import deserialize as deserialize
from sluice.keras.base.initializers import get as get
from sluice.keras.base.initializers import GlorotNormal as _keras_base_initializers_GlorotNormal
glorot_normal = _keras_base_initializers_GlorotNormal
from sluice.keras.base.initializers import GlorotUniform as _keras_base_initializers_GlorotUniform
glorot_uniform = _keras_base_initializers_GlorotUniform
from sluice.keras.base.initializers import he_normal as he_normal
from sluice.keras.base.initializers import he_uniform as he_uniform
from sluice.keras.base.initializers import Identity as _keras_base_initializers_Identity
identity = _keras_base_initializers_Identity
from sluice.keras.base.initializers import lecun_normal as lecun_normal
from sluice.keras.base.initializers import lecun_uniform as lecun_uniform
from sluice.keras.base.initializers import RandomNormal as _keras_base_initializers_RandomNormal
normal = _keras_base_initializers_RandomNormal
from sluice.keras.base.initializers import Ones as _keras_base_initializers_Ones
ones = _keras_base_initializers_Ones
from sluice.keras.base.initializers import Orthogonal as _keras_base_initializers_Orthogonal
orthogonal = _keras_base_initializers_Orthogonal
from sluice.keras.base.initializers import RandomNormal as _keras_base_initializers_RandomNormal
random_normal = _keras_base_initializers_RandomNormal
from sluice.keras.base.initializers import RandomUniform as _keras_base_initializers_RandomUniform
random_uniform = _keras_base_initializers_RandomUniform
from sluice.keras.base.initializers import serialize as serialize
from sluice.keras.base.initializers import TruncatedNormal as _keras_base_initializers_TruncatedNormal
truncated_normal = _keras_base_initializers_TruncatedNormal
from sluice.keras.base.initializers import RandomUniform as _keras_base_initializers_RandomUniform
uniform = _keras_base_initializers_RandomUniform
from sluice.keras.base.initializers import Zeros as _keras_base_initializers_Zeros
zeros = _keras_base_initializers_Zeros
