# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.session.config_options import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from sluice.session.config_options import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from sluice.session.config_options import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from sluice.session.config_options import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads
