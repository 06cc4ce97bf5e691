// Writes GGUF files byte by byte for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace wf::testing {

class GgufBytes {
 public:
  std::vector<std::uint8_t> bytes;

  template <class Number>
  GgufBytes& number(Number value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(value));
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    return *this;
  }
  GgufBytes& text(const std::string& words) {
    number<std::uint64_t>(words.size());
    bytes.insert(bytes.end(), words.begin(), words.end());
    return *this;
  }
  GgufBytes& begin(std::uint64_t tensors, std::uint64_t entries, std::uint32_t version = 3) {
    for (const char c : {'G', 'G', 'U', 'F'}) number(c);
    return number(version).number(tensors).number(entries);
  }
  // `extents` in ggml's order: PyTorch's last extent comes first.
  GgufBytes& tensor(const std::string& name, const std::vector<std::uint64_t>& extents,
                    std::uint32_t type, std::uint64_t offset) {
    text(name).number(static_cast<std::uint32_t>(extents.size()));
    for (const std::uint64_t extent : extents) number(extent);
    return number(type).number(offset);
  }
  GgufBytes& pad(std::size_t alignment = 32) {
    while (bytes.size() % alignment) bytes.push_back(0);
    return *this;
  }
};

}  // namespace wf::testing
