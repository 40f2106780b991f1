# SPDX-License-Identifier: Apache-2.0
"""Texts of hyperparameters: "rate=0.1,sizes=[3,4],name=test"."""

import re

_ENTRY = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
    r"((?P<value>[^,\[]*)|\[(?P<values>[^\]]*)\])(,\s*|$)"
)
_BOOLS = {"true": True, "True": True, "false": False, "False": False}


def parse_values(values, type_map, ignore_unknown=False):
    """Reads hyperparameters.

    Args:
        values: The text, a str: "name=value" or "name=[value,value]" or "name[index]=value",
            divided by commas.
        type_map: A dict: name -> class of the value, or of each element.
        ignore_unknown: Whether names that type_map lacks are left out. A bool.

    Returns:
        A dict: name -> value, list of values, or dict of values by their index.

    Raises:
        ValueError: The text is malformed, a name is unknown or is given twice.
    """
    found, at = {}, 0
    while at < len(values):
        entry = _ENTRY.match(values, at)
        if entry is None:
            raise ValueError(f"Malformed hyperparameter value: {values[at:]}")
        at = entry.end()
        name, index = entry["name"], entry["index"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        _enter(found, name, index, _read(name, type_map[name], entry, values), values)
    return found


def _enter(found, name, index, value, values):
    taken = found.get(name)
    if index is None and name in found or index is not None and (
        not isinstance(taken, dict) and taken is not None or taken and int(index) in taken
    ):
        raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
    if index is None:
        found[name] = value
    elif isinstance(value, list):
        raise ValueError(f"Assignment of a list to a list index: '{name}' in {values}")
    else:
        found.setdefault(name, {})[int(index)] = value


def _read(name, kind, entry, values):
    def one(text):
        text = text.strip() if kind is not str else text
        try:
            if kind is bool:
                return _BOOLS[text] if text in _BOOLS else bool(int(text))
            return kind(text)
        except ValueError:
            raise ValueError(
                f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{text}' in "
                f"{values}"
            ) from None

    if entry["value"] is not None:
        return one(entry["value"])
    return [one(text) for text in re.split("[ ,]", entry["values"]) if text]
