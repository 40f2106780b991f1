# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.confusion import AUC as AUC
from sluice.keras.fitting.metrics import Accuracy as Accuracy
from sluice.keras.fitting.metrics import BinaryAccuracy as BinaryAccuracy
from sluice.keras.fitting.metrics import BinaryCrossentropy as BinaryCrossentropy
from sluice.keras.fitting.metrics import CategoricalAccuracy as CategoricalAccuracy
from sluice.keras.fitting.metrics import CategoricalCrossentropy as CategoricalCrossentropy
from sluice.keras.fitting.metrics import CategoricalHinge as CategoricalHinge
from sluice.keras.fitting.metrics import CosineSimilarity as CosineSimilarity
from sluice.keras.fitting.confusion import FalseNegatives as FalseNegatives
from sluice.keras.fitting.confusion import FalsePositives as FalsePositives
from sluice.keras.fitting.metrics import Hinge as Hinge
from sluice.keras.fitting.losses import kullback_leibler_divergence as _keras_fitting_losses_kullback_leibler_divergence
KLD = _keras_fitting_losses_kullback_leibler_divergence
from sluice.keras.fitting.metrics import KLDivergence as KLDivergence
from sluice.keras.fitting.metrics import LogCoshError as LogCoshError
from sluice.keras.fitting.losses import mean_absolute_error as _keras_fitting_losses_mean_absolute_error
MAE = _keras_fitting_losses_mean_absolute_error
from sluice.keras.fitting.losses import mean_absolute_percentage_error as _keras_fitting_losses_mean_absolute_percentage_error
MAPE = _keras_fitting_losses_mean_absolute_percentage_error
from sluice.keras.fitting.losses import mean_squared_error as _keras_fitting_losses_mean_squared_error
MSE = _keras_fitting_losses_mean_squared_error
from sluice.keras.fitting.losses import mean_squared_logarithmic_error as _keras_fitting_losses_mean_squared_logarithmic_error
MSLE = _keras_fitting_losses_mean_squared_logarithmic_error
from sluice.keras.fitting.metrics import Mean as Mean
from sluice.keras.fitting.metrics import MeanAbsoluteError as MeanAbsoluteError
from sluice.keras.fitting.metrics import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from sluice.keras.fitting.confusion import MeanIoU as MeanIoU
from sluice.keras.fitting.confusion import MeanRelativeError as MeanRelativeError
from sluice.keras.fitting.metrics import MeanSquaredError as MeanSquaredError
from sluice.keras.fitting.metrics import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from sluice.keras.fitting.confusion import MeanTensor as MeanTensor
from sluice.keras.fitting.metrics import Metric as Metric
from sluice.keras.fitting.metrics import Poisson as Poisson
from sluice.keras.fitting.confusion import Precision as Precision
from sluice.keras.fitting.confusion import Recall as Recall
from sluice.keras.fitting.metrics import RootMeanSquaredError as RootMeanSquaredError
from sluice.keras.fitting.confusion import SensitivityAtSpecificity as SensitivityAtSpecificity
from sluice.keras.fitting.metrics import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from sluice.keras.fitting.metrics import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from sluice.keras.fitting.metrics import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from sluice.keras.fitting.confusion import SpecificityAtSensitivity as SpecificityAtSensitivity
from sluice.keras.fitting.metrics import SquaredHinge as SquaredHinge
from sluice.keras.fitting.metrics import Sum as Sum
from sluice.keras.fitting.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from sluice.keras.fitting.confusion import TrueNegatives as TrueNegatives
from sluice.keras.fitting.confusion import TruePositives as TruePositives
from sluice.keras.fitting.metrics import binary_accuracy as binary_accuracy
from sluice.keras.fitting.losses import binary_crossentropy as binary_crossentropy
from sluice.keras.fitting.metrics import categorical_accuracy as categorical_accuracy
from sluice.keras.fitting.losses import categorical_crossentropy as categorical_crossentropy
from sluice.keras.fitting.losses import cosine_similarity as _keras_fitting_losses_cosine_similarity
cosine = _keras_fitting_losses_cosine_similarity
from sluice.keras.fitting.losses import cosine_similarity as _keras_fitting_losses_cosine_similarity
cosine_proximity = _keras_fitting_losses_cosine_similarity
from sluice.keras.fitting.metrics import deserialize as deserialize
from sluice.keras.fitting.metrics import get as get
from sluice.keras.fitting.losses import hinge as hinge
from sluice.keras.fitting.losses import kullback_leibler_divergence as _keras_fitting_losses_kullback_leibler_divergence
kld = _keras_fitting_losses_kullback_leibler_divergence
from sluice.keras.fitting.losses import kullback_leibler_divergence as kullback_leibler_divergence
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
from sluice.keras.fitting.metrics import serialize as serialize
from sluice.keras.fitting.metrics import sparse_categorical_accuracy as sparse_categorical_accuracy
from sluice.keras.fitting.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from sluice.keras.fitting.metrics import sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy
from sluice.keras.fitting.losses import squared_hinge as squared_hinge
from sluice.keras.fitting.metrics import top_k_categorical_accuracy as top_k_categorical_accuracy
