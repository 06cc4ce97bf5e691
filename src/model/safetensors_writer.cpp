#include <cstring>

#include "format.h"
#include "kernels/float16.h"
#include "model/safetensors.h"

namespace wf {
namespace {

// Text whose length is measured in a first pass and that is written in a second.
class Text {
 public:
  explicit Text(char* target) : target_(target) {}

  void add(std::string_view text) {
    if (target_) std::memcpy(target_ + size_, text.data(), text.size());
    size_ += text.size();
  }
  void add(std::uint64_t number) {
    char digits[24];
    const std::size_t length =
        format_text(digits, sizeof(digits), "%llu", static_cast<unsigned long long>(number));
    add(std::string_view(digits, length));
  }
  std::size_t size() const { return size_; }

 private:
  char* target_;
  std::size_t size_ = 0;
};

std::size_t dtype_bytes(Dtype dtype) { return dtype == Dtype::kF32 ? 4 : 2; }

bool is_plain(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') return false;
  return true;
}

void write_header(std::span<const TensorToStore> tensors, std::span<const MetadataPair> metadata,
                  Dtype dtype, Text& text) {
  const char* separator = "";
  text.add("{");
  if (!metadata.empty()) {
    text.add("\"__metadata__\":{");
    for (const MetadataPair& pair : metadata) {
      text.add(separator);
      text.add("\"");
      text.add(pair.key);
      text.add("\":\"");
      text.add(pair.value);
      text.add("\"");
      separator = ",";
    }
    text.add("}");
    separator = ",";
  }
  std::uint64_t offset = 0;
  for (const TensorToStore& tensor : tensors) {
    text.add(separator);
    text.add("\"");
    text.add(tensor.name);
    text.add(dtype == Dtype::kF32 ? "\":{\"dtype\":\"F32\",\"shape\":["
                                  : "\":{\"dtype\":\"F16\",\"shape\":[");
    for (int i = 0; i < tensor.dimensions; ++i) {
      if (i) text.add(",");
      text.add(static_cast<std::uint64_t>(tensor.shape[i]));
    }
    text.add("],\"data_offsets\":[");
    text.add(offset);
    offset += tensor.count * dtype_bytes(dtype);
    text.add(",");
    text.add(offset);
    text.add("]}");
    separator = ",";
  }
  text.add("}");
  while (text.size() % 8 != 0) text.add(" ");  // aligns the data
}

}  // namespace

Result<Buffer<std::uint8_t>> write_safetensors(std::span<const TensorToStore> tensors,
                                               std::span<const MetadataPair> metadata,
                                               Dtype dtype) {
  if (dtype == Dtype::kBF16) return WF_UNEXPECTED("dtype", "BF16", "F32 or F16");
  bool plain = true;
  std::uint64_t data_bytes = 0;
  for (const TensorToStore& tensor : tensors) {
    plain = plain && is_plain(tensor.name);
    data_bytes += static_cast<std::uint64_t>(tensor.count) * dtype_bytes(dtype);
  }
  for (const MetadataPair& pair : metadata)
    plain = plain && is_plain(pair.key) && is_plain(pair.value);
  if (!plain)
    return Status::error(Code::kInvalidArgument,
                         "a name or a metadata text has characters that cannot be written");
  Text measured(nullptr);
  write_header(tensors, metadata, dtype, measured);
  const std::uint64_t total = 8 + measured.size() + data_bytes;
  if (total > static_cast<std::size_t>(-1) / 2)
    return Status::error(Code::kOutOfMemory, "out of memory: a file of %.0f bytes",
                         static_cast<double>(total));
  Buffer<std::uint8_t> bytes;
  WF_RETURN_IF_ERROR(bytes.reserve(static_cast<std::size_t>(total)));
  const std::uint64_t header_bytes = measured.size();
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(header_bytes >> (8 * i));
  Text written(reinterpret_cast<char*>(bytes.data()) + 8);
  write_header(tensors, metadata, dtype, written);
  std::uint8_t* target = bytes.data() + 8 + measured.size();
  for (const TensorToStore& tensor : tensors) {
    for (std::size_t i = 0; i < tensor.count; ++i, target += dtype_bytes(dtype)) {
      if (dtype == Dtype::kF32) {
        std::memcpy(target, tensor.values + i, sizeof(float));
      } else {
        const std::uint16_t half = half_from_float(tensor.values[i]);
        std::memcpy(target, &half, sizeof(half));
      }
    }
  }
  return bytes;
}

}  // namespace wf
