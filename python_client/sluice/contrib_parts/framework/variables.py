# SPDX-License-Identifier: Apache-2.0
"""How contrib makes variables."""

from ...graph.default_graph import device as on_device
from ...graph.default_graph import get_default_graph
from ...graph.device_spec import DeviceSpec
from ...graph.keys import GraphKeys
from ...layers.contrib.scopes import add_arg_scope
from ...ops.state.variable_scope import get_variable
from ...ops.state.variables import Variable


def add_model_variable(var):
    """Adds a variable to the collection MODEL_VARIABLES, if it is not there.

    Args:
        var: The variable.
    """
    graph = get_default_graph()
    if not any(var is one for one in graph.get_collection(GraphKeys.MODEL_VARIABLES)):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """Makes a global variable that optimizers do not change by default.

    Args:
        initial_value: The first value, a tensor or a function that returns one.
        validate_shape: Whether the shape of the value must be known. A bool.
        name: Name of the variable, a str. None: a default name.
        use_resource: Kind of the variable, a bool. None: the usual one.

    Returns:
        A Variable.
    """
    return _made(initial_value, GraphKeys.GLOBAL_VARIABLES, validate_shape, name, use_resource)


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """Makes a local variable.

    Args:
        initial_value: The first value, a tensor or a function that returns one.
        validate_shape: Whether the shape of the value must be known. A bool.
        name: Name of the variable, a str. None: a default name.
        use_resource: Kind of the variable, a bool. None: the usual one.

    Returns:
        A Variable.
    """
    return _made(initial_value, GraphKeys.LOCAL_VARIABLES, validate_shape, name, use_resource)


def _made(value, collection, validate_shape, name, use_resource):
    return Variable(
        value, trainable=False, collections=[collection], validate_shape=validate_shape, name=name,
        use_resource=use_resource,
    )  # fmt: skip


@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
             collections=None, caching_device=None, device=None, partitioner=None,
             custom_getter=None, use_resource=None):  # fmt: skip
    """Finds or makes a variable: see get_variable().

    Args:
        name: Name of the variable, a str.
        shape: Shape of the variable, a list of ints.
        dtype: Dtype of the variable. None: that of the scope, else float32.
        initializer: A function of (shape, dtype), or a value. None: that of the scope.
        regularizer: A function of the variable that returns a loss. None: that of the scope.
        trainable: Whether optimizers change it by default. A bool.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        caching_device: Device that keeps values that were read, a str. None: that of the scope.
        device: Device of the variable, a str. None: any.
        partitioner: A function of (shape, dtype) that returns in how many parts each dimension is
            cut. None: that of the scope.
        custom_getter: A function that is called in place of the one that makes variables.
        use_resource: Kind of the variable, a bool. None: that of the scope.

    Returns:
        A Variable.
    """
    given = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with on_device(device or ""):
        return get_variable(
            name, shape, dtype, initializer, regularizer, trainable, list(dict.fromkeys(given)),
            caching_device, partitioner, use_resource=use_resource, custom_getter=custom_getter,
        )  # fmt: skip


class VariableDeviceChooser:
    """A device function that puts variables on the ps tasks in turn.

    Args:
        num_tasks: How many ps tasks there are, an int. 0: no job is named.
        job_name: Name of their job, a str.
        device_type: Type of the device, a str. None: any.
        device_index: Number of the device, an int. None: any.
        replica: Number of the replica, an int. None: any.
    """

    def __init__(self, num_tasks=0, job_name="ps", device_type="CPU", device_index=0,
                 replica=None):  # fmt: skip
        self._count, self._next = num_tasks, 0
        self._job = job_name if num_tasks else None
        self._device = {"device_type": device_type, "device_index": device_index}
        self._replica = replica

    def __call__(self, op):
        """Returns the device of a variable, a str."""
        del op
        spec = DeviceSpec(job=self._job, replica=self._replica, **self._device)
        if self._count:
            spec.task = self._next
            self._next = (self._next + 1) % self._count
        return spec.to_string()
