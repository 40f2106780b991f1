# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike

class ImageDataGenerator:
    featurewise_std_normalization: _Any
    samplewise_std_normalization: _Any
    mean: _Any
    std: _Any
    principal_components: _Any
    featurewise_center: _Any
    samplewise_center: _Any
    zca_whitening: _Any
    zca_epsilon: _Any
    rotation_range: _Any
    shear_range: _Any
    width_shift_range: _Any
    height_shift_range: _Any
    brightness_range: _Any
    zoom_range: _Any
    channel_shift_range: _Any
    fill_mode: _Any
    cval: _Any
    horizontal_flip: _Any
    vertical_flip: _Any
    rescale: _Any
    preprocessing_function: _Any
    data_format: _Any
    validation_split: _Any
    interpolation_order: _Any
    dtype: DType
    row_axis: _Any
    col_axis: _Any
    channel_axis: _Any
    def __init__(self, featurewise_center: _b.bool = ..., samplewise_center: _b.bool = ..., featurewise_std_normalization: _b.bool = ..., samplewise_std_normalization: _b.bool = ..., zca_whitening: _b.bool = ..., zca_epsilon: _Any = ..., rotation_range: _Any = ..., width_shift_range: _Any = ..., height_shift_range: _Any = ..., brightness_range: _Any = ..., shear_range: _Any = ..., zoom_range: _Any = ..., channel_shift_range: _Any = ..., fill_mode: _Any = ..., cval: _b.float = ..., horizontal_flip: _b.bool = ..., vertical_flip: _b.bool = ..., rescale: _Any = ..., preprocessing_function: _Optional[_Callable[..., _Any]] = ..., data_format: _Optional[_b.str] = ..., validation_split: _b.float = ..., dtype: _Optional[DTypeLike] = ...) -> None: ...
    def flow(self, x: _Any, y: _Any = ..., batch_size: _b.int = ..., shuffle: _b.bool = ..., sample_weight: _Any = ..., seed: _Optional[_b.int] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., subset: _Optional[_b.str] = ...) -> _Any: ...
    def flow_from_directory(self, directory: _b.str, target_size: _Any = ..., color_mode: _b.str = ..., classes: _Optional[_Sequence[_b.str]] = ..., class_mode: _Any = ..., batch_size: _b.int = ..., shuffle: _b.bool = ..., seed: _Optional[_b.int] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., follow_links: _b.bool = ..., subset: _Optional[_b.str] = ..., interpolation: _Any = ...) -> _Any: ...
    def flow_from_dataframe(self, dataframe: _Any, directory: _Optional[_b.str] = ..., x_col: _b.str = ..., y_col: _Any = ..., weight_col: _Optional[_b.str] = ..., target_size: _Any = ..., color_mode: _b.str = ..., classes: _Optional[_Sequence[_b.str]] = ..., class_mode: _Any = ..., batch_size: _b.int = ..., shuffle: _b.bool = ..., seed: _Optional[_b.int] = ..., save_to_dir: _Optional[_b.str] = ..., save_prefix: _b.str = ..., save_format: _b.str = ..., subset: _Optional[_b.str] = ..., interpolation: _Any = ..., validate_filenames: _b.bool = ..., **kwargs: _Any) -> _Iterator[_Any]: ...
    def standardize(self, x: _Any) -> _Any: ...
    def get_random_transform(self, img_shape: _Union[ShapeLike, Tensor], seed: _Optional[_b.int] = ...) -> _Any: ...
    def apply_transform(self, x: _Any, transform_parameters: _Any) -> _Any: ...
    def random_transform(self, x: _Any, seed: _Optional[_b.int] = ...) -> _Any: ...
    def fit(self, x: _Any, augment: _b.bool = ..., rounds: _b.int = ..., seed: _Optional[_b.int] = ...) -> None: ...
