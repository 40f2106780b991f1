# SPDX-License-Identifier: Apache-2.0
"""Reads and writes sizes, times and rates with units."""

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parse_bytes(text):
    """ "64M" is 64 * 2**20. Raises ValueError."""
    number = text.strip().lower().removesuffix("b").strip()
    unit = number[-1:] if number[-1:] in ("k", "m", "g") else ""
    try:
        size = int(number.removesuffix(unit)) * _UNITS[unit]
    except ValueError:
        size = 0
    if size <= 0:
        raise ValueError(f'"{text}" is not a size: 1, 4K, 64M')
    return size


def parse_seconds(text):
    """ "2.5" is 2.5. Raises ValueError unless it is a time above 0."""
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(f'"{text}" is not a time above 0')
    return seconds


def bytes_text(size):
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def seconds_text(seconds):
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def rate_text(bytes_per_second):
    if bytes_per_second >= 1e9:
        return f"{bytes_per_second / 1e9:.2f} GB/s"
    return f"{bytes_per_second / 1e6:.1f} MB/s"


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def columns(rows, right=()):
    """Returns the lines of a table. The first row is the header; `right`: columns aligned right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ]
        yield "  ".join(cells).rstrip()
