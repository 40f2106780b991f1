# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

FastHashSpec: _Any
from sluice.ops.lookup.tables import HashTable as HashTable
from sluice.ops.lookup.vocabulary import HasherSpec as HasherSpec
from sluice.ops.lookup.vocabulary import IdTableWithHashBuckets as IdTableWithHashBuckets
from sluice.ops.lookup.tables import FilledTable as _ops_lookup_tables_FilledTable
InitializableLookupTableBase = _ops_lookup_tables_FilledTable
from sluice.ops.lookup.initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from sluice.ops.lookup.tables import LookupTable as _ops_lookup_tables_LookupTable
LookupInterface = _ops_lookup_tables_LookupTable
from sluice.ops.lookup.mutable import DenseHashTable as _ops_lookup_mutable_DenseHashTable
MutableDenseHashTable = _ops_lookup_mutable_DenseHashTable
from sluice.ops.lookup.mutable import MutableHashTable as MutableHashTable
from sluice.ops.lookup.vocabulary import StrongHashSpec as StrongHashSpec
from sluice.ops.lookup.initializers import TableContents as _ops_lookup_initializers_TableContents
TableInitializerBase = _ops_lookup_initializers_TableContents
from sluice.ops.lookup.initializers import TextFileIdTableInitializer as TextFileIdTableInitializer
from sluice.ops.lookup.initializers import TextFileIndex as TextFileIndex
from sluice.ops.lookup.initializers import TextFileInitializer as TextFileInitializer
from sluice.ops.lookup.initializers import TextFileStringTableInitializer as TextFileStringTableInitializer
from sluice.ops.lookup.indexing import index_table_from_file as index_table_from_file
from sluice.ops.lookup.indexing import index_table_from_tensor as index_table_from_tensor
from sluice.ops.lookup.older_indexing import index_to_string as index_to_string
from sluice.ops.lookup.indexing import index_to_string_table_from_file as index_to_string_table_from_file
from sluice.ops.lookup.indexing import index_to_string_table_from_tensor as index_to_string_table_from_tensor
from sluice.ops.lookup.older_indexing import string_to_index as string_to_index
from sluice.ops.lookup.older_indexing import string_to_index_table_from_file as string_to_index_table_from_file
from sluice.ops.lookup.older_indexing import string_to_index_table_from_tensor as string_to_index_table_from_tensor
