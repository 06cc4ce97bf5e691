#include "calls/attention_request.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::AttentionRequest;

// Resets all fields, so that nothing of an earlier call is left.
void begin(AttentionRequest& request, int queries, int keys) {
  request = {};
  request.queries = queries;
  request.keys = keys;
}

void set_operands(AttentionRequest& request, Address q, int q_length, Address k, int k_length,
                  Address v, int v_length) {
  request.q = {q, q_length};
  request.k = {k, k_length};
  request.v = {v, v_length};
}

void set_positions(AttentionRequest& request, Address positions, int positions_length,
                   Address key_positions, int key_positions_length) {
  request.query_positions = {positions, positions_length};
  request.key_positions = {key_positions, key_positions_length};
}

void set_segments(AttentionRequest& request, Address queries, int queries_length, Address keys,
                  int keys_length) {
  request.query_segments = {queries, queries_length};
  request.key_segments = {keys, keys_length};
}

void set_strides(AttentionRequest& request, int head_stride, int row_stride, int column_stride) {
  request.head_stride = head_stride;
  request.row_stride = row_stride;
  request.column_stride = column_stride;
}

void set_added_mask(AttentionRequest& request, Address mask, int length, int head_stride,
                    int row_stride, int column_stride) {
  request.added_mask = {mask, length};
  set_strides(request, head_stride, row_stride, column_stride);
}

void set_allowed_mask(AttentionRequest& request, Address mask, int length, int head_stride,
                      int row_stride, int column_stride) {
  request.allowed_mask = {mask, length};
  set_strides(request, head_stride, row_stride, column_stride);
}

void set_visible(AttentionRequest& request, int query_offset, int key_length, int prefix_length) {
  request.query_offset = query_offset;
  request.key_length = key_length;
  request.prefix_length = prefix_length;
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(attention_request) {
  using namespace wf::binding;
  emscripten::class_<AttentionRequest>("AttentionInput")
      .constructor<>()
      .function("begin(queries, keys)", &begin)
      .function("setOperands(q, qLength, k, kLength, v, vLength)", &set_operands)
      .function("setPositions(positions, positionsLength, keyPositions, keyPositionsLength)",
                &set_positions)
      .function("setSegments(queries, queriesLength, keys, keysLength)", &set_segments)
      .function("setAddedMask(mask, maskLength, headStride, rowStride, columnStride)",
                &set_added_mask)
      .function("setAllowedMask(mask, maskLength, headStride, rowStride, columnStride)",
                &set_allowed_mask)
      .function("setVisible(queryOffset, keyLength, prefixLength)", &set_visible);
}
