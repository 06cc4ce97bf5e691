// The reader of GGUF files, a binary of its own: who opens none does not download it. Plain
// functions and one memory, without Emscripten's glue. All of a file's numbers leave it as floats;
// bindings/ts/files/gguf-file.ts shows them to the engine as a safetensors file.
#include "model/gguf.h"

#include "model/gguf_blocks.h"

namespace {

using namespace wf;

Buffer<std::uint8_t> bytes;  // what came
Buffer<double> numbers;
Buffer<float> floats;
const char* message = "";
Status types;  // of the file that was parsed last

constexpr int kOfFile = 4, kOfEntry = 6, kOfTensor = 8 + kMaxDimensions;

int report(const Status& status) {
  message = status.message();
  return static_cast<int>(status.code());
}

double offset_of(const void* place) {
  return static_cast<double>(static_cast<const std::uint8_t*>(place) - bytes.data());
}

Status parse(std::size_t count, double file_bytes) {
  if (count > bytes.size() || !(file_bytes >= 0 && file_bytes < 9007199254740992.0))
    return Status::error(Code::kInvalidArgument, "bytes: %zu; allowed: 0 to %zu", count,
                         bytes.size());
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
  *next++ = static_cast<double>(tensors.size());
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

// Room for bytes that are about to be brought; null where there is none.
WF_EXPORT(room) void* room(std::size_t count) {
  return bytes.reserve(count).ok() ? bytes.data() : nullptr;
}

// The first `count` bytes of a file, from the room: their keys and tensors. A code of src/status.h.
WF_EXPORT(parse) int parse_head(std::size_t count, double file_bytes) {
  return report(parse(count, file_bytes));
}

// Doubles: needed, data, how many entries, how many tensors; then six for each entry and sixteen
// for each tensor, as above.
WF_EXPORT(numbers) const double* parsed() { return numbers.data(); }

// The types of that file's tensors. A code of src/status.h: unsupported for one that is not read.
WF_EXPORT(types) int parsed_types() { return report(types); }

WF_EXPORT(message) const char* last_message() { return message; }

// Whole blocks from the room's beginning, as floats; null where they do not lie in it.
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
