# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.strings.ragged import bytes_split as bytes_split
from sluice.ops.strings.ragged import ngrams as ngrams
from sluice.ops.strings.ragged import unicode_decode as unicode_decode
from sluice.ops.strings.ragged import unicode_decode_with_offsets as unicode_decode_with_offsets
from sluice.ops.strings.ragged import unicode_encode as unicode_encode
from sluice.ops.strings.ragged import unicode_split as unicode_split
from sluice.ops.strings.ragged import unicode_split_with_offsets as unicode_split_with_offsets
from sluice.ops.strings.strings import as_string as as_string
from sluice.ops.strings.strings import decode_base64 as decode_base64
from sluice.ops.strings.strings import encode_base64 as encode_base64
from sluice.ops.strings.strings import fingerprint as fingerprint
from sluice.ops.strings.strings import format as format
from sluice.ops.strings.strings import join as join
from sluice.ops.strings.strings import length as length
from sluice.ops.strings.strings import lower as lower
from sluice.ops.strings.strings import print_v2 as print_v2
from sluice.ops.strings.strings import reduce_join as reduce_join
from sluice.ops.strings.strings import regex_full_match as regex_full_match
from sluice.ops.strings.strings import regex_replace as regex_replace
from sluice.ops.strings.strings import split as split
from sluice.ops.strings.strings import string_split as string_split
from sluice.ops.strings.strings import strip as strip
from sluice.ops.strings.strings import substr as substr
from sluice.ops.strings.strings import to_hash_bucket as to_hash_bucket
from sluice.ops.strings.strings import to_hash_bucket_fast as to_hash_bucket_fast
from sluice.ops.strings.strings import to_hash_bucket_strong as to_hash_bucket_strong
from sluice.ops.strings.strings import to_number as to_number
from sluice.ops.strings.strings import unicode_script as unicode_script
from sluice.ops.strings.strings import unicode_transcode as unicode_transcode
from sluice.ops.strings.strings import unsorted_segment_join as unsorted_segment_join
from sluice.ops.strings.strings import upper as upper


