# SPDX-License-Identifier: Apache-2.0
"""contrib.training.HParams."""

from .._contrib import contrib_of

ONLY_1X = True


def _made(tf):
    return contrib_of(tf).training.HParams(
        rate=0.1, layers=3, sizes=[4, 5], name="net", deep=True, factors=[1.0], nothing=None
    )


def values(tf):
    h = _made(tf)
    h.add_hparam("more", "text")
    h.set_hparam("layers", 7)
    h.rate = 2.5
    h.del_hparam("factors")
    found = [h.rate, h.layers, h.sizes, sorted(h.values()), "rate" in h, "other" in h, str(h),
             repr(h), h.get("layers"), h.get("other", 5), h.get("sizes", [1])]  # fmt: skip
    h.set_model_structure("model")
    return [*found, h.get_model_structure(), h.to_json(sort_keys=True)]


def texts(tf):
    found = []
    for text in (
        "", "rate=0.5", "layers=2,name=other,deep=false", "sizes=[1,2,3],rate=1", "deep=1",
        "name=a b", "rate = 3 , layers=4", "factors=[2 , 3.5]", "sizes=[]", "deep=True,",
    ):  # fmt: skip
        h = _made(tf).parse(text)
        found.append([text, h.rate, h.layers, h.sizes, h.name, h.deep, h.factors])
    h = _made(tf).parse_json('{"rate": 3, "sizes": [9]}').override_from_dict({"layers": 1})
    return [*found, h.rate, h.sizes, h.layers]


def parsed(tf):
    parse = contrib_of(tf).training.parse_values
    return [
        parse("a=1,b[2]=3,b[0]=4", {"a": float, "b": int}),
        parse("a=1,c=3", {"a": int}, ignore_unknown=True),
    ]


def mistakes(tf):
    found = []
    for mistake in (
        lambda h: h.add_hparam("rate", 1),
        lambda h: h.add_hparam("parse", 1),
        lambda h: h.add_hparam("empty", []),
        lambda h: h.set_hparam("other", 1),
        lambda h: h.set_hparam("layers", 1.5),
        lambda h: h.set_hparam("layers", "1"),
        lambda h: h.set_hparam("deep", 1),
        lambda h: h.set_hparam("name", 1),
        lambda h: h.set_hparam("sizes", 1),
        lambda h: h.set_hparam("layers", [1]),
        lambda h: h.parse("other=1"),
        lambda h: h.parse("layers=1.5"),
        lambda h: h.parse("layers=1,layers=2"),
        lambda h: h.parse("rate"),
        lambda h: h.parse(" rate=3"),
        lambda h: h.parse("deep=2x"),
        lambda h: h.parse("sizes[0]=3"),
        lambda h: h.override_from_dict({"other": 1}),
        lambda h: h.get("layers", "text"),
        lambda h: h.get("sizes", 3),
        lambda h: h.other,
    ):
        try:
            mistake(_made(tf))
            found.append(None)
        except Exception as error:
            found.append("AttributeError" in type(error).__name__ or type(error).__name__)
    return found
