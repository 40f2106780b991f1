// SPDX-License-Identifier: Apache-2.0
// Replaces Protobuf's header of this name in builds with ThreadSanitizer. There the header adds
// members to every map field, which Debian's library, built without TSan, does not have.
#pragma push_macro("__SANITIZE_THREAD__")
#undef __SANITIZE_THREAD__
#include_next <google/protobuf/map_field.h>
#pragma pop_macro("__SANITIZE_THREAD__")
