# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.constraints import Constraint as Constraint
from sluice.keras.base.constraints import MaxNorm as MaxNorm
from sluice.keras.base.constraints import MinMaxNorm as MinMaxNorm
from sluice.keras.base.constraints import NonNeg as NonNeg
from sluice.keras.base.constraints import RadialConstraint as RadialConstraint
from sluice.keras.base.constraints import UnitNorm as UnitNorm
from sluice.keras.base.constraints import deserialize as deserialize
from sluice.keras.base.constraints import get as get
from sluice.keras.base.constraints import MaxNorm as _keras_base_constraints_MaxNorm
max_norm = _keras_base_constraints_MaxNorm
from sluice.keras.base.constraints import MinMaxNorm as _keras_base_constraints_MinMaxNorm
min_max_norm = _keras_base_constraints_MinMaxNorm
from sluice.keras.base.constraints import NonNeg as _keras_base_constraints_NonNeg
non_neg = _keras_base_constraints_NonNeg
from sluice.keras.base.constraints import RadialConstraint as _keras_base_constraints_RadialConstraint
radial_constraint = _keras_base_constraints_RadialConstraint
from sluice.keras.base.constraints import serialize as serialize
from sluice.keras.base.constraints import UnitNorm as _keras_base_constraints_UnitNorm
unit_norm = _keras_base_constraints_UnitNorm
