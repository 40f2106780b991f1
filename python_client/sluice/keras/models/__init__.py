# SPDX-License-Identifier: Apache-2.0
"""Models: networks of layers that can be trained."""

from ..engine.registry import register
from .cloning import clone_model
from .loading import load_model
from .model import Model
from .premade import LinearModel, WideDeepModel
from .saving import model_from_config, model_from_json, model_from_yaml, save_model
from .sequential import Sequential

register(Model, Sequential, LinearModel, WideDeepModel)

__all__ = [
    "Model", "Sequential", "clone_model", "load_model", "model_from_config", "model_from_json",
    "model_from_yaml", "save_model",
]  # fmt: skip
