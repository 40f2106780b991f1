# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.command_line.flags import CantOpenFlagFileError as CantOpenFlagFileError
from sluice.command_line.flags import DEFINE_boolean as _command_line_flags_DEFINE_boolean
DEFINE_bool = _command_line_flags_DEFINE_boolean
from sluice.command_line.flags import DEFINE_boolean as DEFINE_boolean
from sluice.command_line.flags import DEFINE_enum as DEFINE_enum
from sluice.command_line.flags import DEFINE_float as DEFINE_float
from sluice.command_line.flags import DEFINE_integer as DEFINE_integer
from sluice.command_line.flags import DEFINE_list as DEFINE_list
from sluice.command_line.flags import DEFINE_multi_enum as DEFINE_multi_enum
from sluice.command_line.flags import DEFINE_multi_float as DEFINE_multi_float
from sluice.command_line.flags import DEFINE_multi_integer as DEFINE_multi_integer
from sluice.command_line.flags import DEFINE_multi_string as DEFINE_multi_string
from sluice.command_line.flags import DEFINE_spaceseplist as DEFINE_spaceseplist
from sluice.command_line.flags import DEFINE_string as DEFINE_string
from sluice.command_line.flags import DuplicateFlagError as DuplicateFlagError
from sluice.command_line.flags import Error as Error
FLAGS: _Any
from sluice.command_line.flags import FlagValues as FlagValues
from sluice.command_line.flags import IllegalFlagValueError as IllegalFlagValueError
from sluice.command_line.flags import UnparsedFlagAccessError as UnparsedFlagAccessError
from sluice.command_line.flags import UnrecognizedFlagError as UnrecognizedFlagError
from sluice.command_line.flags import ValidationError as ValidationError
from sluice.command_line.flags import mark_flag_as_required as mark_flag_as_required
from sluice.command_line.flags import mark_flags_as_required as mark_flags_as_required
from sluice.command_line.flags import register_validator as register_validator
from sluice.command_line.flags import validator as validator
