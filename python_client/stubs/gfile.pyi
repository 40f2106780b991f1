# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.files.gfile import Copy as Copy
from sluice.files.gfile import DeleteRecursively as DeleteRecursively
from sluice.files.gfile import Exists as Exists
from sluice.files.gfile import GFile as GFile
from sluice.files.gfile import GFile as _files_gfile_GFile
FastGFile = _files_gfile_GFile
from sluice.files.gfile import GFile as _files_gfile_GFile
Open = _files_gfile_GFile
from sluice.files.gfile import Glob as Glob
from sluice.files.gfile import IsDirectory as IsDirectory
from sluice.files.gfile import ListDirectory as ListDirectory
from sluice.files.gfile import MakeDirs as MakeDirs
from sluice.files.gfile import MkDir as MkDir
from sluice.files.gfile import Remove as Remove
from sluice.files.gfile import Rename as Rename
from sluice.files.gfile import Stat as Stat
from sluice.files.gfile import Walk as Walk
from sluice.files.gfile import copy as copy
from sluice.files.gfile import exists as exists
from sluice.files.gfile import glob as glob
from sluice.files.gfile import isdir as isdir
from sluice.files.gfile import listdir as listdir
from sluice.files.gfile import makedirs as makedirs
from sluice.files.gfile import mkdir as mkdir
from sluice.files.gfile import remove as remove
from sluice.files.gfile import rename as rename
from sluice.files.gfile import rmtree as rmtree
from sluice.files.gfile import stat as stat
from sluice.files.gfile import walk as walk


