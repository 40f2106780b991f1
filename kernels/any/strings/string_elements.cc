// SPDX-License-Identifier: Apache-2.0
// StringToHashBucket, ...Fast, ...Strong; regular expressions; StringStrip, StringLength, Base64,
// UnicodeScript: ops that handle strings, or code points, one by one.
#include <re2/re2.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"
#include "kernels/any/strings/unicode_scripts.h"
#include "kernels/common/string_hash.h"

namespace sluice::kernels {
namespace {

using Hash = uint64_t (*)(absl::string_view);

// Computes fn(string), of type T, element by element.
template <typename T, typename Fn>
absl::Status Each(KernelContext& ctx, const Fn& fn) {
  const Tensor& input = ctx.input(0);
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
  CancelPoints points(1 << 20);
  for (int64_t i = 0; i < input.num_elements(); ++i) {
    const std::string& text = input.data<std::string>()[i];
    points.Pass(static_cast<int64_t>(text.size()) + 1024);
    out->mutable_data<T>()[i] = fn(text);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> BucketsOf(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t buckets, node.Get<int64_t>("num_buckets"));
  if (buckets < 1) return InvalidArgument("num_buckets must be at least 1, got ", buckets);
  return static_cast<uint64_t>(buckets);
}

template <Hash kHash>
struct HashBucket {
  uint64_t buckets;

  static absl::StatusOr<HashBucket> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const uint64_t buckets, BucketsOf(node));
    return HashBucket{buckets};
  }
  absl::Status Run(KernelContext& ctx) const {
    return Each<int64_t>(
        ctx, [&](const std::string& s) { return static_cast<int64_t>(kHash(s) % buckets); });
  }
};

struct StrongHashBucket {
  uint64_t buckets, key[2];

  static absl::StatusOr<StrongHashBucket> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const uint64_t buckets, BucketsOf(node));
    SLUICE_ASSIGN(const auto key, node.Get<std::vector<int64_t>>("key"));
    if (key.size() != 2) return InvalidArgument("Key must have 2 elements, got ", key.size());
    return StrongHashBucket{buckets,
                            {static_cast<uint64_t>(key[0]), static_cast<uint64_t>(key[1])}};
  }
  absl::Status Run(KernelContext& ctx) const {
    return Each<int64_t>(ctx, [&](const std::string& s) {
      return static_cast<int64_t>(SipHash24(key, s) % buckets);
    });
  }
};

absl::StatusOr<std::shared_ptr<const RE2>> Compile(const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  auto regex = std::make_shared<RE2>(pattern, options);
  if (regex->ok()) return std::shared_ptr<const RE2>(std::move(regex));
  return InvalidArgument("Invalid pattern: ", pattern, ", error: ", regex->error());
}

// An attribute in the Static ops, a scalar input in the others.
struct Pattern {
  std::shared_ptr<const RE2> fixed;

  static absl::StatusOr<Pattern> Create(const NodeSpec& node) {
    if (!node.op.starts_with("Static")) return Pattern{};
    SLUICE_ASSIGN(const std::string text, node.Get<std::string>("pattern"));
    SLUICE_ASSIGN(auto compiled, Compile(text));
    return Pattern{std::move(compiled)};
  }
  absl::StatusOr<std::shared_ptr<const RE2>> Get(const KernelContext& ctx) const {
    if (fixed) return fixed;
    const Tensor& pattern = ctx.input(1);
    if (pattern.rank() == 0) return Compile(pattern.scalar<std::string>());
    return InvalidArgument("Pattern must be scalar, but received ", pattern.shape());
  }
};

struct RegexFullMatch {
  Pattern pattern;

  static absl::StatusOr<RegexFullMatch> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pattern pattern, Pattern::Create(node));
    return RegexFullMatch{std::move(pattern)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto regex, pattern.Get(ctx));
    return Each<bool>(ctx, [&](const std::string& s) { return RE2::FullMatch(s, *regex); });
  }
};

struct RegexReplace {
  Pattern pattern;
  std::string fixed_rewrite;
  bool global;

  static absl::StatusOr<RegexReplace> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pattern pattern, Pattern::Create(node));
    SLUICE_ASSIGN(const bool global, node.Get<bool>("replace_global"));
    return RegexReplace{std::move(pattern), GetAttrOr(node.attrs, "rewrite", std::string()),
                        global};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto regex, pattern.Get(ctx));
    std::string rewrite = fixed_rewrite;
    if (!pattern.fixed) {
      if (ctx.input(2).rank() != 0) {
        return InvalidArgument("Rewrite must be scalar, but received ", ctx.input(2).shape());
      }
      rewrite = ctx.input(2).scalar<std::string>();
    }
    return Each<std::string>(ctx, [&](std::string s) {
      if (global) {
        RE2::GlobalReplace(&s, *regex, rewrite);
      } else {
        RE2::Replace(&s, *regex, rewrite);
      }
      return s;
    });
  }
};

struct StringStrip {
  absl::Status Run(KernelContext& ctx) const {
    return Each<std::string>(
        ctx, [](const std::string& s) { return std::string(absl::StripAsciiWhitespace(s)); });
  }
};

struct StringLength {
  bool characters;

  static absl::StatusOr<StringLength> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string unit, node.Get<std::string>("unit"));
    return StringLength{unit == "UTF8_CHAR"};
  }
  absl::Status Run(KernelContext& ctx) const {
    return Each<int32_t>(ctx, [&](const std::string& s) {
      if (!characters) return static_cast<int32_t>(s.size());
      // Continuation bytes are not counted.
      return static_cast<int32_t>(
          std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    });
  }
};

constexpr absl::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct EncodeBase64 {
  bool pad;

  static absl::StatusOr<EncodeBase64> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool pad, node.Get<bool>("pad"));
    return EncodeBase64{pad};
  }
  absl::Status Run(KernelContext& ctx) const {
    return Each<std::string>(ctx, [&](const std::string& s) {
      std::string out;
      CancelPoints points(1 << 16);
      for (size_t at = 0; at < s.size(); at += 3) {
        points.Pass();
        uint32_t bits = 0;
        for (size_t i = 0; i < 3; ++i) {
          bits = bits << 8 | (at + i < s.size() ? static_cast<uint8_t>(s[at + i]) : 0);
        }
        const size_t digits = std::min<size_t>(3, s.size() - at) + 1;
        for (size_t i = 0; i < 4; ++i) {
          if (i < digits) {
            out.push_back(kBase64[bits >> (18 - 6 * i) & 63]);
          } else if (pad) {
            out.push_back('=');
          }
        }
      }
      return out;
    });
  }
};

// Padding is optional.
absl::StatusOr<std::string> FromBase64(absl::string_view s) {
  if (s.size() % 4 == 0 && absl::ConsumeSuffix(&s, "=")) absl::ConsumeSuffix(&s, "=");
  if (s.size() % 4 == 1) {
    return InvalidArgument("Base64 string length cannot be 1 modulo 4");
  }
  std::string out;
  uint32_t bits = 0;
  CancelPoints points(1 << 16);
  for (size_t i = 0; i < s.size(); ++i) {
    points.Pass();
    const size_t digit = kBase64.find(s[i]);
    if (digit == absl::string_view::npos) {
      return InvalidArgument("Invalid character found in base64.");
    }
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if (i % 4 != 0) out.push_back(static_cast<char>(bits >> (6 - 2 * (i % 4))));
  }
  return out;
}

struct DecodeBase64 {
  absl::Status Run(KernelContext& ctx) const {
    absl::Status status;
    SLUICE_RETURN_IF_ERROR(Each<std::string>(ctx, [&](const std::string& s) {
      absl::StatusOr<std::string> decoded = FromBase64(s);
      if (decoded.ok()) return *std::move(decoded);
      status = decoded.status();
      return std::string();
    }));
    return status;
  }
};

struct UnicodeScript {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor points = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, points.shape()));
    const auto from = points.flat<int32_t>();
    for (const int64_t i : Cancellable(points.num_elements()))
      out->mutable_data<int32_t>()[i] = ScriptOf(from[i]);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStringElements(KernelRegistry& kernels) {
  kernels.Add<HashBucket<MurmurHash64>>("StringToHashBucket", kCpu);
  kernels.Add<HashBucket<FarmFingerprint64>>("StringToHashBucketFast", kCpu);
  kernels.Add<StrongHashBucket>("StringToHashBucketStrong", kCpu);
  for (const char* op : {"RegexFullMatch", "StaticRegexFullMatch"}) {
    kernels.Add<RegexFullMatch>(op, kCpu);
  }
  for (const char* op : {"RegexReplace", "StaticRegexReplace"}) {
    kernels.Add<RegexReplace>(op, kCpu);
  }
  kernels.Add<StringStrip>("StringStrip", kCpu);
  kernels.Add<StringLength>("StringLength", kCpu);
  kernels.Add<EncodeBase64>("EncodeBase64", kCpu);
  kernels.Add<DecodeBase64>("DecodeBase64", kCpu);
  kernels.Add<UnicodeScript>("UnicodeScript", kCpu);
}

}  // namespace sluice::kernels
