# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.quantized.quantization import dequantize as dequantize
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from sluice.ops.quantized.quantization import quantize as quantize
from sluice.ops.quantized.quantization import quantize_and_dequantize as quantize_and_dequantize
from sluice.ops.quantized.quantization import quantize_v2 as quantize_v2
from sluice.ops.quantized.quantization import quantized_concat as quantized_concat


