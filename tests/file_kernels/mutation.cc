// SPDX-License-Identifier: Apache-2.0
#include "tests/file_kernels/mutation.h"

#include <algorithm>

namespace sluice::kernels {
namespace {

constexpr uint64_t kNumbers[] = {0,
                                 1,
                                 2,
                                 0x7f,
                                 0x80,
                                 0xff,
                                 0x100,
                                 0x7fff,
                                 0x8000,
                                 0xffff,
                                 0x10000,
                                 0xffffff,
                                 0x3fffffff,
                                 0x40000000,
                                 0x7ffffff0,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff,
                                 0x100000000,
                                 0x2000000000000000,
                                 0x3fffffffffffffff,
                                 0x4000000000000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xfffffffffffffff0,
                                 0xffffffffffffffff};

uint64_t Number(Rng& random) {
  const uint64_t number = kNumbers[random() % std::size(kNumbers)];
  return random() % 4 == 0 ? number - random() % 40 : number;
}

// In either byte order, or as protobuf's varint.
std::string Encoded(uint64_t number, Rng& random) {
  std::string bytes;
  if (random() % 3 == 0) {
    for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<char>(number | 0x80));
    bytes.push_back(static_cast<char>(number));
    return bytes;
  }
  const int size = 1 << random() % 4;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> 8 * i));
  if (random() % 2 == 0) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// Small blocks are as likely as large ones.
size_t BlockSize(size_t most, Rng& random) {
  const size_t bound = std::min<size_t>(most, size_t{1} << random() % 13);
  return bound == 0 ? 0 : 1 + random() % bound;
}

// The beginning of a file has most of its structure.
size_t Place(size_t size, Rng& random) {
  if (size == 0) return 0;
  return random() % (random() % 3 == 0 ? std::min<size_t>(size, 64) : size);
}

void ChangeOnce(std::string& file, absl::string_view other, Rng& random) {
  const size_t at = Place(file.size(), random);
  const size_t size = BlockSize(file.size() - at, random);
  const std::string block = file.substr(at, size);
  switch (random() % 11) {
    case 0:
    case 1:
      if (!file.empty()) file[at] = static_cast<char>(file[at] ^ 1 << random() % 8);
      break;
    case 2:
      if (!file.empty()) file[at] = static_cast<char>(random());
      break;
    case 3:
      file.resize(at);
      break;
    case 4:
    case 5: {
      const std::string number = Encoded(Number(random), random);
      file.replace(at, random() % 4 == 0 ? 0 : number.size(), number);
      break;
    }
    case 6:
      file.erase(at, size);
      break;
    case 7:
      file.insert(Place(file.size(), random), block);
      break;
    case 8:
      file.replace(at, size, std::string(size, random() % 2 == 0 ? '\0' : '\xff'));
      break;
    case 9: {
      const size_t from = Place(other.size(), random);
      const auto spliced = other.substr(from, BlockSize(other.size() - from, random));
      file.replace(at, random() % 2 == 0 ? spliced.size() : 0, spliced.data(), spliced.size());
      break;
    }
    default: {
      file.erase(at, size);
      file.insert(Place(file.size(), random), block);
      break;
    }
  }
}

}  // namespace

std::string Mutated(std::string file, absl::string_view other, Rng& random) {
  const size_t most = 2 * file.size() + other.size() + 4096;
  for (uint32_t left = 1 + random() % (random() % 2 == 0 ? 2 : 6); left > 0; --left) {
    ChangeOnce(file, other, random);
    if (file.size() > most) file.resize(most);
  }
  return file;
}

}  // namespace sluice::kernels
