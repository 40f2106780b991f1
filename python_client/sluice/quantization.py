"""Numbers of few bits: quantised, and floats that were."""

from . import dtypes, raw_ops
from .building import thin, with_names

_RANGE = "min=-6.0 max=6.0 num_bits=8 narrow_range=False"
_BITS = "num_bits=8 narrow_range=False"
fake_quant_with_min_max_args = thin(
    "FakeQuantWithMinMaxArgs", f"inputs {_RANGE}",
    "inputs, rounded to 2^num_bits steps between min and max.",
)  # fmt: skip
fake_quant_with_min_max_args_gradient = thin(
    "FakeQuantWithMinMaxArgsGradient", f"gradients inputs {_RANGE}",
    "The gradient of fake_quant_with_min_max_args: 0 outside of the range.",
)  # fmt: skip
fake_quant_with_min_max_vars = thin(
    "FakeQuantWithMinMaxVars", f"inputs min max {_BITS}",
    "inputs, rounded to 2^num_bits steps between the scalars min and max.",
)  # fmt: skip
fake_quant_with_min_max_vars_gradient = thin(
    "FakeQuantWithMinMaxVarsGradient", f"gradients inputs min max {_BITS}",
    "[the gradients of inputs, min, max] of fake_quant_with_min_max_vars.",
)  # fmt: skip
fake_quant_with_min_max_vars_per_channel = thin(
    "FakeQuantWithMinMaxVarsPerChannel", f"inputs min max {_BITS}",
    "fake_quant_with_min_max_vars with a range [channels] for each of the last dimension.",
)  # fmt: skip
fake_quant_with_min_max_vars_per_channel_gradient = thin(
    "FakeQuantWithMinMaxVarsPerChannelGradient", f"gradients inputs min max {_BITS}",
    "[the gradients of inputs, min, max] of fake_quant_with_min_max_vars_per_channel.",
)  # fmt: skip
quantize_and_dequantize = thin(
    "QuantizeAndDequantizeV2",
    "input input_min input_max signed_input=True num_bits=8 range_given=False"
    " round_mode='HALF_TO_EVEN' name narrow_range=False",
    "The input as it is after quantize() and dequantize(), of the range given or of its own.",
)  # fmt: skip
dequantize = thin(
    "Dequantize", "input min_range max_range mode='MIN_COMBINED'",
    "Floats of quantised numbers: the reverse of quantize().",
)  # fmt: skip


def quantize(input, min_range, max_range, T, mode="MIN_COMBINED",  # noqa: N803
             round_mode="HALF_AWAY_FROM_ZERO", name=None):  # fmt: skip
    """(the input as numbers of type T, the range's ends): by 2^bits steps between the two.

    mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED" (no zero point).
    """
    return raw_ops.QuantizeV2(
        input=input, min_range=min_range, max_range=max_range, T=dtypes.as_dtype(T), mode=mode,
        round_mode=round_mode, name=name,
    )  # fmt: skip


def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None,  # noqa: N803
                round_mode="HALF_AWAY_FROM_ZERO"):  # fmt: skip
    """quantize()."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


__all__ = with_names(globals())
