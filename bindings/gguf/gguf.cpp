// The reader of GGUF files, in a separate binary, which is only downloaded to open one. Plain
// functions and one memory, without Emscripten's glue code. It returns all numbers of a file as
// floats; bindings/ts/files/gguf-file.ts presents them to the engine as a safetensors file.
#include "model/gguf.h"

#include "model/gguf_blocks.h"

namespace {

using namespace wf;

Buffer<std::uint8_t> bytes;  // the caller's bytes
Buffer<double> numbers;
Buffer<float> floats;
const char* message = "";
Status types;  // of the last parsed file

constexpr int kOfFile = 6, kOfEntry = 6, kOfTensor = 8 + kMaxDimensions;

int report(const Status& status) {
  message = status.message();
  return static_cast<int>(status.code());
}

double offset_of(const void* address) {
  return static_cast<double>(static_cast<const std::uint8_t*>(address) - bytes.data());
}

Status parse(std::size_t count, double file_bytes) {
  if (count > bytes.size() || !(file_bytes >= 0 && file_bytes < 9007199254740992.0))
    return WF_UNEXPECTED("bytes", "%zu", "0 to %zu", count, bytes.size());
  WF_ASSIGN_OR_RETURN(const GgufFile file, GgufFile::parse({bytes.data(), count},
                                                           static_cast<std::uint64_t>(file_bytes)));
  const auto tensors = file.tensors();
  types = file.types();
  const auto entries = file.entries();
  WF_RETURN_IF_ERROR(
      numbers.reserve(kOfFile + kOfEntry * entries.size() + kOfTensor * tensors.size()));
  double* next = numbers.data();
  *next++ = static_cast<double>(file.needed());
  *next++ = static_cast<double>(file.data());
  *next++ = static_cast<double>(entries.size());
  *next++ = kOfEntry;
  *next++ = static_cast<double>(tensors.size());
  *next++ = kOfTensor;
  for (const GgufEntry& entry : entries) {
    *next++ = static_cast<double>(entry.key_begin);
    *next++ = static_cast<double>(entry.key_bytes);
    *next++ = entry.type;
    *next++ = entry.is_list;
    *next++ = static_cast<double>(entry.count);
    *next++ = static_cast<double>(entry.begin);
  }
  for (const StoredTensor& tensor : tensors) {
    *next++ = tensor.name.empty() ? 0 : offset_of(tensor.name.data());
    *next++ = static_cast<double>(tensor.name.size());
    *next++ = static_cast<double>(tensor.dtype);
    *next++ = tensor.block;
    *next++ = tensor.block_bytes;
    *next++ = static_cast<double>(tensor.begin);
    *next++ = static_cast<double>(tensor.end);
    *next++ = tensor.dimensions;
    for (const std::int64_t extent : tensor.shape) *next++ = static_cast<double>(extent);
  }
  return {};
}

}  // namespace

#define WF_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Memory for `count` bytes, which the caller writes next; null if there is not enough.
WF_EXPORT(room) void* room(std::size_t count) {
  return bytes.reserve(count).ok() ? bytes.data() : nullptr;
}

// Parses the first `count` bytes of a file, written to `room`: keys and tensors. Returns a code of
// src/status.h.
WF_EXPORT(parse) int parse_header(std::size_t count, double file_bytes) {
  return report(parse(count, file_bytes));
}

// Doubles: needed, data, number of entries, doubles of each, number of tensors, doubles of each;
// then the entries and the tensors, as above.
WF_EXPORT(numbers) const double* parsed() { return numbers.data(); }

// Status of that file's tensor types. A code of src/status.h: unsupported if one cannot be read.
WF_EXPORT(types) int parsed_types() { return report(types); }

WF_EXPORT(message) const char* last_message() { return message; }

// Converts whole blocks at the beginning of `room` to floats; null if they are not all in it.
WF_EXPORT(widen) const float* widened(int dtype, std::size_t count) {
  for (std::uint32_t number = 0; number < 64; ++number) {
    const DtypeInfo* info = gguf_dtype(number);
    if (!info || dtype < 0 || static_cast<int>(info->dtype) != dtype) continue;
    const std::size_t blocks = count / static_cast<std::size_t>(info->block);
    if (info->dtype == Dtype::kOther || count % static_cast<std::size_t>(info->block) ||
        blocks > bytes.size() / static_cast<std::size_t>(info->block_bytes) ||
        !floats.reserve(count).ok())
      return nullptr;
    widen_blocks(info->dtype, bytes.data(), count, floats.data());
    return floats.data();
  }
  return nullptr;
}
