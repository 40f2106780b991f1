# SPDX-License-Identifier: Apache-2.0
"""The public names of the package, with kind and signature, are those of public_names.txt.

    public_names_test.py --list      prints them
    public_names_test.py --record    writes the list again, after a name was added on purpose

The functions of sluice.raw_ops follow from the registry of ops; raw_ops.pyi records them.
"""

import inspect
import os
import re
import subprocess
import sys
import types

import sluice as sl

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "public_names.txt")
MESSAGE = type(sl.GraphDef)
_NOT_LISTED = ("sluice.raw_ops",)


def public_names(module):
    """The names that programs can use: those that dir() shows, and older ones that it does not."""
    hidden = [n for n in vars(sl) if not n.startswith("_")] if module is sl else []
    hidden = [n for n in hidden if not isinstance(getattr(sl, n), types.ModuleType)]
    return sorted({*dir(module), *hidden})


def signature(value):
    """The arguments with their defaults; "" where Python does not tell."""
    try:
        text = str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"<_io.TextIOWrapper name='<(\w+)>'[^>]*>", r"\1", text)
    return re.sub(r"<(?:function |class )?'?(?:\w+\.)*(\w+)[^>]*>", r"<\1>", text)


def members(cls):
    """The public members of a class: name -> the line for it."""
    for name in sorted(dir(cls)):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(cls, name)
        if isinstance(value, property):
            yield name, "property"
        elif isinstance(value, (staticmethod, classmethod)):
            yield name, f"{type(value).__name__} {signature(value.__func__)}"
        elif callable(value):
            yield name, f"method {signature(value)}"
        else:
            yield name, f"attribute {type(value).__name__}"


def listed(not_listed=_NOT_LISTED):
    """One line for each name, in order. A thing with several names is described once."""
    lines, seen, modules = [], {id(sl): "sluice"}, [("sluice", sl)]
    for path, module in modules:
        for name in public_names(module):
            value, full = getattr(module, name), f"{path}.{name}"
            known = seen.get(id(value)) if callable(value) or inspect.ismodule(value) else None
            if known:
                lines.append(f"{full} = {known}")
                continue
            seen[id(value)] = full
            if isinstance(value, types.ModuleType):
                lines.append(f"{full}: module")
                modules += [(full, value)] if full not in not_listed else []
            elif isinstance(value, MESSAGE):
                lines.append(f"{full}: message")
            elif inspect.isclass(value):
                bases = [c.__name__ for c in value.__mro__[1:] if c.__name__[0] != "_"]
                lines.append(f"{full}: class {signature(value)} of {', '.join(bases)}")
                lines += [f"{full}.{m}: {text}" for m, text in members(value)]
            elif callable(value):
                lines.append(f"{full}: {type(value).__name__} {signature(value)}")
            else:
                lines.append(f"{full}: {type(value).__name__} {value!r}"[:200])
    return lines


def test_public_names_are_those_of_the_list():
    with open(LIST, encoding="utf-8") as file:
        wanted = file.read().splitlines()
    # In another process: pytest replaces sys.stderr, which is a default argument.
    have = subprocess.check_output([sys.executable, __file__, "--list"], text=True).splitlines()
    lost = [line for line in wanted if line not in set(have)]
    new = [line for line in have if line not in set(wanted)]
    assert not lost and not new, "\n".join(
        ["run public_names_test.py --record if this is on purpose", *(f"- {x}" for x in lost),
         *(f"+ {x}" for x in new)]
    )  # fmt: skip
    assert len(have) > 2000, len(have)


if __name__ == "__main__" and sys.argv[1:2] == ["--record"]:
    with open(sys.argv[2] if sys.argv[2:] else LIST, "w", encoding="utf-8") as output:
        output.write("\n".join(listed(() if sys.argv[2:] else _NOT_LISTED)) + "\n")
elif __name__ == "__main__":
    print("\n".join(listed()))
