#include "calls/pass.h"

#include <algorithm>

namespace wf::calls {

Result<std::unique_ptr<Pass>> Pass::make(const Workspace& workspace, Model& model,
                                         const Sequence& text, List layers,
                                         const RecordRequest& request) {
  auto pass = std::make_unique<Pass>();
  pass->transformer_ = model.transformer();
  Reader reader(workspace);
  const auto ids = reader.integers("ids", text.ids);
  const auto chosen = reader.integers("region.layers", layers);
  WF_ASSIGN_OR_RETURN(TokenBatch batch,
                      batch_of(reader, ids, text, pass->transformer_->config().width));
  if (batch.vectors)
    return Status::error(Code::kUnsupported, "measures: only of ids, not of vectors");
  // Copies of what the steps read; ids and positions of token vectors are read at once.
  Positions& positions = batch.positions;
  if (positions.data) {
    const std::size_t count = elements_of(positions.axes, positions.count);
    WF_RETURN_IF_ERROR(pass->positions_.reserve(count));
    std::copy_n(positions.data, count, pass->positions_.data());
    positions.data = pass->positions_.data();
  }
  if (batch.visible) {
    WF_RETURN_IF_ERROR(pass->visible_.reserve(batch.length));
    std::copy_n(batch.visible, batch.length, pass->visible_.data());
    batch.visible = pass->visible_.data();
  }
  model.forget();
  WF_ASSIGN_OR_RETURN(pass->activations_,
                      TransformerActivations::make(pass->transformer_->config(), 1, batch.length,
                                                   Purpose::kInference));
  WF_RETURN_IF_ERROR(pass->recorders_.make(
      workspace, *pass->transformer_,
      {.kinds = 0, .heads = request.heads, .rows = {}, .columns = {}}, {}, chosen, batch.length));
  WF_RETURN_IF_ERROR(pass->recorders_.measure(ids));
  WF_ASSIGN_OR_RETURN(pass->forward_,
                      ForwardPass::begin(*pass->transformer_, batch, pass->activations_,
                                         pass->recorders_.of_layers()));
  return pass;
}

Result<PassStep> Pass::step() {
  if (!forward_) return WF_UNEXPECTED("pass", "ended by an error", "one that goes on");
  const Status status = forward_->step();
  if (!status.ok()) {
    forward_.reset();
    recorders_.clear();
    return status;
  }
  return PassStep{.layers = forward_->layers()};
}

std::unique_ptr<Record> Pass::take_record(int slot) {
  return forward_ && forward_->is_done() ? recorders_.take(slot) : nullptr;
}

}  // namespace wf::calls
