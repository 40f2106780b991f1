// SPDX-License-Identifier: Apache-2.0
// RandomIndexShuffle: the place of an index in a random permutation of [0, max_index], without the
// permutation itself. A block cipher encrypts the index until the result is in range (Black,
// Rogaway: "Ciphers with arbitrary finite domains", 2002). The cipher is Simon (Beaulieu et al.,
// 2013) with few rounds and blocks of any even size.
#include <array>
#include <bit>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/random/random_ops.h"
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {
namespace {

using Key = std::array<uint32_t, 3>;

// The cipher for blocks of two words of `width` bits.
class Simon {
 public:
  Simon(int width, const Key& key, int64_t rounds)
      : width_(width), mask_(width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1) {
    constexpr uint64_t kConstant = 0xfffffffc, kSequence = 0x7369f885192c0ef5;
    for (const uint32_t word : key) keys_.push_back(word & mask_);
    uint64_t sequence = kSequence & mask_;
    for (int64_t i = 3; i < rounds; ++i, sequence >>= 1) {
      const uint64_t last = keys_[i - 1];
      keys_.push_back((kConstant & mask_) ^ (sequence & 1) ^ keys_[i - 3] ^
                      RotateLeft(last, width_ - 3) ^ RotateLeft(last, width_ - 4));
    }
  }

  uint64_t Encrypt(uint64_t block) const {
    uint64_t left = (block >> width_) & mask_, right = block & mask_;
    for (size_t i = 0; i + 1 < keys_.size(); i += 2) {
      left ^= Mix(right) ^ keys_[i];
      right ^= Mix(left) ^ keys_[i + 1];
    }
    return left << width_ | right;
  }

 private:
  uint64_t RotateLeft(uint64_t word, int by) const {
    return by == width_ ? word : (word << by | word >> (width_ - by)) & mask_;
  }
  uint64_t Mix(uint64_t word) const {
    return (RotateLeft(word, 1) & RotateLeft(word, 8)) ^ RotateLeft(word, 2);
  }

  const int width_;
  const uint64_t mask_;
  std::vector<uint64_t> keys_;
};

uint64_t ShuffledIndex(uint64_t index, const Key& key, uint64_t max_index, int64_t rounds) {
  if (max_index == 0) return 0;
  constexpr int kSmallestBlock = 16, kLargestBlock = 64;
  int block = static_cast<int>(std::ceil(std::log2(static_cast<double>(max_index))));
  block = std::clamp(block + block % 2, kSmallestBlock, kLargestBlock);
  const Simon cipher(block / 2, key, rounds);
  CancelPoints points(1 << 14);
  do {
    points.Pass();
    index = cipher.Encrypt(index);
  } while (index > max_index);
  return index;
}

struct RandomIndexShuffle {
  int64_t rounds;

  static absl::StatusOr<RandomIndexShuffle> Create(const NodeSpec& node) {
    constexpr int64_t kMostRounds = 1 << 10;
    const auto rounds = GetAttrOr<int64_t>(node.attrs, "rounds", 4);
    if (rounds < 4 || rounds % 2 != 0 || rounds > kMostRounds) {
      return InvalidArgument("rounds must be an even number from 4 to ", kMostRounds, ", got ",
                             rounds);
    }
    return RandomIndexShuffle{rounds};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &index = ctx.input(0), &seed = ctx.input(1), &max_index = ctx.input(2);
    const int64_t count =
        std::max({index.num_elements(), max_index.num_elements(), seed.num_elements() / 3});
    const auto fits = [count](const Tensor& x) {
      return x.rank() == 0 || (x.rank() == 1 && x.dim(0) == count);
    };
    if (!fits(index)) return InvalidArgument("Index bust be a scalar or vector.");
    const bool one_seed = seed.rank() == 1 && seed.dim(0) == 3;
    if (!one_seed && !(seed.rank() == 2 && seed.dim(0) == count && seed.dim(1) == 3)) {
      return InvalidArgument("Seed must be a vector of size [3] or a matrix of size [", count,
                             ", 3] but got ", seed.shape(), ".");
    }
    if (!fits(max_index)) {
      return InvalidArgument(
          "Maxval must be a scalar or a vector of the same size as index but got ",
          max_index.shape());
    }
    const bool scalar = index.rank() == 0 && one_seed && max_index.rank() == 0;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, scalar ? Shape{} : Shape{count}));
    return VisitDType(FullIntTypes{}, index.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      for (const int64_t i : Cancellable(count)) {
        const T from = index.data<T>()[index.rank() == 0 ? 0 : i];
        const T most = max_index.data<T>()[max_index.rank() == 0 ? 0 : i];
        if constexpr (std::is_signed_v<T>) {
          if (from < 0) return InvalidArgument("index must be >= 0 but was ", from);
          if (most < 0) return InvalidArgument("max_index must be >= 0 but was ", most);
        }
        if (from > most)
          return InvalidArgument("max_index must be >= index, but ", most, " < ", from);
        const Key key = KeyAt(seed, one_seed ? 0 : i);
        out->mutable_data<T>()[i] = static_cast<T>(
            ShuffledIndex(static_cast<uint64_t>(from), key, static_cast<uint64_t>(most), rounds));
      }
      return absl::OkStatus();
    });
  }

 private:
  static Key KeyAt(const Tensor& seed, int64_t row) {
    Key key{};
    (void)VisitDType(FullIntTypes{}, seed.dtype(), [&]<typename S>(Type<S>) {
      for (int i = 0; i < 3; ++i) key[i] = static_cast<uint32_t>(seed.data<S>()[3 * row + i]);
      return absl::OkStatus();
    });
    return key;
  }
};

}  // namespace

void RegisterIndexShuffle(KernelRegistry& kernels) {
  kernels.Add<RandomIndexShuffle>("RandomIndexShuffle", kCpu, {{"dtype", SetOf(FullIntTypes{})}});
}

}  // namespace sluice::kernels
