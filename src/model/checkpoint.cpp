#include "model/checkpoint.h"

#include "model/checkpoint_reader.h"

namespace wf {

Result<Buffer<std::uint8_t>> save_model(const Transformer& model, Dtype dtype) {
  WF_RETURN_IF_ERROR(model.require_floats("save"));
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

Status load_model(std::span<const std::uint8_t> bytes, Transformer& model, std::string_view plan,
                  bool allow_not_finite) {
  WF_ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::make(1));
  WF_ASSIGN_OR_RETURN(const std::uint64_t needed, reader.add(0, bytes, bytes.size()));
  if (needed) return Status::error(Code::kMalformedFile, "malformed file: it ends early");
  // First a trial, so that nothing is changed if anything is wrong.
  for (const bool is_trial : {true, false}) {
    WF_RETURN_IF_ERROR(reader.begin(model, plan, allow_not_finite, is_trial));
    for (auto piece = reader.next(); piece.bytes; piece = reader.next())
      WF_RETURN_IF_ERROR(
          reader.give(bytes.subspan(static_cast<std::size_t>(piece.offset), piece.bytes)));
  }
  return {};
}

}  // namespace wf
