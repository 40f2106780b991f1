# SPDX-License-Identifier: Apache-2.0
"""What converted code calls: of tensors they add operations, of other values they do what Python
does."""

from ..calls import OPERATORS, OVERLOADS, OVERLOADS_OF_FEATURES
from . import builtins, conditions, loops, scopes, state

for _module in (conditions, loops, scopes, state):
    OPERATORS.update({name: getattr(_module, name) for name in _module.__all__})
OVERLOADS.update(builtins.OVERLOADS)
OVERLOADS_OF_FEATURES.update(builtins.OVERLOADS_OF_FEATURES)
