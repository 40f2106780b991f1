# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.files.gfile import GFile as GFile
from sluice.files.gfile import GFile as _files_gfile_GFile
FastGFile = _files_gfile_GFile
from sluice.files.gfile import GFile as _files_gfile_GFile
Open = _files_gfile_GFile
from sluice.files.gfile import copy as _files_gfile_copy
Copy = _files_gfile_copy
from sluice.files.gfile import copy as copy
from sluice.files.gfile import exists as _files_gfile_exists
Exists = _files_gfile_exists
from sluice.files.gfile import exists as exists
from sluice.files.gfile import glob as _files_gfile_glob
Glob = _files_gfile_glob
from sluice.files.gfile import glob as glob
from sluice.files.gfile import isdir as _files_gfile_isdir
IsDirectory = _files_gfile_isdir
from sluice.files.gfile import isdir as isdir
from sluice.files.gfile import listdir as _files_gfile_listdir
ListDirectory = _files_gfile_listdir
from sluice.files.gfile import listdir as listdir
from sluice.files.gfile import makedirs as _files_gfile_makedirs
MakeDirs = _files_gfile_makedirs
from sluice.files.gfile import makedirs as makedirs
from sluice.files.gfile import mkdir as _files_gfile_mkdir
MkDir = _files_gfile_mkdir
from sluice.files.gfile import mkdir as mkdir
from sluice.files.gfile import remove as _files_gfile_remove
Remove = _files_gfile_remove
from sluice.files.gfile import remove as remove
from sluice.files.gfile import rename as _files_gfile_rename
Rename = _files_gfile_rename
from sluice.files.gfile import rename as rename
from sluice.files.gfile import rmtree as _files_gfile_rmtree
DeleteRecursively = _files_gfile_rmtree
from sluice.files.gfile import rmtree as rmtree
from sluice.files.gfile import stat as _files_gfile_stat
Stat = _files_gfile_stat
from sluice.files.gfile import stat as stat
from sluice.files.gfile import walk as _files_gfile_walk
Walk = _files_gfile_walk
from sluice.files.gfile import walk as walk


