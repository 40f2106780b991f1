# SPDX-License-Identifier: Apache-2.0
"""Neural network functions. Images are [batch, height, width, channels]."""

from ..array.blocks import *  # noqa: F403
from ..array.blocks import __all__ as _blocks
from ..linalg.norms import l2_normalize  # noqa: F401
from ..math.elementary import log_sigmoid, sigmoid, softplus, softsign, tanh  # noqa: F401
from ..random.candidates import *  # noqa: F403
from ..random.candidates import __all__ as _candidates
from .activations import *  # noqa: F403
from .activations import __all__ as _activations
from .backpropagation import *  # noqa: F403
from .backpropagation import __all__ as _backpropagation
from .convolution import *  # noqa: F403
from .convolution import __all__ as _convolution
from .cross_entropy import *  # noqa: F403
from .cross_entropy import __all__ as _cross_entropy
from .ctc import *  # noqa: F403
from .ctc import __all__ as _ctc
from .depthwise import *  # noqa: F403
from .depthwise import __all__ as _depthwise
from .layers import *  # noqa: F403
from .layers import __all__ as _layers
from .morphology import *  # noqa: F403
from .morphology import __all__ as _morphology
from .normalization import *  # noqa: F403
from .normalization import __all__ as _normalization
from .pooling import *  # noqa: F403
from .pooling import __all__ as _pooling
from .ranking import *  # noqa: F403
from .ranking import __all__ as _ranking
from .sampling import *  # noqa: F403
from .sampling import __all__ as _sampling
from .sparsity import zero_fraction  # noqa: F401

__all__ = [
    *_activations,
    *_backpropagation,
    *_blocks,
    *_candidates,
    *_convolution,
    *_cross_entropy,
    *_ctc,
    *_depthwise,
    *_layers,
    *_morphology,
    *_normalization,
    *_pooling,
    *_ranking,
    *_sampling,
    "l2_normalize",
    "log_sigmoid",
    "sigmoid",
    "softplus",
    "softsign",
    "tanh",
    "zero_fraction",
]
