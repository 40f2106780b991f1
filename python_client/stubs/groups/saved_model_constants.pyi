# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

ASSETS_DIRECTORY: _Any
ASSETS_KEY: _Any
LEGACY_INIT_OP_KEY: _Any
MAIN_OP_KEY: _Any
SAVED_MODEL_FILENAME_PB: _Any
SAVED_MODEL_FILENAME_PBTXT: _Any
SAVED_MODEL_SCHEMA_VERSION: _Any
VARIABLES_DIRECTORY: _Any
VARIABLES_FILENAME: _Any
