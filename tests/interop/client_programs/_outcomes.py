"""What the programs share. (No program: the name begins with an underscore.)"""


def outcome(call, *args, **kwargs):
    """What class of exception the call raises, or "fine"."""
    try:
        call(*args, **kwargs)
        return "fine"
    except Exception as e:
        return type(e).__name__
