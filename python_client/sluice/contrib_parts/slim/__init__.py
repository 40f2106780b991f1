# SPDX-License-Identifier: Apache-2.0
"""Training, evaluation and descriptions of slim models."""

from ... import modules
from ..losses import NAMES as _LOSSES
from . import data as of_data
from . import evaluation as of_evaluation
from . import learning as of_learning
from . import model_analyzer as of_models
from . import nets as of_nets

learning = modules.make(
    "contrib.slim.learning",
    "Training steps, and a loop that runs them.",
    {name: getattr(of_learning, name) for name in of_learning.__all__},
)
evaluation = modules.make(
    "contrib.slim.evaluation",
    "Evaluations of checkpoints.",
    {name: getattr(of_evaluation, name) for name in of_evaluation.__all__},
)
losses = modules.make("contrib.slim.losses", "The losses of contrib.losses.", _LOSSES)
model_analyzer = modules.make(
    "contrib.slim.model_analyzer",
    "Lists of variables and operations.",
    {name: getattr(of_models, name) for name in of_models.__all__},
)
MODULES = (learning, evaluation, losses, model_analyzer, of_nets.module, *of_data.MODULES)
NAMES = {
    **{module.__name__.rpartition(".")[2]: module for module in MODULES},
    "evaluation_loop": of_evaluation.evaluation_loop,
}
MODULES += of_nets.MODULES
