# SPDX-License-Identifier: Apache-2.0
"""Files and folders, by the names that 1.x gives them.

A path is of this machine, or has the scheme of a file system that Sluice knows: "file:///tmp/x".
Every function raises errors.UnimplementedError for another scheme and names it. Other errors:
errors.NotFoundError: a file or folder is not there; AlreadyExistsError: one is in the way;
PermissionDeniedError; FailedPreconditionError: a folder where a file is needed, or the other way
round; UnknownError for what else the system refuses.
"""

from .files.gfile import *  # noqa: F403
from .files.gfile import __all__  # noqa: F401
