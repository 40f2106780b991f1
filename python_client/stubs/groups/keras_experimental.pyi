# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.schedules import CosineDecay as CosineDecay
from sluice.keras.fitting.schedules import CosineDecayRestarts as CosineDecayRestarts
from sluice.keras.fitting.schedules import LinearCosineDecay as LinearCosineDecay
from sluice.keras.models.premade import LinearModel as LinearModel
from sluice.keras.fitting.schedules import NoisyLinearCosineDecay as NoisyLinearCosineDecay
from sluice.keras.layers.convolutional_recurrent import PeepholeLSTMCell as PeepholeLSTMCell
from sluice.keras.layers.features import SequenceFeatures as SequenceFeatures
from sluice.keras.models.premade import WideDeepModel as WideDeepModel
from sluice.keras.models.exporting import export_saved_model as export_saved_model
from sluice.keras.models.loading import load_from_saved_model as load_from_saved_model
from sluice.keras.base.enqueuers import terminate_keras_multiprocessing_pools as terminate_keras_multiprocessing_pools
