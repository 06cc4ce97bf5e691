#include "attention/layer_tables.h"

#include <algorithm>

#include "tensor/extent.h"

namespace wf::detail {
namespace {

// Limit of one scheme's table if it can be computed for some heads at a time (20 MiB).
constexpr std::size_t kMaxTableFloats = std::size_t{5} << 20;

bool is_kept(const AttentionCall& call, const LayerContext& context) {
  return call.input.prepared && PreparedLayer::keeps(context);
}

// Whether the scheme's table is computed for some heads at a time. Not in a backward pass, which
// adds to the gradients of all heads.
bool has_tables_by_head_group(const AttentionCall& call, int index) {
  const LayerScheme& item = call.schemes.items[index];
  return item.has(kHookPrepare) && !item.gradients && item.scheme->tables_by_head() &&
         !is_kept(call, call.contexts[index]);
}

}  // namespace

int heads_of_tables(const AttentionCall& call) {
  int heads = call.config.num_heads;
  for (int i = 0; i < call.schemes.count; ++i) {
    if (!has_tables_by_head_group(call, i)) continue;
    LayerContext one = call.contexts[i];
    one.head_count = 1;
    const std::size_t fit =
        kMaxTableFloats / added(call.schemes.items[i].scheme->layer_table_floats(one), 1);
    heads = static_cast<int>(std::clamp<std::size_t>(fit, 1, heads));
  }
  return heads;
}

Status prepare_layer(AttentionCall& call, AttentionScratch& scratch, int first_head,
                     int head_count) {
  for (int i = 0; i < call.schemes.count; ++i) {
    const LayerScheme& item = call.schemes.items[i];
    if (!item.has(kHookPrepare)) continue;
    LayerContext& context = call.contexts[i];
    if (has_tables_by_head_group(call, i)) {
      context.first_head = first_head;
      context.head_count = head_count;
    } else if (first_head > 0) {
      continue;
    }
    if (is_kept(call, context)) {
      WF_RETURN_IF_ERROR(call.input.prepared[i].refresh(item, context, scratch.matmul));
      continue;
    }
    WF_RETURN_IF_ERROR(scratch.layer_tables[i].reserve(item.scheme->layer_table_floats(context)));
    item.scheme->prepare_layer(context, scratch.layer_tables[i].data(), scratch.matmul);
    context.table = scratch.layer_tables[i].data();
  }
  return {};
}

Status prepare_layer_gradients(AttentionCall& call, AttentionScratch& scratch) {
  WF_RETURN_IF_ERROR(prepare_layer(call, scratch, 0, call.config.num_heads));
  for (int i = 0; i < call.schemes.count; ++i) {
    if (!call.schemes.items[i].has(kHookPrepare)) continue;
    const std::size_t size = call.schemes.items[i].scheme->layer_table_floats(call.contexts[i]);
    WF_RETURN_IF_ERROR(scratch.d_layer_tables[i].reserve(size));
    std::fill_n(scratch.d_layer_tables[i].data(), size, 0.0f);
    call.contexts[i].d_table = scratch.d_layer_tables[i].data();
  }
  return {};
}

void prepare_layer_backward(const AttentionCall& call, AttentionScratch& scratch) {
  for (int i = call.schemes.count - 1; i >= 0; --i)
    if (call.schemes.items[i].has(kHookPrepare))
      call.schemes.items[i].scheme->prepare_layer_backward(call.contexts[i], scratch.matmul);
}

}  // namespace wf::detail
