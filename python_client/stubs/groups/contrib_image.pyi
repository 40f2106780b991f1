# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.image import angles_to_projective_transforms as angles_to_projective_transforms
from sluice.contrib_parts.image import bipartite_match as bipartite_match
from sluice.contrib_parts.image import compose_transforms as compose_transforms
from sluice.contrib_parts.image import flat_transforms_to_matrices as flat_transforms_to_matrices
from sluice.contrib_parts.image import matrices_to_flat_transforms as matrices_to_flat_transforms
from sluice.contrib_parts.image import rotate as rotate
from sluice.contrib_parts.image import transform as transform
from sluice.contrib_parts.image import translate as translate
from sluice.contrib_parts.image import translations_to_projective_transforms as translations_to_projective_transforms
