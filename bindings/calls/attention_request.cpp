#include "calls/attention_request.h"

namespace wf::calls {

AttentionInput AttentionRequest::input(Reader& reader, const AttentionConfig& config) const {
  const int heads = config.num_heads, kv_heads = config.num_kv_heads;
  const int channels = config.head_dim, value_channels = config.value_channels();
  AttentionInput input;
  input.q = heads_outermost(reader.floats("q", q, {1.0 * heads, 1.0 * queries, 1.0 * channels}),
                            heads, queries, channels);
  input.k = heads_outermost(reader.floats("k", k, {1.0 * kv_heads, 1.0 * keys, 1.0 * channels}),
                            kv_heads, keys, channels);
  input.v =
      heads_outermost(reader.floats("v", v, {1.0 * kv_heads, 1.0 * keys, 1.0 * value_channels}),
                      kv_heads, keys, value_channels);
  for (const List list : {q, k, v}) reader.forbid_not_finite(list);
  input.query_positions = reader.positions("positions", query_positions, queries);
  input.key_positions = reader.positions("keyPositions", key_positions, keys);
  input.mask = mask(reader, config);
  return input;
}

Mask AttentionRequest::mask(Reader& reader, const AttentionConfig& config) const {
  Mask mask;
  if (query_segments.length || key_segments.length) {
    mask.query_segments =
        reader.array<const std::int32_t>("segments", query_segments, {1.0 * queries});
    mask.key_segments = reader.array<const std::int32_t>("segments", key_segments, {1.0 * keys});
  }
  if (added_mask.length) {
    mask.given.additive = reader.floats("mask", added_mask, {1.0 * added_mask.length});
    reader.forbid_not_finite(added_mask, true);
    check_mask_length(reader, added_mask.length, config.num_heads);
  }
  if (allowed_mask.length) {
    mask.given.allowed = reader.list<const std::uint8_t>("mask", allowed_mask).data();
    check_mask_length(reader, allowed_mask.length, config.num_heads);
  }
  mask.given.head_stride = head_stride;
  mask.given.row_stride = row_stride;
  mask.given.column_stride = column_stride;
  reader.refuse(check_range("queryOffset", query_offset, -1.0 * queries, keys));
  reader.refuse(check_range("keyLength", key_length, -1, keys));
  reader.refuse(check_range("prefixLength", prefix_length, 0, keys));
  mask.query_offset = query_offset;
  mask.key_length = key_length;
  mask.prefix_length = prefix_length;
  return mask;
}

void AttentionRequest::check_mask_length(Reader& reader, int length, int num_heads) const {
  for (const int stride : {head_stride, row_stride, column_stride})
    reader.refuse(check_range("mask stride", stride, 0, INT32_MAX));
  const double last =
      (num_heads - 1.0) * head_stride + (queries - 1.0) * row_stride + (keys - 1.0) * column_stride;
  reader.refuse(check_range("mask.length", length, last + 1, INT32_MAX));
}

}  // namespace wf::calls
