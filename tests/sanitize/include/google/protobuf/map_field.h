// SPDX-License-Identifier: Apache-2.0
// Stands before Protobuf's header of this name in builds with ThreadSanitizer: there the header
// adds members to every map field, which Debian's library, built without it, does not know.
#pragma push_macro("__SANITIZE_THREAD__")
#undef __SANITIZE_THREAD__
#include_next <google/protobuf/map_field.h>
#pragma pop_macro("__SANITIZE_THREAD__")
