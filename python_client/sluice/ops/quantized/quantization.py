# SPDX-License-Identifier: Apache-2.0
"""Numbers of few bits: quantised, and floats that were."""

from ... import dtypes
from .. import raw_ops
from ..building import thin, with_names

_RANGE = "min=-6.0 max=6.0 num_bits=8 narrow_range=False"
_BITS = "num_bits=8 narrow_range=False"
fake_quant_with_min_max_args = thin(
    "FakeQuantWithMinMaxArgs",
    f"inputs {_RANGE}",
    "Rounds numbers to 2^num_bits steps between min and max.",
)
fake_quant_with_min_max_args_gradient = thin(
    "FakeQuantWithMinMaxArgsGradient",
    f"gradients inputs {_RANGE}",
    "Computes the gradient of fake_quant_with_min_max_args(), which is 0 outside of the range.",
)
fake_quant_with_min_max_vars = thin(
    "FakeQuantWithMinMaxVars",
    f"inputs min max {_BITS}",
    "Rounds numbers to 2^num_bits steps between the scalars min and max.",
)
fake_quant_with_min_max_vars_gradient = thin(
    "FakeQuantWithMinMaxVarsGradient",
    f"gradients inputs min max {_BITS}",
    "Computes the gradients of fake_quant_with_min_max_vars() by inputs, min and max.",
)
fake_quant_with_min_max_vars_per_channel = thin(
    "FakeQuantWithMinMaxVarsPerChannel",
    f"inputs min max {_BITS}",
    "Rounds numbers as fake_quant_with_min_max_vars() does, with a range for each channel.",
)
fake_quant_with_min_max_vars_per_channel_gradient = thin(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    f"gradients inputs min max {_BITS}",
    "Computes the gradients of fake_quant_with_min_max_vars_per_channel() by inputs, min and max.",
)
quantize_and_dequantize = thin(
    "QuantizeAndDequantizeV2",
    "input input_min input_max signed_input=True num_bits=8 range_given=False"
    " round_mode='HALF_TO_EVEN' name narrow_range=False",
    "Rounds numbers as quantize() and dequantize() together do.",
)
dequantize = thin(
    "Dequantize",
    "input min_range max_range mode='MIN_COMBINED'",
    "Converts numbers of few bits to floating-point numbers. It is the reverse of quantize().",
)

quantized_concat = thin(
    "QuantizedConcat",
    "concat_dim values input_mins input_maxes",
    "Joins tensors of numbers of few bits along a dimension, in the range that all have together.",
)


def quantize(input, min_range, max_range, T, mode="MIN_COMBINED",  # noqa: N803
             round_mode="HALF_AWAY_FROM_ZERO", name=None):  # fmt: skip
    """Converts floating-point numbers to numbers of few bits.

    Args:
        input: A float32 tensor.
        min_range: The low end of the range, a float32 scalar.
        max_range: The high end of the range, a float32 scalar.
        T: Dtype of the result: a quantised dtype.
        mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED" (without zero point).
        round_mode: "HALF_AWAY_FROM_ZERO" or "HALF_TO_EVEN".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple: the numbers, and the two ends of their range.
    """
    return raw_ops.QuantizeV2(
        input=input, min_range=min_range, max_range=max_range, T=dtypes.as_dtype(T), mode=mode,
        round_mode=round_mode, name=name,
    )  # fmt: skip


def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None,  # noqa: N803
                round_mode="HALF_AWAY_FROM_ZERO"):  # fmt: skip
    """Converts floating-point numbers to numbers of few bits. It is quantize() with another order
    of arguments.

    Args:
        input: A float32 tensor.
        min_range: The low end of the range, a float32 scalar.
        max_range: The high end of the range, a float32 scalar.
        T: Dtype of the result: a quantised dtype.
        mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED" (without zero point).
        name: Name of the operation, a str. None: a default name.
        round_mode: "HALF_AWAY_FROM_ZERO" or "HALF_TO_EVEN".

    Returns:
        A named tuple: the numbers, and the two ends of their range.
    """
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


__all__ = with_names(globals())
