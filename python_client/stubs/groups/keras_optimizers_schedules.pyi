# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.schedules import ExponentialDecay as ExponentialDecay
from sluice.keras.fitting.schedules import InverseTimeDecay as InverseTimeDecay
from sluice.keras.fitting.schedules import LearningRateSchedule as LearningRateSchedule
from sluice.keras.fitting.schedules import PiecewiseConstantDecay as PiecewiseConstantDecay
from sluice.keras.fitting.schedules import PolynomialDecay as PolynomialDecay
from sluice.keras.fitting.schedules import deserialize as deserialize
from sluice.keras.fitting.schedules import serialize as serialize
