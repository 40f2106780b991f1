# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.image_data.iterators import DirectoryIterator as DirectoryIterator
from sluice.keras.image_data.generator import ImageDataGenerator as ImageDataGenerator
from sluice.keras.image_data.iterators import Iterator as Iterator
from sluice.keras.image_data.iterators import NumpyArrayIterator as NumpyArrayIterator
from sluice.keras.image_data.changes import apply_affine_transform as apply_affine_transform
from sluice.keras.image_data.changes import apply_brightness_shift as apply_brightness_shift
from sluice.keras.image_data.changes import apply_channel_shift as apply_channel_shift
from sluice.keras.image_data.files import array_to_img as array_to_img
from sluice.keras.image_data.files import img_to_array as img_to_array
from sluice.keras.image_data.files import load_img as load_img
from sluice.keras.image_data.changes import random_brightness as random_brightness
from sluice.keras.image_data.changes import random_channel_shift as random_channel_shift
from sluice.keras.image_data.changes import random_rotation as random_rotation
from sluice.keras.image_data.changes import random_shear as random_shear
from sluice.keras.image_data.changes import random_shift as random_shift
from sluice.keras.image_data.changes import random_zoom as random_zoom
from sluice.keras.image_data.files import save_img as save_img
