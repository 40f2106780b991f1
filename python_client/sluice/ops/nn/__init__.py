"""Neural networks: layers, activations, losses, convolutions, embeddings."""

from .nn import *  # noqa: F403
from .nn import __all__  # noqa: F401
