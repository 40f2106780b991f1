# SPDX-License-Identifier: Apache-2.0
"""In which dtype a layer computes, and in which it keeps its variables."""

from ... import dtypes, logging
from ...training.loss_scales import loss_scale_of
from ...training.scaled_optimizer import check_no_rewriting, keep_default_policy

_USE_DEFAULT = "USE_DEFAULT"
_WITH_FLOAT32 = "_with_float32_vars"
_MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}
_global = {"policy": None}


class Policy:
    """In which dtype a layer computes, and in which it keeps its variables.

    A layer takes it as the argument dtype. Where the dtypes differ, the layer casts its variables
    to the one in which it computes. Inputs are cast if the layer has autocast=True.

    Args:
        name: Name of a dtype, a str: both are this one. "mixed_float16", "mixed_bfloat16" or
            "<dtype>_with_float32_vars": variables are float32. "infer": both are that of the first
            input; "infer_with_float32_vars": only the one in which it computes.
        loss_scale: By what compile() lets the optimizer multiply the loss of a model that has the
            policy: a LossScale, a number, "dynamic", or None. The default is "dynamic" for
            "mixed_float16", and None for others.

    Raises:
        TypeError: The name is not a str.
        ValueError: It names no policy.

    Example:
        >>> policy = sl.keras.mixed_precision.experimental.Policy("mixed_float16", 128)
        >>> policy
        <Policy "mixed_float16", loss_scale=FixedLossScale(128.0)>
        >>> policy.compute_dtype, policy.variable_dtype
        ('float16', 'float32')
    """

    def __init__(self, name, loss_scale=_USE_DEFAULT):
        if isinstance(name, dtypes.DType):
            raise TypeError(
                f"'name' must be a string, not a DType. Instead, pass DType.name. Got: {name.name}"
            )
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        name = {
            "infer_float32_vars": "infer" + _WITH_FLOAT32, "float32" + _WITH_FLOAT32: "float32"
        }.get(name, name)  # fmt: skip
        self._name = name
        self._compute_dtype, self._variable_dtype = _dtypes_of(name)
        if isinstance(loss_scale, str) and loss_scale == _USE_DEFAULT:
            loss_scale = "dynamic" if name == "mixed_float16" else None
        if loss_scale and self._compute_dtype not in (None, "float16"):
            logging.warning(
                "Creating a Policy with a loss scale is only useful for float16 policies. You "
                f"passed loss_scale={loss_scale!r} for policy {name}. Consider not passing any "
                "loss_scale instead."
            )
        self._loss_scale = loss_scale_of(loss_scale)

    @property
    def variable_dtype(self):
        """Name of the dtype of variables, a str; None: that of the first input."""
        return self._variable_dtype

    @property
    def compute_dtype(self):
        """Name of the dtype in which the layer computes, a str; None: that of the first input."""
        return self._compute_dtype

    @property
    def should_cast_variables(self):
        """Whether the two dtypes differ. A bool."""
        return self._variable_dtype != self._compute_dtype

    @property
    def loss_scale(self):
        """The LossScale of models that have the policy, or None."""
        return self._loss_scale

    @property
    def name(self):
        """The name, a str."""
        return self._name

    def __repr__(self):
        return f'<Policy "{self._name}", loss_scale={self._loss_scale}>'


def _dtypes_of(name):
    """The dtype in which a layer computes, and that of variables: names, or None."""
    if name in _MIXED:
        return _MIXED[name], "float32"
    base, ending, _ = name.partition(_WITH_FLOAT32) if name.endswith(_WITH_FLOAT32) else (
        name, "", ""
    )  # fmt: skip
    dtype = None
    if base != "infer":
        try:
            dtype = dtypes.as_dtype(base).name
        except TypeError:
            raise ValueError(_no_policy(name, base if ending else None)) from None
    return dtype, "float32" if ending else dtype


def _no_policy(name, base):
    text = (
        f"Cannot convert value {name} to a mixed precision Policy. Valid policies include include "
        'those in the form "<dtype>" and "<dtype>_with_float32_vars", where <dtype> is the name of '
        "a dtype."
    )
    if base is None:
        return text
    return text + (
        f" The value {name} ends with _with_float32_vars, but {base} cannot be converted to a DType"
    )


def policy_of(dtype):
    """The policy of a layer whose argument dtype is given: a Policy, a dtype or None."""
    if isinstance(dtype, Policy):
        return dtype
    return Policy(dtypes.as_dtype(dtype).base_dtype.name) if dtype else global_policy()


def for_input(policy, dtype):
    """A policy that leaves the dtype to the first input, now that there is one."""
    name = dtypes.as_dtype(dtype).base_dtype.name
    return Policy(name if policy.variable_dtype is None else name + _WITH_FLOAT32)


def global_policy():
    """Returns the policy of layers that are made without a dtype.

    Returns:
        A Policy: that of set_policy(), or "infer".
    """
    return Policy("infer") if _global["policy"] is None else _global["policy"]


def set_policy(policy):
    """Sets the policy of layers that are made without a dtype.

    Args:
        policy: A Policy or its name: "infer" or "infer_with_float32_vars". None: the default.

    Raises:
        ValueError: It is another one: only TensorFlow 2 has these for all layers. Or the graph
            rewrite for mixed precision is enabled.
    """
    check_no_rewriting()
    if policy is not None and not isinstance(policy, Policy):
        policy = Policy(policy)
    if policy is not None and policy.compute_dtype:
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2")
    _global["policy"] = policy
    keep_default_policy(policy is None)


__all__ = ["Policy", "global_policy", "set_policy"]
