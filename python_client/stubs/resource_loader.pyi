# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.files.resource_loader import get_data_files_path as get_data_files_path
from sluice.files.resource_loader import get_path_to_datafile as get_path_to_datafile
from sluice.files.resource_loader import get_root_dir_with_all_resources as get_root_dir_with_all_resources
from sluice.files.resource_loader import load_resource as load_resource
from sluice.files.resource_loader import readahead_file_path as readahead_file_path
