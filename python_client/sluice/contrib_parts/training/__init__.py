# SPDX-License-Identifier: Apache-2.0
"""Hyperparameters, and other parts of contrib.training."""

from . import hparams, parsing

NAMES = {"HParams": hparams.HParams, "parse_values": parsing.parse_values}
