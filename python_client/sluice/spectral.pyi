# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from .signal import dct as dct
from .signal import fft as fft
from .signal import fft2d as fft2d
from .signal import fft3d as fft3d
from .signal import idct as idct
from .signal import ifft as ifft
from .signal import ifft2d as ifft2d
from .signal import ifft3d as ifft3d
from .signal import irfft as irfft
from .signal import irfft2d as irfft2d
from .signal import irfft3d as irfft3d
from .signal import rfft as rfft
from .signal import rfft2d as rfft2d
from .signal import rfft3d as rfft3d
