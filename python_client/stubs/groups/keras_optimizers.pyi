# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.descents import Adadelta as Adadelta
from sluice.keras.fitting.descents import Adagrad as Adagrad
from sluice.keras.fitting.moments import Adam as Adam
from sluice.keras.fitting.moments import Adamax as Adamax
from sluice.keras.fitting.descents import Ftrl as Ftrl
from sluice.keras.fitting.moments import Nadam as Nadam
from sluice.keras.fitting.optimizers import Optimizer as Optimizer
from sluice.keras.fitting.descents import RMSprop as RMSprop
from sluice.keras.fitting.descents import SGD as SGD
from sluice.keras.fitting.descents import deserialize as deserialize
from sluice.keras.fitting.descents import get as get
from sluice.groups import keras_optimizers_schedules as _keras_optimizers_schedules
schedules = _keras_optimizers_schedules
from sluice.keras.fitting.descents import serialize as serialize
