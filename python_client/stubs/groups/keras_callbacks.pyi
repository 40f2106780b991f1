# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.callbacks import BaseLogger as BaseLogger
from sluice.keras.fitting.callbacks import CSVLogger as CSVLogger
from sluice.keras.fitting.callbacks import Callback as Callback
from sluice.keras.fitting.callbacks import EarlyStopping as EarlyStopping
from sluice.keras.fitting.callbacks import History as History
from sluice.keras.fitting.callbacks import LambdaCallback as LambdaCallback
from sluice.keras.fitting.callbacks import LearningRateScheduler as LearningRateScheduler
from sluice.keras.fitting.checkpoints import ModelCheckpoint as ModelCheckpoint
from sluice.keras.fitting.callbacks import ProgbarLogger as ProgbarLogger
from sluice.keras.fitting.callbacks import ReduceLROnPlateau as ReduceLROnPlateau
from sluice.keras.fitting.reports import RemoteMonitor as RemoteMonitor
from sluice.keras.fitting.board import TensorBoard as TensorBoard
from sluice.keras.fitting.callbacks import TerminateOnNaN as TerminateOnNaN
