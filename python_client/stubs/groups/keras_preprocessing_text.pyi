# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.text_data import Tokenizer as Tokenizer
from sluice.keras.base.text_data import hashing_trick as hashing_trick
from sluice.keras.base.text_data import one_hot as one_hot
from sluice.keras.base.text_data import text_to_word_sequence as text_to_word_sequence
from sluice.keras.base.text_data import tokenizer_from_json as tokenizer_from_json
