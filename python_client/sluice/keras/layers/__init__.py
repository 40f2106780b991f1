# SPDX-License-Identifier: Apache-2.0
"""Layers of Keras. Images are [batch, height, width, channels]."""

from ...layers.input_spec import InputSpec
from ..engine import added as _added
from ..engine import operations as _operations
from ..engine.input_layer import Input, InputLayer
from ..engine.layer import Layer
from ..engine.registry import deserialize, register, serialize
from . import adopted as _adopted
from . import attention as _attention
from . import cells as _cells
from . import convolutional_recurrent as _convolutional_recurrent
from . import core as _core
from . import cudnn as _cudnn
from . import elements as _elements
from . import features as _features
from . import local as _local
from . import merging as _merging
from . import recurrent as _recurrent
from . import windows as _windows
from .adopted import *  # noqa: F403
from .attention import *  # noqa: F403
from .cells import *  # noqa: F403
from .convolutional_recurrent import *  # noqa: F403
from .core import *  # noqa: F403
from .cudnn import *  # noqa: F403
from .elements import *  # noqa: F403
from .features import *  # noqa: F403
from .local import *  # noqa: F403
from .merging import *  # noqa: F403
from .recurrent import *  # noqa: F403
from .windows import *  # noqa: F403

__all__ = [
    *_adopted.__all__, *_attention.__all__, *_local.__all__, *_cells.__all__, *_recurrent.__all__,
    *_convolutional_recurrent.__all__, *_core.__all__, *_cudnn.__all__, *_elements.__all__,
    *_features.__all__, *_merging.__all__, *_windows.__all__,
    "Input", "InputLayer", "InputSpec", "Layer", "deserialize", "serialize",
]  # fmt: skip
register(_operations.TensorFlowOpLayer, _added.AddLoss, _added.AddMetric, *(
    thing for thing in list(globals().values())
    if isinstance(thing, type) and issubclass(thing, Layer)
))  # fmt: skip
