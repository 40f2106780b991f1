# SPDX-License-Identifier: Apache-2.0
"""The class under which programs make and recognize variables that are resources."""

from ...graph.convert import is_resource_variable
from .variables import Variable


class _Resources(type):
    """The variables that are resources count as instances; a call makes one."""

    def __instancecheck__(cls, instance):
        return is_resource_variable(instance)

    def __call__(cls, *args, **kwargs):
        return Variable(*args, **{**kwargs, "use_resource": True})


class ResourceVariable(metaclass=_Resources):
    """A Variable that is a resource: ResourceVariable(...) is Variable(..., use_resource=True).

    Args:
        *args: Those of Variable.
        **kwargs: The same.
    """
