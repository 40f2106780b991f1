# SPDX-License-Identifier: Apache-2.0
"""Device names: /job:ps/replica:0/task:1/device:CPU:0, every part optional."""

import functools


class DeviceSpec:
    """A device name in parts. A part that is None is left open.

    Args:
        job: Name of the job, a str.
        replica: Number of the replica, an int.
        task: Number of the task, an int.
        device_type: "CPU" or "GPU".
        device_index: Number of the device, an int.

    Example:
        >>> sl.DeviceSpec(job="ps", task=1, device_type="CPU", device_index=0).to_string()
        '/job:ps/task:1/device:CPU:0'
    """

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        self.job, self.replica, self.task = job, replica, task
        self.device_type = device_type.upper() if device_type else None
        self.device_index = device_index

    @classmethod
    def from_string(cls, text):
        """Parses a device name.

        Args:
            text: The name, a str such as "/job:ps/task:1/device:CPU:0".

        Returns:
            A DeviceSpec.

        Raises:
            ValueError: A part of the name is not understood.
        """
        spec = cls()
        for part in filter(None, text.split("/")):
            fields = part.split(":")
            kind = fields[0]
            states_type = kind == "device" or kind.lower() in ("cpu", "gpu")
            if states_type and spec.device_type is not None:
                raise ValueError(f"Cannot specify multiple device types: {text}")
            try:
                if kind == "job":
                    spec.job = fields[1]
                elif kind in ("replica", "task"):
                    setattr(spec, kind, int(fields[1]))
                elif kind.lower() in ("cpu", "gpu"):
                    spec.device_type = kind.upper()
                    index = fields[1] if len(fields) > 1 else "*"
                    spec.device_index = None if index == "*" else int(index)
                elif kind == "device":
                    spec.device_type = fields[1].upper()
                    if len(fields) > 2 and fields[2] != "*":
                        spec.device_index = int(fields[2])
                else:
                    raise ValueError
            except (IndexError, ValueError):
                raise ValueError(
                    f"Unknown attribute: {part.partition(':')[0]!r} in {text!r}"
                ) from None
        return spec

    def merged_over(self, weaker):
        """Returns this spec with its open parts taken from another.

        Args:
            weaker: The other DeviceSpec.

        Returns:
            A DeviceSpec.
        """
        names = ("job", "replica", "task", "device_type", "device_index")
        parts = {n: getattr(self, n) for n in names}
        for name in names:
            if parts[name] is None:
                parts[name] = getattr(weaker, name)
        return DeviceSpec(**parts)

    def parse_from_string(self, spec):
        """Replaces all parts with those of a device name.

        Args:
            spec: The name, a str.

        Returns:
            This DeviceSpec.

        Raises:
            ValueError: A part of the name is not understood.
        """
        vars(self).update(vars(DeviceSpec.from_string(spec)))
        return self

    def merge_from(self, dev):
        """Replaces parts with those that another spec states.

        Args:
            dev: The other DeviceSpec.
        """
        vars(self).update(vars(dev.merged_over(self)))

    def make_merged_spec(self, dev):
        """Returns the parts that another spec states, and this one's where it states none.

        Args:
            dev: The other DeviceSpec.

        Returns:
            A DeviceSpec.
        """
        return dev.merged_over(self)

    def replace(self, **parts):
        """Returns a spec with some parts replaced.

        Args:
            **parts: The new parts, by their names.

        Returns:
            A DeviceSpec.

        Raises:
            TypeError: There is no such part.
        """
        return DeviceSpec(**{**vars(self), **parts})

    def to_string(self):
        """Converts the spec to a device name.

        Returns:
            A str; "" if no part is stated.
        """
        text = ""
        if self.job is not None:
            text += f"/job:{self.job}"
        if self.replica is not None:
            text += f"/replica:{self.replica}"
        if self.task is not None:
            text += f"/task:{self.task}"
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __eq__(self, other):
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self):
        return hash(self.to_string())

    def __repr__(self):
        parts = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None)
        return f"DeviceSpec({parts})"


@functools.lru_cache(1024)  # a program has few devices, and places many operations
def merge(inner, outer):
    """The device name `inner` with what it leaves open taken from `outer`."""
    if not outer:
        return inner or ""
    return (
        DeviceSpec.from_string(inner or "").merged_over(DeviceSpec.from_string(outer)).to_string()
    )
