# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

ASSETS_DIRECTORY: _Any
ASSETS_KEY: _Any
from sluice.saving.builder import Builder as Builder
CLASSIFY_INPUTS: _Any
CLASSIFY_METHOD_NAME: _Any
CLASSIFY_OUTPUT_CLASSES: _Any
CLASSIFY_OUTPUT_SCORES: _Any
DEFAULT_SERVING_SIGNATURE_DEF_KEY: _Any
GPU: _Any
LEGACY_INIT_OP_KEY: _Any
MAIN_OP_KEY: _Any
PREDICT_INPUTS: _Any
PREDICT_METHOD_NAME: _Any
PREDICT_OUTPUTS: _Any
REGRESS_INPUTS: _Any
REGRESS_METHOD_NAME: _Any
REGRESS_OUTPUTS: _Any
SAVED_MODEL_FILENAME_PB: _Any
SAVED_MODEL_FILENAME_PBTXT: _Any
SAVED_MODEL_SCHEMA_VERSION: _Any
SERVING: _Any
TPU: _Any
TRAINING: _Any
VARIABLES_DIRECTORY: _Any
VARIABLES_FILENAME: _Any
from sluice.saving.signatures import build_signature_def as build_signature_def
from sluice.saving.signatures import build_tensor_info as build_tensor_info
from sluice.groups import saved_model_builder as _saved_model_builder
builder = _saved_model_builder
from sluice.saving.signatures import classification_signature_def as classification_signature_def
from sluice.groups import saved_model_constants as _saved_model_constants
constants = _saved_model_constants
from sluice.saving.loader import maybe_saved_model_directory as _saving_loader_maybe_saved_model_directory
contains_saved_model = _saving_loader_maybe_saved_model_directory
from sluice.groups import saved_model_experimental as _saved_model_experimental
experimental = _saved_model_experimental
from sluice.saving.signatures import get_tensor_from_tensor_info as get_tensor_from_tensor_info
from sluice.saving.signatures import is_valid_signature as is_valid_signature
from sluice.saving.loader import load as load
from sluice.groups import saved_model_loader as _saved_model_loader
loader = _saved_model_loader
from sluice.groups import saved_model_main_op as _saved_model_main_op
main_op = _saved_model_main_op
from sluice.saving.builder import main_op_with_restore as main_op_with_restore
from sluice.saving.loader import maybe_saved_model_directory as maybe_saved_model_directory
from sluice.saving.signatures import predict_signature_def as predict_signature_def
from sluice.saving.signatures import regression_signature_def as regression_signature_def
from sluice.saving.public.objects import save as save
from sluice.groups import saved_model_signature_constants as _saved_model_signature_constants
signature_constants = _saved_model_signature_constants
from sluice.groups import saved_model_signature_def_utils as _saved_model_signature_def_utils
signature_def_utils = _saved_model_signature_def_utils
from sluice.saving.builder import simple_save as simple_save
from sluice.groups import saved_model_tag_constants as _saved_model_tag_constants
tag_constants = _saved_model_tag_constants
from sluice.groups import saved_model_utils as _saved_model_utils
utils = _saved_model_utils
