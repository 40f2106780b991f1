# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.losses import BinaryCrossentropy as BinaryCrossentropy
from sluice.keras.fitting.losses import CategoricalCrossentropy as CategoricalCrossentropy
from sluice.keras.fitting.losses import CategoricalHinge as CategoricalHinge
from sluice.keras.fitting.losses import CosineSimilarity as CosineSimilarity
from sluice.keras.fitting.losses import Hinge as Hinge
from sluice.keras.fitting.losses import Huber as Huber
from sluice.keras.fitting.losses import kullback_leibler_divergence as _keras_fitting_losses_kullback_leibler_divergence
KLD = _keras_fitting_losses_kullback_leibler_divergence
from sluice.keras.fitting.losses import KLDivergence as KLDivergence
from sluice.keras.fitting.losses import LogCosh as LogCosh
from sluice.keras.fitting.losses import Loss as Loss
from sluice.keras.fitting.losses import mean_absolute_error as _keras_fitting_losses_mean_absolute_error
MAE = _keras_fitting_losses_mean_absolute_error
from sluice.keras.fitting.losses import mean_absolute_percentage_error as _keras_fitting_losses_mean_absolute_percentage_error
MAPE = _keras_fitting_losses_mean_absolute_percentage_error
from sluice.keras.fitting.losses import mean_squared_error as _keras_fitting_losses_mean_squared_error
MSE = _keras_fitting_losses_mean_squared_error
from sluice.keras.fitting.losses import mean_squared_logarithmic_error as _keras_fitting_losses_mean_squared_logarithmic_error
MSLE = _keras_fitting_losses_mean_squared_logarithmic_error
from sluice.keras.fitting.losses import MeanAbsoluteError as MeanAbsoluteError
from sluice.keras.fitting.losses import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from sluice.keras.fitting.losses import MeanSquaredError as MeanSquaredError
from sluice.keras.fitting.losses import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from sluice.keras.fitting.losses import Poisson as Poisson
from sluice.keras.fitting.losses import Reduction as Reduction
from sluice.keras.fitting.losses import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from sluice.keras.fitting.losses import SquaredHinge as SquaredHinge
from sluice.keras.fitting.losses import binary_crossentropy as binary_crossentropy
from sluice.keras.fitting.losses import categorical_crossentropy as categorical_crossentropy
from sluice.keras.fitting.losses import categorical_hinge as categorical_hinge
from sluice.keras.fitting.losses import cosine_similarity as _keras_fitting_losses_cosine_similarity
cosine = _keras_fitting_losses_cosine_similarity
from sluice.keras.fitting.losses import cosine_similarity as _keras_fitting_losses_cosine_similarity
cosine_proximity = _keras_fitting_losses_cosine_similarity
from sluice.keras.fitting.losses import cosine_similarity as cosine_similarity
from sluice.keras.fitting.losses import deserialize as deserialize
from sluice.keras.fitting.losses import get as get
from sluice.keras.fitting.losses import hinge as hinge
from sluice.keras.fitting.losses import kullback_leibler_divergence as _keras_fitting_losses_kullback_leibler_divergence
kld = _keras_fitting_losses_kullback_leibler_divergence
from sluice.keras.fitting.losses import kullback_leibler_divergence as kullback_leibler_divergence
from sluice.keras.fitting.losses import logcosh as logcosh
from sluice.keras.fitting.losses import mean_absolute_error as _keras_fitting_losses_mean_absolute_error
mae = _keras_fitting_losses_mean_absolute_error
from sluice.keras.fitting.losses import mean_absolute_percentage_error as _keras_fitting_losses_mean_absolute_percentage_error
mape = _keras_fitting_losses_mean_absolute_percentage_error
from sluice.keras.fitting.losses import mean_absolute_error as mean_absolute_error
from sluice.keras.fitting.losses import mean_absolute_percentage_error as mean_absolute_percentage_error
from sluice.keras.fitting.losses import mean_squared_error as mean_squared_error
from sluice.keras.fitting.losses import mean_squared_logarithmic_error as mean_squared_logarithmic_error
from sluice.keras.fitting.losses import mean_squared_error as _keras_fitting_losses_mean_squared_error
mse = _keras_fitting_losses_mean_squared_error
from sluice.keras.fitting.losses import mean_squared_logarithmic_error as _keras_fitting_losses_mean_squared_logarithmic_error
msle = _keras_fitting_losses_mean_squared_logarithmic_error
from sluice.keras.fitting.losses import poisson as poisson
from sluice.keras.fitting.losses import serialize as serialize
from sluice.keras.fitting.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from sluice.keras.fitting.losses import squared_hinge as squared_hinge
