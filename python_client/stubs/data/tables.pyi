# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.data.dataset import Dataset as Dataset
from sluice.types import TensorLike as TensorLike

class CsvDataset(Dataset):
    def __init__(self, filenames: _Sequence[_b.str], record_defaults: TensorLike, compression_type: _Optional[_b.str] = ..., buffer_size: _Optional[_b.int] = ..., header: _b.bool = ..., field_delim: _b.str = ..., use_quote_delim: _b.bool = ..., na_value: _b.str = ..., select_cols: _Optional[_Sequence[_b.int]] = ...) -> None: ...
class SqlDataset(Dataset):
    def __init__(self, driver_name: _b.str, data_source_name: _b.str, query: _b.str, output_types: _Any) -> None: ...
def make_csv_dataset(file_pattern: _Sequence[_b.str], batch_size: _b.int, column_names: _Optional[_Sequence[_b.str]] = ..., column_defaults: _Any = ..., label_name: _Optional[_b.str] = ..., select_columns: _Optional[_Sequence[_b.int]] = ..., field_delim: _b.str = ..., use_quote_delim: _b.bool = ..., na_value: _b.str = ..., header: _b.bool = ..., num_epochs: _Optional[_b.int] = ..., shuffle: _b.bool = ..., shuffle_buffer_size: _b.int = ..., shuffle_seed: _Optional[_b.int] = ..., prefetch_buffer_size: _Optional[_b.int] = ..., num_parallel_reads: _Optional[_b.int] = ..., sloppy: _b.bool = ..., num_rows_for_inference: _Optional[_b.int] = ..., compression_type: _Optional[_b.str] = ..., ignore_errors: _b.bool = ...) -> _Any: ...
