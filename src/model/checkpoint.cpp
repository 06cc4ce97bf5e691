#include "model/checkpoint.h"

#include <cstring>

namespace wf {
namespace {

Status check_shape(const TensorInfo& info, const StoredTensor& stored) {
  const bool fits = info.dimensions == 1 ? stored.dimensions == 1 && stored.shape[0] == info.columns
                                         : stored.dimensions == 2 && stored.shape[0] == info.rows &&
                                               stored.shape[1] == info.columns;
  if (fits) return {};
  if (info.dimensions == 1) {
    return Status::error(Code::kMalformedFile,
                         "tensor %s has %d dimensions of %.0f…; expected [%d]", info.name,
                         stored.dimensions, static_cast<double>(stored.shape[0]), info.columns);
  }
  return Status::error(Code::kMalformedFile,
                       "tensor %s has %d dimensions [%.0f, %.0f…]; expected [%d, %d]", info.name,
                       stored.dimensions, static_cast<double>(stored.shape[0]),
                       static_cast<double>(stored.shape[1]), info.rows, info.columns);
}

// A head stored beside the table that it is tied to says nothing new. One of its own would change
// every score, and config.json need not mention it: the families of today are untied by default.
Status check_head(const SafetensorsFile& file) {
  const StoredTensor* head = file.find("lm_head.weight");
  const StoredTensor* table = file.find("model.embed_tokens.weight");
  if (!head || (table && file.are_same(*head, *table))) return {};
  return Status::error(Code::kUnsupported,
                       "tensor lm_head.weight differs from model.embed_tokens.weight");
}

}  // namespace

Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype) {
  const ParameterTable& table = model.parameters();
  Buffer<TensorToStore> tensors;
  WF_RETURN_IF_ERROR(tensors.reserve(table.count()));
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    TensorToStore& tensor = tensors[i];
    tensor.name = info.name;
    tensor.dimensions = info.dimensions;
    tensor.shape[0] = info.dimensions == 1 ? info.columns : info.rows;
    tensor.shape[1] = info.columns;
    tensor.values = model.values() + info.offset;
    tensor.count = info.size();
  }
  const MetadataPair metadata[] = {{"format", "pt"}};
  return write_safetensors({tensors.data(), tensors.size()}, metadata, dtype);
}

Status load_model(std::span<const std::uint8_t> bytes, Transformer& model, bool allow_not_finite) {
  WF_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::parse(bytes));
  const ParameterTable& table = model.parameters();
  for (int i = 0; i < table.count(); ++i) {
    const StoredTensor* stored = file.find(table.tensor(i).name);
    if (!stored)
      return Status::error(Code::kMalformedFile, "tensor %s is missing", table.tensor(i).name);
    WF_RETURN_IF_ERROR(check_shape(table.tensor(i), *stored));
    if (!allow_not_finite) WF_RETURN_IF_ERROR(file.check_finite(*stored));
  }
  for (const StoredTensor& stored : file.tensors()) {
    char name[112] = "";
    if (stored.name.size() < sizeof(name))
      std::memcpy(name, stored.name.data(), stored.name.size());
    if (stored.name == "lm_head.weight" || table.find(name)) continue;
    return Status::error(Code::kMalformedFile, "tensor %.*s is unknown to this model",
                         static_cast<int>(stored.name.size() < 100 ? stored.name.size() : 100),
                         stored.name.data());
  }
  WF_RETURN_IF_ERROR(check_head(file));
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    file.read(*file.find(info.name), model.values() + info.offset);
  }
  return {};
}

}  // namespace wf
