# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.signal.signal import dct as dct
from sluice.ops.signal.signal import fft as fft
from sluice.ops.signal.signal import fft2d as fft2d
from sluice.ops.signal.signal import fft3d as fft3d
from sluice.ops.signal.signal import idct as idct
from sluice.ops.signal.signal import ifft as ifft
from sluice.ops.signal.signal import ifft2d as ifft2d
from sluice.ops.signal.signal import ifft3d as ifft3d
from sluice.ops.signal.signal import irfft as irfft
from sluice.ops.signal.signal import irfft2d as irfft2d
from sluice.ops.signal.signal import irfft3d as irfft3d
from sluice.ops.signal.signal import rfft as rfft
from sluice.ops.signal.signal import rfft2d as rfft2d
from sluice.ops.signal.signal import rfft3d as rfft3d
