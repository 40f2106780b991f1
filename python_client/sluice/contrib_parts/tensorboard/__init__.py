# SPDX-License-Identifier: Apache-2.0
"""contrib.tensorboard: what TensorBoard's projector shows."""

from ... import modules
from . import projecting

_PROJECTOR = modules.make(
    "contrib.tensorboard.plugins.projector",
    "Which embeddings TensorBoard's projector shows.",
    {name: getattr(projecting, name) for name in projecting.__all__},
)
_PLUGINS = modules.make(
    "contrib.tensorboard.plugins", "The plugins of TensorBoard.", {"projector": _PROJECTOR}
)
module = modules.make(
    "contrib.tensorboard", "Parts of TensorBoard that programs use.", {"plugins": _PLUGINS}
)
