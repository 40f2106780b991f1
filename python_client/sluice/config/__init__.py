# SPDX-License-Identifier: Apache-2.0
"""Devices, threads and options of sessions that are given no config of their own.

import sluice as sl
cpu = sl.config.list_physical_devices("CPU")[0]
sl.config.set_logical_device_configuration(cpu, [sl.config.LogicalDeviceConfiguration()] * 2)
strategy = sl.distribute.MirroredStrategy()  # on both
"""

from .. import modules
from ..session import config_options as _options
from ..session import devices as _devices
from ..session.config_options import get_soft_device_placement, set_soft_device_placement
from ..session.config_options import list_devices as experimental_list_devices
from ..session.devices import (
    LogicalDevice,
    LogicalDeviceConfiguration,
    PhysicalDevice,
    get_logical_device_configuration,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_logical_device_configuration,
    set_visible_devices,
)

_EXPERIMENTAL = """
    get_device_details get_memory_growth get_memory_info get_memory_usage get_visible_devices
    list_logical_devices list_physical_devices reset_memory_stats set_memory_growth
    set_visible_devices
""".split()

experimental = modules.make("config.experimental", "Devices, under the names of 1.15.", {
    **{name: getattr(_devices, name) for name in _EXPERIMENTAL},
    "VirtualDeviceConfiguration": LogicalDeviceConfiguration,
    "get_virtual_device_configuration": get_logical_device_configuration,
    "set_virtual_device_configuration": set_logical_device_configuration,
    "get_synchronous_execution": _options.get_synchronous_execution,
    "set_synchronous_execution": _options.set_synchronous_execution,
    "get_device_policy": _options.get_device_policy,
    "set_device_policy": _options.set_device_policy,
})  # fmt: skip
threading = modules.make("config.threading", "How many threads sessions have.", {
    name: getattr(_options, name) for name in _options.THREADS
})  # fmt: skip
optimizer = modules.make("config.optimizer", "Rewrites of graphs before they run.", {
    name: getattr(_options, name) for name in _options.OPTIMIZER
})  # fmt: skip

MODULES = experimental, threading, optimizer

__all__ = [
    "LogicalDevice", "LogicalDeviceConfiguration", "PhysicalDevice", "experimental",
    "experimental_list_devices", "get_logical_device_configuration", "get_soft_device_placement",
    "get_visible_devices", "list_logical_devices", "list_physical_devices", "optimizer",
    "set_logical_device_configuration", "set_soft_device_placement", "set_visible_devices",
    "threading",
]  # fmt: skip
