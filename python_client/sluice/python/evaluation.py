# SPDX-License-Identifier: Apache-2.0
"""The functions of TensorFlow's training.evaluation."""

from ..contrib_parts.training.evaluation import evaluate_once
from ..estimator.base.evaluating import StopAfterEvaluations, eval_step

NAMES = {
    "_StopAfterNEvalsHook": StopAfterEvaluations, "_evaluate_once": evaluate_once,
    "_get_or_create_eval_step": eval_step,
}  # fmt: skip
