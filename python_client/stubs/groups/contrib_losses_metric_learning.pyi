# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.losses.embeddings import contrastive_loss as contrastive_loss
from sluice.contrib_parts.losses.embeddings import npairs_loss as npairs_loss
from sluice.contrib_parts.losses.embeddings import triplet_semihard_loss as triplet_semihard_loss
