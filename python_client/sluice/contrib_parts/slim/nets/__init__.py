# SPDX-License-Identifier: Apache-2.0
"""Nets of slim that classify images."""

from .... import modules
from . import inception as of_inception
from . import plain, resnet_utils, resnets
from .tables import truncated


def _some(module, names):
    return {name: getattr(module, name) for name in names.split()}


_RESIDUAL = {"resnet_arg_scope": resnet_utils.resnet_arg_scope}
_PLACE = "contrib.slim.nets"
MODULES = (
    modules.make(f"{_PLACE}.alexnet", "The net AlexNet.", {
        **_some(plain, "alexnet_v2 alexnet_v2_arg_scope"), "trunc_normal": truncated,
    }),
    modules.make(f"{_PLACE}.inception", "The Inception nets.", _some(of_inception, """
        inception_v1 inception_v1_arg_scope inception_v1_base inception_v2 inception_v2_arg_scope
        inception_v2_base inception_v3 inception_v3_arg_scope inception_v3_base
    """)),
    modules.make(f"{_PLACE}.overfeat", "The net OverFeat.", {
        **_some(plain, "overfeat overfeat_arg_scope"), "trunc_normal": truncated,
    }),
    modules.make(f"{_PLACE}.resnet_utils", "Parts of residual nets.", _some(resnet_utils, """
        Block conv2d_same resnet_arg_scope stack_blocks_dense subsample
    """)),
    modules.make(f"{_PLACE}.resnet_v1", "Residual nets.", {**resnets.V1, **_RESIDUAL}),
    modules.make(
        f"{_PLACE}.resnet_v2", "Residual nets that normalise before they convolve.",
        {**resnets.V2, **_RESIDUAL},
    ),
    modules.make(f"{_PLACE}.vgg", "Nets of the Visual Geometry Group.", {
        **_some(plain, "vgg_16 vgg_19 vgg_a vgg_arg_scope"), "vgg_d": plain.vgg_16,
        "vgg_e": plain.vgg_19,
    }),
)  # fmt: skip
module = modules.make(_PLACE, "Nets that classify images.", {
    made.__name__.rpartition(".")[2]: made for made in MODULES
})  # fmt: skip
