# SPDX-License-Identifier: Apache-2.0
"""Models: networks of layers that can be trained."""

from ..engine.registry import register
from .model import Model
from .saving import model_from_config, model_from_json
from .sequential import Sequential

register(Model, Sequential)

__all__ = ["Model", "Sequential", "model_from_config", "model_from_json"]
