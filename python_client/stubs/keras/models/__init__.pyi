# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.models.cloning import clone_model as clone_model
from sluice.keras.models.configs import model_from_config as model_from_config
from sluice.keras.models.loading import load_model as load_model
from sluice.keras.models.model import Model as Model
from sluice.keras.models.saving import model_from_json as model_from_json
from sluice.keras.models.saving import model_from_yaml as model_from_yaml
from sluice.keras.models.saving import save_model as save_model
from sluice.keras.models.sequential import Sequential as Sequential


