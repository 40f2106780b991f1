# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import keras_activations as _keras_activations
activations = _keras_activations
from sluice.groups import keras_applications as _keras_applications
applications = _keras_applications
from sluice.groups import keras_backend as _keras_backend
backend = _keras_backend
from sluice.groups import keras_callbacks as _keras_callbacks
callbacks = _keras_callbacks
from sluice.groups import keras_constraints as _keras_constraints
constraints = _keras_constraints
from sluice.groups import keras_datasets as _keras_datasets
datasets = _keras_datasets
from sluice.groups import keras_initializers as _keras_initializers
initializers = _keras_initializers
from sluice.keras import layers as layers
from sluice.groups import keras_losses as _keras_losses
losses = _keras_losses
from sluice.groups import keras_metrics as _keras_metrics
metrics = _keras_metrics
from sluice.keras import models as models
from sluice.groups import keras_optimizers as _keras_optimizers
optimizers = _keras_optimizers
from sluice.groups import keras_preprocessing as _keras_preprocessing
preprocessing = _keras_preprocessing
from sluice.groups import keras_regularizers as _keras_regularizers
regularizers = _keras_regularizers
from sluice.groups import keras_utils as _keras_utils
utils = _keras_utils
from sluice.groups import keras_wrappers as _keras_wrappers
wrappers = _keras_wrappers
