"""Neural network functions: activations, normalisation, losses. Images are [batch, height, width,
channels]. Convolutions stand in convolution.py, sampled losses and embeddings in sampling.py.

Long because: the docstring of each function stands beside it.
"""

from .ops.nn import *  # noqa: F403
from .ops.nn import __all__  # noqa: F401
