# SPDX-License-Identifier: Apache-2.0
"""Functions of Python's library do the same when AutoGraph has converted them."""

import _pydecimal
import argparse
import ast
import calendar
import configparser
import copy
import csv
import difflib
import email.parser
import fractions
import heapq
import html.parser
import importlib
import ipaddress
import json
import plistlib
import posixpath
import pprint
import random
import shlex
import statistics
import string
import textwrap
import types
import urllib.parse

import pytest
from sluice.autograph.calls import operators_of
from sluice.autograph.converting import convert
from sluice.autograph.source import NoSourceError

MODULES = """
    _pydecimal argparse ast calendar configparser copy csv difflib email._header_value_parser
    email._policybase email.feedparser email.generator email.header email.message email.parser
    email.policy email.utils fractions genericpath heapq html.parser ipaddress json.decoder
    json.encoder json.scanner plistlib posixpath pprint shlex statistics string textwrap
    urllib.parse
""".split()
_GENERATORS = 0x20 | 0x80 | 0x100 | 0x200


class Converted:
    """Replaces the functions and methods of modules until close()."""

    def __init__(self, names):
        self.count, self._before = 0, []
        for name in names:
            module = importlib.import_module(name)
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    self._replace_in(value)
            self._replace_in(module)

    def close(self):
        for owner, key, value in reversed(self._before):
            setattr(owner, key, value)

    def _replace_in(self, owner):
        for key, value in list(vars(owner).items()):
            made = self._of(value, getattr(owner, "__module__", owner.__name__))
            if made is not value:
                self._before.append((owner, key, value))
                setattr(owner, key, made)

    def _of(self, value, module):
        if isinstance(value, (staticmethod, classmethod)):
            made = self._of(value.__func__, module)
            return value if made is value.__func__ else type(value)(made)
        if isinstance(value, property):
            return property(*(self._of(f, module) for f in (value.fget, value.fset, value.fdel)))
        if not isinstance(value, types.FunctionType) or value.__module__ != module:
            return value
        if value.__code__.co_flags & _GENERATORS:
            return value
        try:
            made = convert(value, operators_of(None))
        except NoSourceError:  # functions that were made by exec()
            return value
        self.count += made is not value
        return made


def texts():
    draws = random.Random(3)
    words = ["".join(draws.choice("abcdef-") for _ in range(draws.randint(1, 12)))
             for _ in range(200)]  # fmt: skip
    kept = [w for w in words if draws.random() < 0.7] + ["z"]
    text = " ".join(words)
    matcher = difflib.SequenceMatcher(None, words, kept)
    return [
        textwrap.wrap(text, 31), textwrap.shorten(text, 40), textwrap.dedent("  a\n   b\n  c"),
        list(difflib.unified_diff(words, kept)), list(difflib.ndiff(words[:9], kept[:9])),
        matcher.get_opcodes(), difflib.get_close_matches("appel", ["ape", "apple", "peach"]),
        string.Template("$a ${b} $$").substitute(a=1, b=2), shlex.join(["a b", "c"]),
        shlex.split("a 'b c' \"d e\" f\\ g # x", comments=True),
        csv.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n").delimiter,
        pprint.pformat({str(i): list(range(i)) for i in range(20)}, width=40),
    ]  # fmt: skip


def numbers():
    draws = random.Random(3)
    x = [draws.gauss(0, 1) for _ in range(50)]
    big, third, decimal = fractions.Fraction(7, 3), fractions.Fraction("1/3"), _pydecimal.Decimal
    found = [
        statistics.mean(x), statistics.stdev(x), statistics.quantiles(x), statistics.mode([1, 1]),
        statistics.NormalDist(1, 2) - statistics.NormalDist(3, 4), heapq.nsmallest(3, x),
        heapq.nlargest(4, x, key=abs), big // third, round(big, 1), -big % 2, third < big,
        fractions.Fraction(0.1).limit_denominator(100), third**3,
    ]  # fmt: skip
    for f in (lambda: decimal("x"), lambda: decimal(1) / 0, lambda: decimal(-1).sqrt()):
        with pytest.raises(_pydecimal.DecimalException) as error:
            f()
        found.append(error.type)
    for _ in range(20):
        a = decimal(draws.randint(-(10**12), 10**12)).scaleb(draws.randint(-8, 8))
        b = decimal(draws.randint(1, 10**9)).scaleb(draws.randint(-5, 5))
        found += [a + b, a * b, a / b, divmod(a, b), a < b, max(a, b), b.ln(), b.sqrt(), b**2, -a,
                  a.quantize(decimal("1e-9")) if abs(a) < 1 else a.to_eng_string(),
                  f"{a:,.2f} {b:>10.3e}"]  # fmt: skip
    return found


def documents():
    reader = json.decoder.JSONDecoder()
    reader.parse_object, reader.parse_array = json.decoder.JSONObject, json.decoder.JSONArray
    reader.parse_string, reader.memo = json.decoder.py_scanstring, {}
    reader.scan_once = json.scanner.py_make_scanner(reader)
    found = [
        json.encoder.JSONEncoder(indent=1).encode({"b": [1, 2.5, None, True, "\n"], "a": {}}),
        reader.decode('{"a": [1, -2.5e3, "x\\u00e9\\n", null, true], "b": {"c": []}}'),
        plistlib.loads(plistlib.dumps({"a": [1, "x", 2.5, True]}, fmt=plistlib.FMT_BINARY)),
        plistlib.dumps({"a": [b"x", 2.5], "b": "c"}), copy.deepcopy({"a": [1, (2, [3])]}),
        calendar.TextCalendar().formatyear(2024), calendar.HTMLCalendar().formatmonth(2022, 5),
        ast.unparse(ast.parse("def f(a, *b, c=1):\n  with x as y: return a < b <= c or not f\n")),
        ast.literal_eval("{'a': [1, -2.5, (3,)], b'x': {1, 2}, None: 1 + 2j}"),
    ]  # fmt: skip
    for bad in ('{"a"', "[1,", '{"a":1,}', '"x'):
        with pytest.raises(ValueError) as error:
            reader.decode(bad)
        found.append(str(error.value))
    config = configparser.ConfigParser()
    config.read_string("[a]\nx=1\ny=%(x)s2\n[b]\nz: \n  several\n  lines\n")
    mail = email.parser.Parser().parsestr(
        "From: a@b\nSubject: =?utf-8?q?=C3=A9?=\nContent-Type: multipart/mixed; boundary=x\n\n"
        "--x\nContent-Type: text/plain\n\nhi\n--x--\n"
    )
    page = Page()
    page.feed("<a href='x' b>t&amp;u<!-- c --><br/></a><script>if(a<b){}</script>&lt;")
    page.close()
    return [*found, {name: dict(config[name]) for name in config.sections()}, mail.as_string(),
            page.found]  # fmt: skip


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))

    def handle_data(self, data):
        self.found.append(data)


def names():
    parser = argparse.ArgumentParser(prog="p")
    parser.add_argument("x", type=int, nargs="+")
    parser.add_argument("--y", choices=["a", "b"], default="a")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("-v", action="count")
    either.add_argument("-q", action="store_true")
    with pytest.raises(SystemExit):
        parser.parse_args(["--y", "c", "1"])
    network = ipaddress.ip_network("10.0.0.0/29")
    with pytest.raises(ValueError) as error:
        ipaddress.ip_address("300.1.1.1")
    return [
        vars(parser.parse_args("1 2 --y b -vv".split())), parser.format_help(),
        list(network.hosts()), list(network.subnets()), str(error.value),
        urllib.parse.urlsplit("http://u:p@h:80/a;b?c=d#e"), urllib.parse.quote("a b/é"),
        urllib.parse.urljoin("http://a/b/c", "../d?x"), urllib.parse.parse_qs("a=1&a=2&b=%20"),
        posixpath.normpath("/a/../b//c/."), posixpath.relpath("/a/b", "/a/c/d"),
    ]  # fmt: skip


def test_the_same_is_returned():
    works = [texts, numbers, documents, names]
    want = [repr(work()) for work in works]
    converted = Converted(MODULES)
    try:
        got = [repr(work()) for work in works]
    finally:
        converted.close()
    assert converted.count > 700
    assert got == want
