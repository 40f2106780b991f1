# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.string.strings import as_string as as_string
from sluice.ops.string.strings import decode_base64 as decode_base64
from sluice.ops.string.strings import encode_base64 as encode_base64
from sluice.ops.string.strings import fingerprint as fingerprint
from sluice.ops.string.strings import format as format
from sluice.ops.string.strings import join as join
from sluice.ops.string.strings import length as length
from sluice.ops.string.strings import lower as lower
from sluice.ops.string.strings import print_v2 as print_v2
from sluice.ops.string.strings import reduce_join as reduce_join
from sluice.ops.string.strings import regex_full_match as regex_full_match
from sluice.ops.string.strings import regex_replace as regex_replace
from sluice.ops.string.strings import split as split
from sluice.ops.string.strings import string_split as string_split
from sluice.ops.string.strings import strip as strip
from sluice.ops.string.strings import substr as substr
from sluice.ops.string.strings import to_hash_bucket as to_hash_bucket
from sluice.ops.string.strings import to_hash_bucket_fast as to_hash_bucket_fast
from sluice.ops.string.strings import to_hash_bucket_strong as to_hash_bucket_strong
from sluice.ops.string.strings import to_number as to_number
from sluice.ops.string.strings import unicode_script as unicode_script
from sluice.ops.string.strings import unicode_transcode as unicode_transcode
from sluice.ops.string.strings import unsorted_segment_join as unsorted_segment_join
from sluice.ops.string.strings import upper as upper


