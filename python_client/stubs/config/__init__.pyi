# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import config_experimental as _config_experimental
experimental = _config_experimental
from sluice.groups import config_optimizer as _config_optimizer
optimizer = _config_optimizer
from sluice.groups import config_threading as _config_threading
threading = _config_threading
from sluice.session.config_options import get_soft_device_placement as get_soft_device_placement
from sluice.session.config_options import list_devices as _session_config_options_list_devices
experimental_list_devices = _session_config_options_list_devices
from sluice.session.config_options import set_soft_device_placement as set_soft_device_placement
from sluice.session.devices import LogicalDevice as LogicalDevice
from sluice.session.devices import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from sluice.session.devices import PhysicalDevice as PhysicalDevice
from sluice.session.devices import get_logical_device_configuration as get_logical_device_configuration
from sluice.session.devices import get_visible_devices as get_visible_devices
from sluice.session.devices import list_logical_devices as list_logical_devices
from sluice.session.devices import list_physical_devices as list_physical_devices
from sluice.session.devices import set_logical_device_configuration as set_logical_device_configuration
from sluice.session.devices import set_visible_devices as set_visible_devices


