# SPDX-License-Identifier: Apache-2.0
"""Docstrings of functions that are made by tables: sections Args, Returns and Raises.

A row of a table gives a summary and what only it can know; the rest follows from the op's
definition in the registry, and from words that are the same for all functions. And the signatures
of enumerations.
"""

import functools
import inspect

from .. import dtypes

# Arguments that mean the same in all functions.
COMMON = {
    "name": "Name of the operation, a str. None: a default name.",
    "axis": "Dimension to work along, an int; a negative one counts from the last.",
    "keepdims": "Whether reduced dimensions stay, with size 1. A bool.",
    "keep_dims": "Older name of keepdims.",
    "reduction_indices": "Older name of axis.",
    "dim": "Older name of axis.",
    "dimension": "Older name of axis.",
    "seed": "Seed of the operation, an int. None: see set_random_seed().",
}

RAISES = {
    "TypeError": "An argument is missing, unknown, or has the wrong dtype.",
    "ValueError or errors.InvalidArgumentError": "A shape or an attribute does not fit the op.",
}

_WIDTH = 96  # columns of a line of text

_QUANTISED = frozenset("qint8 qint16 qint32 quint8 quint16".split())
_FLOATS = frozenset("bfloat16 float16 float32 float64".split())
_INTEGERS = frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
_COMPLEX = frozenset("complex64 complex128".split())
_INDICES = frozenset("int32 int64".split())
_KINDS = {
    _FLOATS: "any floating-point dtype",
    _INTEGERS: "any integer dtype",
    _COMPLEX: "any complex dtype",
    _FLOATS | _INTEGERS: "any real dtype",
    _FLOATS | _COMPLEX: "any floating-point or complex dtype",
    _FLOATS | _INTEGERS | _COMPLEX: "any numeric dtype",
    _INDICES: "dtype int32 or int64",
}


def parse(text):
    """The parts of a docstring.

    Args:
        text: A summary, then the sections Args, Returns, Raises and Example, as far as there are.

    Returns:
        A dict: "" -> the summary with what follows it, section -> its lines without indentation.
    """
    if "\n" not in text:
        return {"": [text]}
    parts, section, indent = {"": []}, "", None
    for line in text.strip().split("\n"):
        word = line.strip()
        if word in ("Args:", "Returns:", "Raises:", "Example:"):
            section, indent = word[:-1], None
            parts[section] = []
        elif section == "Example" and word:  # what is printed may be indented
            indent = len(line) - len(word) if indent is None else indent
            parts[section].append(line[indent:])
        else:
            parts[section].append(word)
    while parts[""] and not parts[""][-1]:
        parts[""].pop()
    return parts


def entries(lines):
    """The entries of a section "Args" or "Raises".

    Args:
        lines: Lines "name: words"; a line without such a beginning goes on with the one before.

    Returns:
        A dict: name -> words.
    """
    found, last = {}, None
    for line in lines:
        name, colon, words = line.partition(": ")
        if colon and (name.isidentifier() or name.replace(".", "").replace(" ", "").isalnum()):
            last, found[name] = name, words
        elif line and last:
            found[last] += " " + line
    return found


def assemble(summary, args, returns, raises, example=()):
    """A docstring of its parts.

    Args:
        summary: Lines of text.
        args: A dict, argument -> words.
        returns: Words.
        raises: A dict, class of errors -> when.
        example: Lines.

    Returns:
        The text, a str.
    """
    lines = list(summary)
    if args:
        lines += ["", "Args:"]
        lines += [_entry(f"    {name}: {words}") for name, words in args.items()]
    if returns:
        lines += ["", "Returns:", _entry(f"    {returns}", "    ")]
    if raises:
        lines += ["", "Raises:"]
        lines += [_entry(f"    {name}: {words}") for name, words in raises.items()]
    if example:
        lines += ["", "Example:", *(f"    {line}".rstrip() for line in example if line)]
    return "\n".join(lines)


@functools.lru_cache(None)
def _entry(text, indent="        "):
    """Text cut into lines that are not too long."""
    if len(text) <= _WIDTH:
        return text
    lines = []
    while len(text) > _WIDTH:
        cut = text.rfind(" ", len(indent), _WIDTH)
        if cut <= len(indent):
            break
        lines.append(text[:cut])
        text = indent + text[cut + 1 :]
    lines.append(text)
    return "\n".join(lines)


def of_op(op_def, text, names, defaults, words=(), returns=None):
    """The docstring of a function that adds one node.

    Args:
        op_def: The op's definition, as raw_ops.definition() gives it.
        text: Text of the row: a summary, and sections for what only the row knows.
        names: The function's arguments in order: name -> the op's argument.
        defaults: name -> default, of arguments that need not be given.
        words: Words for arguments that the row does not describe: name -> words.
        returns: Words that describe the result. None: they follow from the op's outputs.

    Returns:
        The text, a str.
    """
    parts = parse(text)
    own = entries(parts["Args"]) if "Args" in parts else {}
    own = {**dict(words), **own} if words else own
    args = {
        name: own.get(name) or words_of(op_def, target, name, names, defaults)
        for name, target in names.items()
    }
    given = " ".join(parts.get("Returns", ())).strip()
    raises = {**RAISES, **entries(parts["Raises"])} if "Raises" in parts else RAISES
    returns = given or returns or result_of(op_def, names)
    return assemble(parts[""], args, returns, raises, parts.get("Example", ()))


def words_of(op_def, target, name, names, defaults=()):
    """Words that describe an argument of a function that adds one node.

    Args:
        op_def: The op's definition.
        target: The op's name of the argument.
        name: The function's name of it.
        names: All arguments: name -> the op's argument. They are named where dtypes are equal.
        defaults: name -> default.

    Returns:
        A sentence, a str.
    """
    if name == "name":
        return COMMON["name"]
    for arg in op_def["inputs"]:
        if arg["name"] == target:
            return input_words(op_def, arg, names)
    for attr in op_def["attrs"]:
        if attr["name"] == target:
            words = attr_words(attr)
            if name in defaults and defaults[name] is not None:
                value = defaults[name]
                value = dtypes.as_dtype(value).name if attr["type"] == "type" else repr(value)
                words += f" Default: {value}."
            return words
    return COMMON.get(name, "Older name of another argument.")


def input_words(op_def, arg, names=None):
    """Words that describe an input or an output of an op.

    Args:
        op_def: The op's definition.
        arg: One of its inputs or outputs.
        names: Arguments of the function: name -> the op's argument.

    Returns:
        A sentence, a str.
    """
    kind = _kind(op_def, arg, names)
    if arg["number_attr"]:
        return f"A list of tensors of {kind}."
    if arg["type_list_attr"]:
        return "A list of tensors of any dtypes."
    what = "A reference to a tensor" if arg["is_ref"] else "A tensor"
    return f"{what} of {kind}."


def _kind(op_def, arg, names):
    """The dtypes that an input or an output may have, in words."""
    if arg["type"]:
        return f"dtype {dtypes.as_dtype(arg['type']).name}"
    for other in op_def["inputs"]:
        if other is arg:
            break
        if other["type_attr"] == arg["type_attr"] and not other["list"]:
            shown = other["name"]
            for name, target in (names or {}).items():
                shown = name if target == other["name"] else shown
            return f"the dtype of `{shown}`"
    attr = next((a for a in op_def["attrs"] if a["name"] == arg["type_attr"]), None)
    if attr is not None and arg in op_def["outputs"]:
        if not any(i["type_attr"] == arg["type_attr"] for i in op_def["inputs"]):
            return f"dtype `{attr['name']}`"
    if attr is None or not attr["allowed"]:
        return "any dtype"
    return dtype_words(attr["allowed"])


_words = {}  # allowed dtypes -> words


def dtype_words(numbers):
    """Words for a set of dtypes.

    Args:
        numbers: Numbers of dtypes, as the registry has them.

    Returns:
        Words such as "any real dtype", a str.
    """
    key = tuple(numbers)
    if key not in _words:
        names = [dtypes.as_dtype(n).name for n in key]
        found = frozenset(names)
        if len(found & _QUANTISED) >= 3 and len(found) > 5:  # then most others are there too
            found -= _QUANTISED
            names = [n for n in names if n in found]
        text = _KINDS.get(found)
        if text is None:
            text = _near(found) or "dtype " + _listed(sorted(names))
        _words[key] = text
    return _words[key]


def _near(found):
    """ "any real dtype except uint16", where few dtypes of a kind are missing."""
    if len(found) < 5:
        return None
    kind = min(_KINDS, key=lambda kind: len(kind ^ found))
    more, fewer = found - kind, kind - found
    if len(more) + len(fewer) > 3:
        return None
    text = _KINDS[kind] + (f" except {_listed(sorted(fewer), 'and')}" if fewer else "")
    return text + (f", or {_listed(sorted(more))}" if more else "")


def _listed(names, word="or"):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


_ATTR_KINDS = {
    "int": "An int", "float": "A float", "bool": "A bool", "string": "A str", "type": "A dtype",
    "shape": "A shape", "tensor": "A constant tensor", "func": "The name of a function",
}  # fmt: skip


def attr_words(attr):
    """Words that describe an attribute of an op.

    Args:
        attr: One of the attributes in the op's definition.

    Returns:
        One or two sentences, a str.
    """
    kind, many = attr["type"], False
    if kind.startswith("list("):
        kind, many = kind[5:-1], True
    text = _ATTR_KINDS.get(kind, f"A value of type {kind}")
    if many:
        text = "A list, each element " + text[0].lower() + text[1:]
    if attr["allowed"]:
        if kind == "string":
            values = [a if isinstance(a, str) else a.decode() for a in attr["allowed"]]
            text += ": " + _listed([f'"{a}"' for a in values])
        elif kind == "type":
            text += ": " + dtype_words(attr["allowed"]).removeprefix("dtype ")
    if attr["minimum"] is not None:
        text += f", {'with length' if many else 'which is'} {attr['minimum']} or more"
    return text + "."


def result_of(op_def, names=None):
    """Words that describe what a function that adds one node returns.

    Args:
        op_def: The op's definition.
        names: Arguments of the function: name -> the op's argument.

    Returns:
        A sentence, a str.
    """
    outputs = op_def["outputs"]
    if not outputs:
        return "The Operation."
    if len(outputs) == 1:
        return input_words(op_def, outputs[0], names)
    listed = "; ".join(
        f"`{o['name']}`: {_lower(input_words(op_def, o, names)[:-1])}" for o in outputs
    )
    return f"A named tuple. {listed[0].upper() + listed[1:]}."


def kind_of_result(op_def, given, output):
    """Words for the dtype of an output.

    Args:
        op_def: The op's definition.
        given: The input that gives the output its dtype, if any does.
        output: The output.

    Returns:
        Words such as "the same dtype", a str.
    """
    if output["type_attr"] and output["type_attr"] == given["type_attr"]:
        return "the same dtype"
    return _kind(op_def, output, None)


def _lower(text):
    return text[0].lower() + text[1:]


def add_shared_arguments(cls, words):
    """Adds arguments that a class has in common with others to the section Args of its docstring.

    Args:
        cls: The class. Its docstring ends with the sections Args and, perhaps, Raises.
        words: A dict: argument -> its description. What __init__() does not take is left out, and
            so is what the docstring describes.
    """
    if not cls.__doc__ or "Args:" not in cls.__doc__:
        return
    args, _, raises = inspect.cleandoc(cls.__doc__).partition("\n\nRaises:\n")
    taken = inspect.signature(cls.__init__).parameters
    new = [name for name in taken if name in words and f"    {name}:" not in args]
    args = "\n".join([args, *(f"    {name}: {words[name]}" for name in new)])
    cls.__doc__ = f"{args}\n\nRaises:\n{raises}" if raises else args


def constants(cls):
    """Lets help() show that an enumeration is called with one of its values: Python's own signature
    names the arguments that make a new enumeration."""
    value = inspect.Parameter("value", inspect.Parameter.POSITIONAL_ONLY)
    cls.__signature__ = inspect.Signature([value])
    return cls
