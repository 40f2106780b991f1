# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.data import experimental as experimental
from sluice.data.asking import get_output_classes as get_output_classes
from sluice.data.asking import get_output_shapes as get_output_shapes
from sluice.data.asking import get_output_types as get_output_types
from sluice.data.asking import make_initializable_iterator as make_initializable_iterator
from sluice.data.asking import make_one_shot_iterator as make_one_shot_iterator
from sluice.data.dataset import Dataset as Dataset
from sluice.data.iterators import Iterator as Iterator
from sluice.data.options import Options as Options
from sluice.data.readers import FixedLengthRecordDataset as FixedLengthRecordDataset
from sluice.data.readers import TFRecordDataset as TFRecordDataset
from sluice.data.readers import TextLineDataset as TextLineDataset
from sluice.data.variants import DatasetSpec as DatasetSpec


