# SPDX-License-Identifier: Apache-2.0
"""Control groups of Linux, both versions, for processes that tests limit."""

import os
import uuid

ROOT = "/sys/fs/cgroup"
# The files with the limits, by controller; of version 1, whose controllers have a tree each, and 2.
LIMIT_FILES = {
    "memory": ("memory.limit_in_bytes", "memory.max"),
    "pids": ("pids.max", "pids.max"),
}


class Cgroup:
    """A new group with limits: memory in bytes; pids, the number of threads.

    Raises OSError where this process may not make one.
    """

    def __init__(self, **limits):
        self._folders = []
        name = f"sluice-{uuid.uuid4().hex}"
        try:
            for controller, limit in limits.items():
                self._limit(name, controller, limit)
        except OSError:
            self.close()
            raise

    def _limit(self, name, controller, limit):
        first_version = os.path.isdir(os.path.join(ROOT, controller))
        folder = os.path.join(ROOT, controller if first_version else "", name)
        if folder not in self._folders:
            os.mkdir(folder)
            self._folders.append(folder)
        file = LIMIT_FILES[controller][0 if first_version else 1]
        with open(os.path.join(folder, file), "w") as text:
            text.write(str(limit))

    def command(self, command):
        """The command, run in the group."""
        joins = " && ".join(f'echo $$ >"{folder}/cgroup.procs"' for folder in self._folders)
        return ["sh", "-c", f'{joins} && exec "$@"', "sh", *command]

    def close(self):
        """Removes the group; its processes have ended."""
        while self._folders:
            os.rmdir(self._folders.pop())
