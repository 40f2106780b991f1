# SPDX-License-Identifier: Apache-2.0
"""Which function makes the adjoint, inverse, Cholesky factor, product or solution of operators.

A function is found by the classes of its operators, of which the most derived ones count.
"""

_rules = {}  # (kind, classes) -> function


def rule(kind, *classes):
    """Registers a function for operators of some classes.

    Args:
        kind: What the function makes, a str such as "matmul".
        *classes: The class of each operator.

    Returns:
        A decorator, which returns the function.
    """

    def register(function):
        _rules[kind, classes] = function
        return function

    return register


def apply_rule(kind, *operators):
    """Calls the function for some operators.

    Args:
        kind: What to make, a str.
        *operators: The operators.

    Returns:
        A LinearOperator.
    """
    orders = [type(operator).__mro__ for operator in operators]
    found = []
    for (of, classes), function in _rules.items():
        if of == kind and all(cls in order for cls, order in zip(classes, orders)):
            distance = sum(order.index(cls) for cls, order in zip(classes, orders))
            found.append((distance, len(found), function))
    return min(found)[2](*operators)
