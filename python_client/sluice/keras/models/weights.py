# SPDX-License-Identifier: Apache-2.0
"""The variables of models in files: checkpoints of TensorFlow, and HDF5."""

import os

from ... import errors
from ...training.checkpoints.state import checkpoint_exists, update_checkpoint_state
from ...training.object_checkpoint import ObjectSaver, set_session_provider
from ..base.state import get_session
from . import configs, hdf5

set_session_provider(get_session)

_H5 = (".h5", ".keras", ".hdf5")


def _is_h5(filepath, save_format):
    if save_format is None:
        return str(filepath).endswith(_H5)
    kind = str(save_format).lower().strip()
    if kind not in ("tensorflow", "tf", "hdf5", "h5", "keras"):
        raise ValueError(f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.')
    return kind not in ("tensorflow", "tf")


def _has_h5(filepath):
    """Whether a path without the ending of HDF5 is that of an HDF5 file."""
    if not os.path.isfile(filepath):
        return False
    with open(filepath, "rb") as file:
        return file.read(8) == b"\x89HDF\r\n\x1a\n"


def save_weights(model, filepath, overwrite=True, save_format=None):
    """What Model.save_weights() does."""
    filepath = os.fspath(filepath)
    as_h5 = _is_h5(filepath, save_format)
    if not as_h5 and filepath.endswith(_H5):
        raise ValueError(
            'save_weights got save_format="tf"/"tensorflow", but the filepath '
            f'("{filepath}") looks like an HDF5 file.'
        )
    model.check_has_variables()
    exists = os.path.isfile(filepath if as_h5 else filepath + ".index")
    if not overwrite and exists and not configs.may(filepath):
        return
    if as_h5:
        with hdf5.module().File(filepath, "w") as file:
            hdf5.write_weights(file, model.layers)
        return
    _saver_of(model).save(filepath, get_session())
    update_checkpoint_state(os.path.dirname(filepath), filepath, save_relative_paths=True)


def _saver_of(model):
    if "_object_saver" not in vars(model):
        vars(model)["_object_saver"] = ObjectSaver(model)
    return vars(model)["_object_saver"]


def load_weights(model, filepath, by_name=False):
    """What Model.load_weights() does. Of a TensorFlow checkpoint it returns the status."""
    filepath = os.fspath(filepath)
    as_h5 = filepath.endswith(_H5) or _has_h5(filepath)
    if not as_h5 and checkpoint_exists(filepath):
        if by_name:
            raise NotImplementedError(
                "Weights may only be loaded based on topology into Models when loading TensorFlow-"
                "formatted weights (got by_name=True to load_weights)."
            )
        status = _saver_of(model).restore(filepath)
        status.assert_nontrivial_match()
        status.run_restore_ops(get_session())
        model.restore_later(status)
        return status
    if not as_h5:
        raise errors.NotFoundError(
            "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for "
            f"{filepath}"
        )
    h5py = hdf5.module()
    is_sequential = hasattr(model, "add")
    if not model.is_functional and not model.built and not is_sequential:
        raise ValueError(
            "Unable to load weights saved in HDF5 format into a subclassed Model which has not "
            "created its variables yet. Call the Model first, then load the weights."
        )
    model.check_has_variables()
    with h5py.File(filepath, "r") as file:
        group = file["model_weights"] if "layer_names" not in file.attrs and (
            "model_weights" in file
        ) else file  # fmt: skip
        if by_name:
            hdf5.read_weights_by_name(group, model.layers)
        else:
            hdf5.read_weights(group, model.layers)
    return None
