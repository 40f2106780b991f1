# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.testing.cases import TestCase as TestCase
from sluice.testing.cases import assert_equal_graph_def as assert_equal_graph_def
from sluice.testing.cases import compute_gradient as compute_gradient
from sluice.testing.cases import compute_gradient_error as compute_gradient_error
from sluice.testing.cases import create_local_cluster as create_local_cluster
from sluice.testing.cases import get_temp_dir as get_temp_dir
from sluice.testing.names import gpu_device_name as gpu_device_name
from sluice.testing.names import is_built_with_cuda as is_built_with_cuda
from sluice.testing.names import is_built_with_cuda as _testing_names_is_built_with_cuda
is_built_with_gpu_support = _testing_names_is_built_with_cuda
from sluice.testing.names import is_built_with_rocm as is_built_with_rocm
from sluice.testing.names import is_gpu_available as is_gpu_available
from sluice.testing.cases import main as main
