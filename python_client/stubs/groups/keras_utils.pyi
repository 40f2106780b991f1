# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.serializing import CustomObjectScope as CustomObjectScope
from sluice.keras.base.enqueuers import GeneratorEnqueuer as GeneratorEnqueuer
from sluice.keras.base.hdf5_matrix import HDF5Matrix as HDF5Matrix
from sluice.keras.base.enqueuers import OrderedEnqueuer as OrderedEnqueuer
from sluice.keras.fitting.progress import Progbar as Progbar
from sluice.keras.base.sequences import Sequence as Sequence
from sluice.keras.base.enqueuers import SequenceEnqueuer as SequenceEnqueuer
from sluice.keras.models.cloning import convert_all_kernels_in_model as convert_all_kernels_in_model
from sluice.keras.base.serializing import custom_object_scope as custom_object_scope
from sluice.keras.base.serializing import deserialize_keras_object as deserialize_keras_object
from sluice.keras.base.serializing import get_custom_objects as get_custom_objects
from sluice.keras.base.downloads import get_file as get_file
from sluice.keras.models.cloning import get_source_inputs as get_source_inputs
from sluice.keras.models.picture import model_to_dot as model_to_dot
from sluice.keras.models.parallel import multi_gpu_model as multi_gpu_model
from sluice.keras.base.utilities import normalize as normalize
from sluice.keras.models.picture import plot_model as plot_model
from sluice.keras.base.serializing import serialize_keras_object as serialize_keras_object
from sluice.keras.base.utilities import to_categorical as to_categorical
