# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.keras.image_data.iterators import FileIterator as FileIterator
from sluice.types import DTypeLike as DTypeLike

class DataFrameIterator(FileIterator):
    filenames: _Any
    samples: _Any
    directory: _Any
    class_mode: _Any
    dtype: DType
    def __init__(self, dataframe: _Any, directory: _Optional[_b.str] = ..., image_data_generator: _Any = ..., x_col: _b.str = ..., y_col: _Any = ..., weight_col: _Optional[_b.str] = ..., target_size: _Any = ..., color_mode: _b.str = ..., classes: _Optional[_Sequence[_b.str]] = ..., class_mode: _Any = ..., batch_size: _b.int = ..., shuffle: _b.bool = ..., seed: _Optional[_b.int] = ..., data_format: _Optional[_b.str] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., subset: _Optional[_b.str] = ..., interpolation: _Any = ..., dtype: _Optional[DTypeLike] = ..., validate_filenames: _b.bool = ...) -> None: ...
    allowed_class_modes: _Any
