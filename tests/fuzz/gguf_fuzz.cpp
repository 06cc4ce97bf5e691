// Untrusted GGUF files: parses the header and reads every block of every tensor.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "model/gguf.h"
#include "model/gguf_blocks.h"

namespace {

using namespace wf;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

void read_all(const GgufFile& file, std::span<const std::uint8_t> bytes) {
  for (const GgufEntry& entry : file.entries()) {
    require(entry.key_begin + entry.key_bytes <= bytes.size(), "a key lies in the file");
    require(entry.begin <= bytes.size(), "a value begins in the file");
  }
  for (const StoredTensor& tensor : file.tensors()) {
    const std::uint64_t end = file.data() + tensor.end;
    require(tensor.begin == tensor.end || end <= bytes.size(), "a tensor lies in the file");
    if (tensor.begin == tensor.end || !tensor.check_dtype().ok()) continue;
    std::vector<float> values(tensor.count());
    widen_blocks(tensor.dtype, bytes.data() + file.data() + tensor.begin, values.size(),
                 values.data());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  set_memory_limit(std::size_t{64} << 20);
  // A copy of exactly this size, so that the sanitizer detects reads past its end.
  const std::vector<std::uint8_t> copy(data, data + size);
  const std::span<const std::uint8_t> bytes = copy;
  const auto file = GgufFile::parse(bytes, size);
  if (!file.ok()) {
    const Code code = file.status().code();
    require(
        code == Code::kMalformedFile || code == Code::kUnsupported || code == Code::kOutOfMemory,
        "a refusal is typed");
    return 0;
  }
  require(file.value().needed() == 0, "a whole file needs no more");
  read_all(file.value(), bytes);
  // The first half of the file either needs more bytes, is refused, or suffices.
  const auto half = GgufFile::parse(bytes.first(size / 2), size);
  require(!half.ok() || half.value().needed() <= size, "no more is asked for than there is");
  return 0;
}
