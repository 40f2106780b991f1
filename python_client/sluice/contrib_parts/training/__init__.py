# SPDX-License-Identifier: Apache-2.0
"""Hyperparameters, training steps, evaluations and other parts of contrib.training."""

from . import evaluation, gradients, hparams, parsing

NAMES = {
    "HParams": hparams.HParams,
    "parse_values": parsing.parse_values,
    **{name: getattr(evaluation, name) for name in evaluation.__all__},
    **{name: getattr(gradients, name) for name in gradients.__all__},
}
