# SPDX-License-Identifier: Apache-2.0
"""The devices of this process as the program configures them: sessions without a config have them.

Changes come first: the devices are fixed once list_logical_devices() returned them.
"""

import collections
import glob
import re

from .. import _sluice
from ..messages import ConfigProto


class PhysicalDevice(collections.namedtuple("PhysicalDevice", "name device_type")):
    """A device of this machine.

    Args:
        name: Its name, a str.
        device_type: "CPU" or "GPU".
    """


class LogicalDevice(collections.namedtuple("LogicalDevice", "name device_type")):
    """A device that graphs can name.

    Args:
        name: Its name, a str.
        device_type: "CPU" or "GPU".
    """


_MEGABYTE = 1 << 20
_LOGICAL = "/job:localhost/replica:0/task:0/device:{}:{}"


class LogicalDeviceConfiguration(
    collections.namedtuple("LogicalDeviceConfiguration", "memory_limit experimental_priority")
):
    """A logical device of a physical one.

    Args:
        memory_limit: Its memory in megabytes, an int. None: no limit. CPU devices are one memory:
            if all of them have a limit, the sum is the limit of the process.
        experimental_priority: Accepted. It has no effect.
    """

    def __new__(cls, memory_limit=None, experimental_priority=None):
        return super().__new__(cls, memory_limit, experimental_priority)


class _Devices:
    """What the program set."""

    def __init__(self):
        self.fixed = False
        self.physical = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
        self.physical += [
            PhysicalDevice(f"/physical_device:GPU:{i}", "GPU") for i in range(len(_gpu_files()))
        ]
        self.visible = list(self.physical)
        self.logical, self.growth, self.config = {}, {}, ConfigProto()
        self.touched = False  # something was set: sessions need a config of it


def _gpu_files():
    return [f for f in glob.glob("/dev/nvidia[0-9]*") if re.fullmatch(r".*nvidia\d+", f)]


_kept = []  # the _Devices, once one was asked for


def _devices():
    if not _kept:
        _kept.append(_Devices())
    return _kept[0]


def _changing(what):
    """The _Devices, to be changed; RuntimeError once they are fixed."""
    devices = _devices()
    if devices.fixed:
        raise RuntimeError(
            f"{what} cannot be modified after being initialized: set them before"
            " list_logical_devices() is called"
        )
    devices.touched = True
    return devices


def _known(device):
    if device not in _devices().physical:
        raise ValueError(f"Unrecognized device: {device!r}")
    return device


def settings():
    """The ConfigProto of what the program set, which setters change."""
    devices = _devices()
    devices.touched = True
    return devices.config


def settings_so_far():
    """The ConfigProto of what the program set, to be read."""
    return _devices().config


def session_config():
    """The ConfigProto of a session that was given none; None: the defaults."""
    if not _kept or not _kept[0].touched:
        return None
    devices, made = _kept[0], ConfigProto()
    made.CopyFrom(devices.config)
    cpus = [d for d in devices.visible if d.device_type == "CPU"]
    made.device_count["CPU"] = max(1, sum(len(_logical_of(d)) for d in cpus))
    gpus = [d for d in devices.visible if d.device_type == "GPU"]
    if len(gpus) < len([d for d in devices.physical if d.device_type == "GPU"]):
        made.gpu_options.visible_device_list = ",".join(d.name.rpartition(":")[2] for d in gpus)
        if not gpus:
            made.device_count["GPU"] = 0
    if any(devices.growth.get(d) for d in gpus):
        made.gpu_options.allow_growth = True
    limits = [part.memory_limit for d in gpus for part in devices.logical.get(d, ())]
    if any(limit is not None for limit in limits):
        part = made.gpu_options.experimental.virtual_devices.add()
        part.memory_limit_mb.append(min(limit for limit in limits if limit is not None))
    return made


def list_physical_devices(device_type=None):
    """Returns the devices of this machine.

    Args:
        device_type: "CPU" or "GPU". None: both.

    Returns:
        A list of PhysicalDevice.

    Example:
        >>> sl.config.list_physical_devices("CPU")
        [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return [d for d in _devices().physical if device_type in (None, d.device_type)]


def list_logical_devices(device_type=None):
    """Returns the devices that graphs of this process can name. From now on they are fixed.

    Args:
        device_type: "CPU" or "GPU". None: both.

    Returns:
        A list of LogicalDevice.
    """
    devices, found, counts = _devices(), [], collections.Counter()
    devices.fixed = True
    for physical in devices.visible:
        kind = physical.device_type
        for _ in _logical_of(physical):
            found.append(LogicalDevice(_LOGICAL.format(kind, counts[kind]), kind))
            counts[kind] += 1
    if not counts["CPU"]:  # a task always has one
        found.insert(0, LogicalDevice(_LOGICAL.format("CPU", 0), "CPU"))
    return [d for d in found if device_type in (None, d.device_type)]


def _logical_of(physical):
    return _devices().logical.get(physical) or [LogicalDeviceConfiguration()]


def get_visible_devices(device_type=None):
    """Returns the devices that sessions use.

    Args:
        device_type: "CPU" or "GPU". None: both.

    Returns:
        A list of PhysicalDevice.
    """
    return [d for d in _devices().visible if device_type in (None, d.device_type)]


def set_visible_devices(devices, device_type=None):
    """Sets the devices that sessions use.

    Args:
        devices: A PhysicalDevice or a list of them.
        device_type: "CPU" or "GPU": the others stay. None: all are set.

    Raises:
        ValueError: A device is unknown or of another type.
        RuntimeError: The devices are fixed.
    """
    given = [devices] if isinstance(devices, PhysicalDevice) else list(devices)
    for device in given:
        if device_type is not None and _known(device).device_type != device_type:
            raise ValueError(f"Unrecognized device: {device!r}")
        _known(device)
    kept = _changing("Visible devices")
    others = [] if device_type is None else [
        d for d in kept.visible if d.device_type != device_type
    ]  # fmt: skip
    kept.visible = sorted({*others, *given}, key=kept.physical.index)


def get_logical_device_configuration(device):
    """Returns the logical devices of a physical one.

    Args:
        device: A PhysicalDevice.

    Returns:
        A list of LogicalDeviceConfiguration; None if none were set.

    Raises:
        ValueError: The device is unknown.
    """
    return _devices().logical.get(_known(device))


def set_logical_device_configuration(device, logical_devices):
    """Divides a physical device into logical ones.

    A GPU is one logical device. The CPU can be many: they share its cores and its memory.

    Args:
        device: A PhysicalDevice.
        logical_devices: A list of LogicalDeviceConfiguration, or None for a whole device.

    Raises:
        ValueError: The device is unknown, or a GPU would have several logical devices.
        RuntimeError: The devices are fixed.

    Example:
        >>> cpu = sl.config.list_physical_devices("CPU")[0]
        >>> parts = [sl.config.LogicalDeviceConfiguration()] * 2
        >>> sl.config.set_logical_device_configuration(cpu, parts)
        >>> len(sl.config.list_logical_devices("CPU"))
        2
    """
    _known(device)
    parts = None if logical_devices is None else list(logical_devices)
    if device.device_type == "GPU" and parts and len(parts) > 1:
        raise ValueError("a GPU is one logical device: give each process a GPU of its own")
    limits = [part.memory_limit for part in parts or ()]
    if any(limit is not None and limit <= 0 for limit in limits):
        raise ValueError(f"memory limits must be above 0, not {limits}")
    kept = _changing("Virtual devices")
    kept.logical[device] = parts
    if device.device_type == "CPU":
        total = sum(limits) * _MEGABYTE if limits and None not in limits else 0
        _sluice.set_memory_limit(total)


def get_memory_growth(device):
    """Returns whether a GPU takes memory only as it is used.

    Args:
        device: A PhysicalDevice.

    Returns:
        A bool; None if it was not set.

    Raises:
        ValueError: The device is unknown.
    """
    return _devices().growth.get(_known(device))


def set_memory_growth(device, enable):
    """Sets whether a GPU takes memory only as it is used.

    Args:
        device: A PhysicalDevice of the type "GPU".
        enable: A bool.

    Raises:
        ValueError: The device is unknown or no GPU.
        RuntimeError: The devices are fixed.
    """
    if _known(device).device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU devices")
    _changing("Physical devices").growth[device] = bool(enable)


def get_device_details(device):
    """Returns what is known of a device.

    Args:
        device: A PhysicalDevice.

    Returns:
        A dict: of a GPU "device_name", where the driver says it; of the CPU nothing.

    Raises:
        ValueError: The device is unknown.
    """
    if _known(device).device_type != "GPU":
        return {}
    number = int(device.name.rpartition(":")[2])
    found = sorted(glob.glob("/proc/driver/nvidia/gpus/*/information"))
    if number >= len(found):
        return {}
    with open(found[number]) as file:
        model = re.search(r"^Model:\s*(.*)$", file.read(), re.M)
    return {"device_name": model.group(1)} if model else {}


def get_memory_info(device):
    """Returns how much memory the tensors of this process take.

    Args:
        device: Name of a device, a str: "CPU:0", whose memory all CPU devices share.

    Returns:
        A dict with "current" and "peak", in bytes.

    Raises:
        ValueError: The device is not a CPU device, or is not there.

    Example:
        >>> sorted(sl.config.experimental.get_memory_info("CPU:0"))
        ['current', 'peak']
    """
    _check_cpu(device)
    current, peak = _sluice.memory_in_use()
    return {"current": current, "peak": peak}


def reset_memory_stats(device):
    """Lets the peak of get_memory_info() begin anew.

    Args:
        device: Name of a device, a str: "CPU:0".

    Raises:
        ValueError: The device is not a CPU device, or is not there.
    """
    _check_cpu(device)
    _sluice.reset_memory_peak()


def get_memory_usage(device):
    """Returns how much memory the tensors of this process take. Older form of get_memory_info().

    Args:
        device: Name of a device, a str: "CPU:0".

    Returns:
        Bytes, an int.
    """
    return get_memory_info(device)["current"]


def _check_cpu(device):
    found = re.fullmatch(r"(?:.*/)?(?:device:)?([A-Za-z]+):(\d+)", device)
    if not found:
        raise ValueError(f"Failed parsing device name: {device!r}")
    kind, number = found.group(1).upper(), int(found.group(2))
    count = sum(len(_logical_of(d)) for d in _devices().physical if d.device_type == "CPU")
    if kind != "CPU" or number >= count:
        raise ValueError(f"the memory of {device!r} is not known here: that of CPU devices is")
