# SPDX-License-Identifier: Apache-2.0
"""Estimators that begin with the values of another model."""

import os
from collections import namedtuple

from ... import logging
from ...files import gfile
from ...saving import keys
from ...training.warm_start import warm_start


class WarmStartSettings(
    namedtuple(
        "WarmStartSettings",
        "ckpt_to_initialize_from vars_to_warm_start var_name_to_vocab_info"
        " var_name_to_prev_var_name",
    )
):
    """Which variables begin with the values of a checkpoint.

    Args:
        ckpt_to_initialize_from: Path of the checkpoint without its ending, or of a directory. A
            str.
        vars_to_warm_start: A regular expression that names of trainable variables begin with; or a
            list of such for all variables; or a list of variables. None: only those of
            var_name_to_vocab_info.
        var_name_to_vocab_info: A dict: name of the variable -> VocabInfo, where rows belong to
            words.
        var_name_to_prev_var_name: A dict: name of the variable -> name in the checkpoint.

    Raises:
        ValueError: ckpt_to_initialize_from is not given.
    """

    __slots__ = ()

    def __new__(cls, ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None,
                var_name_to_prev_var_name=None):  # fmt: skip
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )  # fmt: skip


def settings_of(warm_start_from):
    """WarmStartSettings of them, or of the path of a checkpoint or a SavedModel; None of None."""
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, (str, bytes)):
        raise ValueError(
            "warm_start_from must be a string or a WarmStartSettings, instead got"
            f" {type(warm_start_from)}"
        )
    path = os.fsdecode(warm_start_from)
    inside = os.path.join(path, keys.VARIABLES_DIRECTORY, keys.VARIABLES_FILENAME)
    return WarmStartSettings(inside if gfile.exists(inside + ".index") else path)


def apply(settings):
    """Lets the variables of the default graph begin with the values of the checkpoint."""
    logging.info("Warm-starting with WarmStartSettings: %s", settings)
    warm_start(*settings)
