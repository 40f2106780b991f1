# SPDX-License-Identifier: Apache-2.0
"""Modules at the places of contrib's own sources, which programs of 1.15 import.

    from sluice.contrib.layers.python.layers import utils
    from sluice.contrib.framework.python.ops import add_arg_scope

Such a module finds a name in the module of contrib that it belongs to.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

from ..layers.contrib import utils as layer_utils
from .slim import nets

# The folders of contrib's sources, and modules in them: no function has one of these names.
_FILES = frozenset(
    """
    arg_scope attention_wrapper basic_decoder beam_search_decoder beam_search_ops bucket_ops
    checkpoint_ops checkpoint_utils classification confusion_matrix_ops core_rnn_cell
    cudnn_rnn_ops decoder dense_image_warp device_assignment distort_image_ops distributions
    embedding_ops encoders estimator evaluation feature_column feature_column_ops framework
    fused_rnn_cell gru_ops helper hparam image_ops initializers input_pipeline_ops layers learning
    loss loss_ops losses lstm_ops metric_learning metric_loss_ops metric_ops metrics
    model_analyzer moving_average_optimizer normalization opt ops optimizers regularizers rnn
    rnn_cell sampling_ops seq2seq slim summaries tensor_util tfe tpu tpu_config tpu_context
    tpu_estimator tpu_feed tpu_optimizer tpu_system_metadata training training_ops util utils
    variables weight_decay_optimizers lazy_adam_optimizer nets alexnet inception inception_v1
    inception_v2 inception_v3 overfeat resnet_utils resnet_v1 resnet_v2 vgg
    """.split()
)
_LAYERS = "layers.python.layers"
_NETS = "slim.python.slim.nets"
_OWN = {
    "layers.python.layers.utils": layer_utils,
    _NETS: nets.module,
    **{f"{_NETS}.{made.__name__.rpartition('.')[2]}": made for made in nets.MODULES},
    **{f"{_NETS}.inception_v{i}": nets.module.inception for i in (1, 2, 3)},
}


class _Place(types.ModuleType):
    """A module that finds its names in a module of contrib."""

    def __getattr__(self, name):
        root, _, path = self.__name__.partition(".contrib.")
        contrib = sys.modules[f"{root}.contrib"]
        if not name.startswith("__"):
            for place in (_OWN.get(path), getattr(contrib, path.partition(".")[0])):
                if place is not None and name in vars(place):
                    return getattr(place, name)
            if name in _FILES:
                return importlib.import_module(f"{self.__name__}.{name}")
            for module in (contrib, sys.modules[root]):
                if name in getattr(module, "__all__", ()):
                    return getattr(module, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes the modules when a program imports them.

    Args:
        name: The name of the module contrib, a str.
    """

    def __init__(self, name):
        self._prefix = name + "."

    def find_spec(self, fullname, path=None, target=None):
        """Returns the ModuleSpec of a module below a folder "python", else None."""
        del path, target
        if not fullname.startswith(self._prefix):
            return None
        owner, *parts = fullname[len(self._prefix) :].split(".")
        there = self._prefix + owner in sys.modules and parts[:1] == ["python"]
        if not there or not all(part in _FILES for part in parts[1:]):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """Returns the module of a ModuleSpec."""
        return _Place(spec.name)

    def exec_module(self, module):
        """Does nothing: the module finds names when they are asked for."""


def install(name):
    """Lets `import` find the modules.

    Args:
        name: The name of the module contrib, a str.
    """
    sys.meta_path.append(_Finder(name))
    contrib = sys.modules[name]
    contrib.__path__ = []
    for module in contrib.MODULES:
        module.__path__ = []
        if module.__name__.count(".") == name.count(".") + 1:
            module.python = _Place(f"{module.__name__}.python")
            module.python.__path__ = []
            sys.modules[module.python.__name__] = module.python
    for part in ("initializers", "normalization", "optimizers", "regularizers", "utils"):
        setattr(contrib.slim, part, importlib.import_module(f"{name}.{_LAYERS}.{part}"))
    contrib.layers.summaries = importlib.import_module(f"{name}.{_LAYERS}.summaries")
