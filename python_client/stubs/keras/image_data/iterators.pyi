# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.keras.base.sequences import Sequence as Sequence
from sluice.types import DTypeLike as DTypeLike

class Iterator(Sequence):
    batch_index: _Any
    total_batches_seen: _Any
    lock: _Any
    index_array: _Any
    index_generator: _Any
    n: _Any
    batch_size: _Any
    seed: _Any
    shuffle: _Any
    def __init__(self, n: _b.int, batch_size: _b.int, shuffle: _b.bool, seed: _Optional[_b.int]) -> None: ...
    white_list_formats: _Any
    def __getitem__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __len__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def on_epoch_end(self) -> None: ...
    def reset(self) -> None: ...
    def __iter__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __next__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def next(self) -> _Any: ...
class NumpyArrayIterator(Iterator):
    dtype: DType
    y: _Any
    sample_weight: _Any
    image_data_generator: _Any
    data_format: _Any
    save_format: _Any
    x: _Any
    x_misc: _Any
    save_to_dir: _Any
    save_prefix: _Any
    def __init__(self, x: _Any, y: _Any, image_data_generator: _Any, batch_size: _b.int = ..., shuffle: _b.bool = ..., sample_weight: _Any = ..., seed: _Optional[_b.int] = ..., data_format: _Optional[_b.str] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., subset: _Optional[_b.str] = ..., dtype: _Optional[DTypeLike] = ...) -> None: ...
class FileIterator(Iterator):
    image_data_generator: _Any
    data_format: _Any
    image_shape: _Any
    split: _Any
    target_size: _Any
    color_mode: _Any
    save_to_dir: _Any
    save_prefix: _Any
    save_format: _Any
    interpolation: _Any
    subset: _Any
    sample_weight: _Any
    classes: _Any
    class_indices: _Any
    targets: _Any
    def set_processing_attrs(self, image_data_generator: _Any, target_size: _Any, color_mode: _b.str, data_format: _Optional[_b.str], save_to_dir: _Optional[_b.str], save_prefix: _b.str, save_format: _b.str, subset: _Optional[_b.str], interpolation: _Any) -> None: ...
    @property
    def filepaths(self) -> _b.list[_b.str]: ...
    @property
    def labels(self) -> _Any: ...
class DirectoryIterator(FileIterator):
    dtype: DType
    num_classes: _Any
    directory: _Any
    class_mode: _Any
    filenames: _Any
    samples: _Any
    def __init__(self, directory: _b.str, image_data_generator: _Any, target_size: _Any = ..., color_mode: _b.str = ..., classes: _Optional[_Sequence[_b.str]] = ..., class_mode: _Any = ..., batch_size: _b.int = ..., shuffle: _b.bool = ..., seed: _Optional[_b.int] = ..., data_format: _Optional[_b.str] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., follow_links: _b.bool = ..., subset: _Optional[_b.str] = ..., interpolation: _Any = ..., dtype: _Optional[DTypeLike] = ...) -> None: ...
    allowed_class_modes: _Any
