# SPDX-License-Identifier: Apache-2.0
"""Flags of the command line: defined by name, read as attributes of FLAGS."""

import sys


class Error(Exception):
    """The base class of errors about flags.

    Args:
        message: What is wrong, a str.
    """

    def __init__(self, message=""):
        super().__init__(message)


class DuplicateFlagError(Error):
    """A flag is defined twice.

    Args:
        message: What is wrong, a str.
    """


class IllegalFlagValueError(Error):
    """A flag has a value that is not possible.

    Args:
        message: What is wrong, a str.
    """


class UnrecognizedFlagError(Error):
    """The command line has a flag that nobody defined.

    Args:
        message: What is wrong, a str.
    """


class UnparsedFlagAccessError(Error):
    """A flag is read before the command line was.

    Args:
        message: What is wrong, a str.
    """


class ValidationError(Error):
    """A flag has a value that a validator refuses.

    Args:
        message: What is wrong, a str.
    """


class CantOpenFlagFileError(Error):
    """The file of --flagfile cannot be read.

    Args:
        message: What is wrong, a str.
    """


class Flag:
    """One flag: its name, its value and its help."""

    def __init__(self, name, parse, default, help, short_name=None, boolean=False, multi=False):
        self.name, self.parse, self.help, self.short_name = name, parse, help, short_name
        self.boolean, self.multi, self.validators = boolean, multi, []
        self.present, self.required = 0, False
        self.default = self.value = self._parsed_default(default)

    def _parsed_default(self, default):
        if default is None:
            return None
        if self.multi:
            given = default if isinstance(default, (list, tuple)) else [default]
            return [self.parse(v) for v in given]
        return self.parse(default)

    def take(self, text):
        """Takes a value of the command line."""
        try:
            value = self.parse(text)
        except ValueError as e:
            raise IllegalFlagValueError(f"flag --{self.name}={text}: {e}") from None
        if self.multi:
            self.value = [*(self.value if self.present else ()), value]
        else:
            self.value = value
        self.present += 1
        self.validate()

    def validate(self):
        """IllegalFlagValueError: a validator refuses the value."""
        for validator, message in self.validators:
            if not validator(self.value):
                raise IllegalFlagValueError(f"flag --{self.name}={self.value}: {message}")
        if self.required and self.value is None:
            raise IllegalFlagValueError(f"flag --{self.name} must have a value")


class FlagValues:
    """The flags that were defined. They are attributes after the command line was read."""

    def __init__(self):
        # Programs read the dictionary too, as FLAGS.__flags.
        vars(self)["__flags"], vars(self)["_parsed"] = {}, False

    def _flags(self):
        """The flags: name -> Flag. Programs delete flags by the names in it."""
        return vars(self)["__flags"]

    def __call__(self, argv, known_only=False):
        """Reads a command line.

        Args:
            argv: The command line, a list of str, of which the first is the program.
            known_only: Whether flags that nobody defined are left. A bool.

        Returns:
            What is left, a list of str.

        Raises:
            Error: A flag is not possible.
        """
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv should be a tuple/list of strings, not bytes or string.")
        if not argv:
            raise ValueError("argv cannot be an empty list, and must contain the program name")
        left, ahead = [argv[0]], list(argv[1:])
        while ahead:
            text = ahead.pop(0)
            if text == "--":
                left += ahead
                break
            if not text.startswith("-") or text == "-":
                left.append(text)
                continue
            name, equals, value = text.lstrip("-").partition("=")
            flag, positive = self._find(name)
            if flag is None:
                if name == "flagfile":
                    ahead = self._lines(value if equals else ahead.pop(0)) + ahead
                elif known_only or name in _IGNORED:
                    left.append(text)
                else:
                    raise UnrecognizedFlagError(f"Unknown command line flag '{name}'")
            elif flag.boolean and not equals:
                flag.take(positive)
            elif equals:
                flag.take(value)
            elif ahead:
                flag.take(ahead.pop(0))
            else:
                raise Error(f"Missing value for flag --{name}")
        vars(self)["_parsed"] = True
        for flag in set(self._flags().values()):
            flag.validate()
        return left

    def _find(self, name):
        if name in self._flags():
            return self._flags()[name], True
        negated = self._flags().get(name[2:]) if name.startswith("no") else None
        return (negated, False) if negated is not None and negated.boolean else (None, True)

    @staticmethod
    def _lines(path):
        try:
            with open(path) as file:
                lines = [line.strip() for line in file]
        except OSError as e:
            raise CantOpenFlagFileError(f"Unable to open flagfile: {path}\n{e}") from None
        return [line for line in lines if line and not line.startswith(("#", "//"))]

    def define(self, flag):
        """Adds a flag.

        Args:
            flag: The Flag.

        Raises:
            DuplicateFlagError: There is one of this name.
        """
        for name in filter(None, (flag.name, flag.short_name)):
            if name in self._flags():
                raise DuplicateFlagError(f"The flag '{name}' is defined twice.")
            self._flags()[name] = flag

    def is_parsed(self):
        """Tests whether the command line was read.

        Returns:
            A bool.
        """
        return self._parsed

    def mark_as_parsed(self):
        """Lets flags be read, with their defaults."""
        vars(self)["_parsed"] = True

    def unparse_flags(self):
        """Lets flags not be read until the command line is read again."""
        vars(self)["_parsed"] = False

    def flag_values_dict(self):
        """Returns the values of all flags.

        Returns:
            A dict: name -> value.
        """
        return {name: flag.value for name, flag in self._flags().items() if name == flag.name}

    def get_flag_value(self, name, default):
        """Returns the value of a flag.

        Args:
            name: The flag's name, a str.
            default: Returned if the flag does not exist or its value is None.

        Returns:
            The value.
        """
        value = getattr(self, name, None)
        return default if value is None else value

    def set_default(self, name, value):
        """Changes the default of a flag; also its value, if the command line does not have it.

        Args:
            name: The flag's name, a str.
            value: The new default.

        Raises:
            UnrecognizedFlagError: The flag does not exist.
        """
        if name not in self._flags():
            raise UnrecognizedFlagError(f"Unknown command line flag '{name}'")
        flag = self._flags()[name]
        flag.default = value
        if not flag.present:
            flag.value = value
            flag.validate()

    def get_help(self):
        """Returns what all flags are for.

        Returns:
            A str.
        """
        texts = []
        for name, flag in sorted(self._flags().items()):
            if name == flag.name:
                shown = f"--[no]{name}" if flag.boolean else f"--{name}"
                texts.append(f"  {shown}: {flag.help}\n    (default: {flag.default!r})")
        return "\n".join(texts)

    def __getattr__(self, name):
        flag = self._flag("" if name.startswith("__") else name)
        if not self._parsed:
            text = f"Trying to access flag --{name} before flags were parsed."
            raise UnparsedFlagAccessError(text)
        return flag.value

    def __setattr__(self, name, value):
        flag = self._flag(name)
        flag.value = value
        flag.validate()

    def __delattr__(self, name):
        flag, known = self._flag(name), self._flags()
        for other in [key for key, value in known.items() if value is flag]:
            del known[other]

    def _flag(self, name):
        if name not in self._flags():
            raise AttributeError(name)
        return self._flags()[name]

    def __getitem__(self, name):
        return self._flags()[name]

    def __contains__(self, name):
        return name in self._flags()

    def __iter__(self):
        return iter(self._flags())

    def __len__(self):
        return len(self._flags())

    def __dir__(self):
        return sorted([*object.__dir__(self), *self._flags()])


_IGNORED = ("test_tmpdir", "test_srcdir")


class _FlagsOfThisProgram(FlagValues):
    __doc__ = FlagValues.__call__.__doc__.replace(
        "Reads a command line.", "Reads a command line; the program's when a flag is first read."
    )

    def __getattr__(self, name):
        if not name.startswith("__") and not self._parsed:
            self(sys.argv, known_only=True)
        return super().__getattr__(name)


FLAGS = _FlagsOfThisProgram()


def _boolean(value):
    text = str(value).lower()
    if text not in ("true", "t", "1", "false", "f", "0"):
        raise ValueError(f"non-boolean argument to boolean flag: {value}")
    return text in ("true", "t", "1")


def _number(kind, lower, upper):
    def parse(value):
        if isinstance(value, str) and kind is int:
            number = int(value, 16 if value.startswith(("0x", "-0x")) else 10)
        else:
            number = kind(value)
        if lower is not None and number < lower or upper is not None and number > upper:
            raise ValueError(f"{value} is not within [{lower}, {upper}]")
        return number

    return parse


def _choice(values, case_sensitive=True):
    def parse(value):
        for known in values:
            if known == value or not case_sensitive and known.lower() == str(value).lower():
                return known
        raise ValueError(f"value should be one of <{'|'.join(values)}>")

    return parse


def _define(name, parse, default, help, flag_values, **more):
    flag_values = FLAGS if flag_values is None else flag_values
    try:
        flag = Flag(name, parse, default, help, **more)
    except ValueError as e:
        raise IllegalFlagValueError(f"flag --{name}={default}: {e}") from None
    flag_values.define(flag)


def DEFINE_string(name, default, help, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag whose value is a str.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, str, default, help, flag_values, short_name=short_name)


def DEFINE_integer(  # noqa: N802
    name, default, help, lower_bound=None, upper_bound=None, flag_values=None, short_name=None
):
    """Defines a flag whose value is an int.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        lower_bound: The smallest value. None: none.
        upper_bound: The largest value. None: none.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    parse = _number(int, lower_bound, upper_bound)
    _define(name, parse, default, help, flag_values, short_name=short_name)


def DEFINE_float(  # noqa: N802
    name, default, help, lower_bound=None, upper_bound=None, flag_values=None, short_name=None
):
    """Defines a flag whose value is a float.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        lower_bound: The smallest value. None: none.
        upper_bound: The largest value. None: none.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    parse = _number(float, lower_bound, upper_bound)
    _define(name, parse, default, help, flag_values, short_name=short_name)


def DEFINE_boolean(name, default, help, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag whose value is a bool: --name, --noname or --name=true.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, _boolean, default, help, flag_values, short_name=short_name, boolean=True)


DEFINE_bool = DEFINE_boolean


def DEFINE_enum(name, default, enum_values, help, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag whose value is one of several.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        enum_values: The values, a list of str.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, _choice(enum_values), default, help, flag_values, short_name=short_name)


def _items(value):
    if isinstance(value, (list, tuple)):
        return list(value)
    return [item.strip() for item in value.split(",")] if value else []


def DEFINE_list(name, default, help, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag whose value is a list of str, divided by commas.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, _items, default, help, flag_values, short_name=short_name)


def _words(comma_compat):
    def parse(value):
        if isinstance(value, (list, tuple)):
            return list(value)
        return (value.replace(",", " ") if comma_compat else value).split()

    return parse


def DEFINE_spaceseplist(name, default, help, comma_compat=False, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag whose value is a list of str, divided by spaces.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        comma_compat: Whether commas divide, too. A bool.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, _words(comma_compat), default, help, flag_values, short_name=short_name)


def DEFINE_multi_string(name, default, help, flag_values=None, short_name=None):  # noqa: N802
    """Defines a flag that may be given several times: a list of str.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    _define(name, str, default, help, flag_values, short_name=short_name, multi=True)


def DEFINE_multi_integer(  # noqa: N802
    name, default, help, lower_bound=None, upper_bound=None, flag_values=None, short_name=None
):
    """Defines a flag that may be given several times: a list of ints.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        lower_bound: The smallest value. None: none.
        upper_bound: The largest value. None: none.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    parse = _number(int, lower_bound, upper_bound)
    _define(name, parse, default, help, flag_values, short_name=short_name, multi=True)


def DEFINE_multi_float(  # noqa: N802
    name, default, help, lower_bound=None, upper_bound=None, flag_values=None, short_name=None
):
    """Defines a flag that may be given several times: a list of floats.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        help: What it is for, a str.
        lower_bound: The smallest value. None: none.
        upper_bound: The largest value. None: none.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        short_name: Another name, a str. None: none.
    """
    parse = _number(float, lower_bound, upper_bound)
    _define(name, parse, default, help, flag_values, short_name=short_name, multi=True)


def DEFINE_multi_enum(name, default, enum_values, help, flag_values=None, case_sensitive=True):  # noqa: N802
    """Defines a flag that may be given several times: a list of some of several values.

    Args:
        name: Its name, a str.
        default: Its default. None: none.
        enum_values: The values, a list of str.
        help: What it is for, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
        case_sensitive: Whether upper and lower case differ. A bool.
    """
    _define(name, _choice(enum_values, case_sensitive), default, help, flag_values, multi=True)


def mark_flag_as_required(flag_name, flag_values=None):
    """Makes a flag required: its value must not be None when the command line was read.

    Args:
        flag_name: Its name, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
    """
    (FLAGS if flag_values is None else flag_values)[flag_name].required = True


def mark_flags_as_required(flag_names, flag_values=None):
    """Makes flags required.

    Args:
        flag_names: Their names, a list of str.
        flag_values: Where they are defined, a FlagValues. None: FLAGS.
    """
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


def register_validator(flag_name, checker, message="Flag validation failed", flag_values=None):
    """Lets a function check a flag's value.

    Args:
        flag_name: Its name, a str.
        checker: A function of the value that returns whether it is possible.
        message: What is said if it is not, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.
    """
    flag = (FLAGS if flag_values is None else flag_values)[flag_name]
    flag.validators.append((checker, message))


def validator(flag_name, message="Flag validation failed", flag_values=None):
    """Lets the function below check a flag's value.

    Args:
        flag_name: Its name, a str.
        message: What is said if the function returns False, a str.
        flag_values: Where it is defined, a FlagValues. None: FLAGS.

    Returns:
        A decorator.
    """

    def decorate(function):
        register_validator(flag_name, function, message, flag_values)
        return function

    return decorate


__all__ = """
    CantOpenFlagFileError DEFINE_bool DEFINE_boolean DEFINE_enum DEFINE_float DEFINE_integer
    DEFINE_list DEFINE_multi_enum DEFINE_multi_float DEFINE_multi_integer DEFINE_multi_string
    DEFINE_spaceseplist DEFINE_string DuplicateFlagError Error FLAGS FlagValues
    IllegalFlagValueError UnparsedFlagAccessError UnrecognizedFlagError ValidationError
    mark_flag_as_required mark_flags_as_required register_validator validator
""".split()
