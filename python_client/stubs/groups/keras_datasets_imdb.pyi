# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.cached_data import imdb_word_index as _keras_base_cached_data_imdb_word_index
get_word_index = _keras_base_cached_data_imdb_word_index
from sluice.keras.base.cached_data import load_imdb as _keras_base_cached_data_load_imdb
load_data = _keras_base_cached_data_load_imdb
