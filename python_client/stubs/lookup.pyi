# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import lookup_experimental as _lookup_experimental
experimental = _lookup_experimental
from sluice.ops.lookup.initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from sluice.ops.lookup.initializers import TextFileIndex as TextFileIndex
from sluice.ops.lookup.initializers import TextFileInitializer as TextFileInitializer
from sluice.ops.lookup.tables import StaticHashTable as StaticHashTable
from sluice.ops.lookup.vocabulary import StaticVocabularyTable as StaticVocabularyTable


