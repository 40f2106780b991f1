# SPDX-License-Identifier: Apache-2.0
"""The public modules saved_model and those in it."""

from ... import modules as _modules
from .. import builder, keys, loader, signatures
from . import objects


def _constants(name, doc, names):
    return _modules.make(f"saved_model.{name}", doc, {key: getattr(keys, key) for key in names})


def _functions(name, doc, source, names):
    found = {key: getattr(source, key) for key in names.split()}
    return _modules.make(f"saved_model.{name}", doc, found)


_PARTS = {
    "constants": _constants("constants", "Names of files and collections.", keys.CONSTANTS),
    "signature_constants": _constants(
        "signature_constants", "Names in signatures, and of their methods.", keys.SIGNATURES
    ),
    "tag_constants": _constants("tag_constants", "Usual tags of graphs.", keys.TAGS),
    "experimental": _functions("experimental", "Older place of save().", objects, "save"),
    "builder": _modules.make(
        "saved_model.builder", "The writer of SavedModels.", {"SavedModelBuilder": builder.Builder}
    ),
    "loader": _functions(
        "loader", "The reader of SavedModels.", loader, "load maybe_saved_model_directory"
    ),
    "main_op": _functions(
        "main_op",
        "Operations that run when a SavedModel is loaded.",
        builder,
        "main_op main_op_with_restore",
    ),
    "signature_def_utils": _functions(
        "signature_def_utils",
        "Makes signatures.",
        signatures,
        "build_signature_def classification_signature_def is_valid_signature predict_signature_def"
        " regression_signature_def",
    ),
    "utils": _functions(
        "utils",
        "Descriptions of tensors.",
        signatures,
        "build_tensor_info get_tensor_from_tensor_info",
    ),
}
MODULES = tuple(_PARTS.values())
saved_model = _modules.make(
    "saved_model",
    "SavedModels: graphs with signatures and variables, as other programs load and serve them.",
    {
        **_PARTS,
        **{name: getattr(signatures, name) for name in signatures.__all__},
        **{name: getattr(keys, name) for name in (*keys.CONSTANTS, *keys.SIGNATURES, *keys.TAGS)},
        "Builder": builder.Builder,
        "main_op_with_restore": builder.main_op_with_restore,
        "simple_save": builder.simple_save,
        "load": loader.load,
        "save": objects.save,
        "maybe_saved_model_directory": loader.maybe_saved_model_directory,
        "contains_saved_model": loader.maybe_saved_model_directory,
    },
)
