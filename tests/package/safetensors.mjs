// Writes tensors as a safetensors file with a short implementation, so that the engine's reader is
// not only tested with the engine's writer; and reads one.

/**
 * Converts floats that both types can represent to bfloat16 (their upper halves) or to IEEE 754
 * half precision.
 */
const narrow = {
  BF16: (bits) => bits >>> 16,
  F16: (bits) => ((bits >>> 16) & 0x8000) | (bits << 1 ? ((bits << 1) >>> 14) - (112 << 10) : 0),
};

function bytesOf(data, dtype) {
  const floats = Float32Array.from(data);
  if (!narrow[dtype]) return new Uint8Array(floats.buffer);
  const words = Uint16Array.from(new Uint32Array(floats.buffer), narrow[dtype]);
  return new Uint8Array(words.buffer);
}

export function safetensors(tensors, dtype = "F32") {
  const stored = Object.entries(tensors).map(([name, { shape, data }]) => [
    name,
    { dtype, shape, bytes: bytesOf(data, dtype) },
  ]);
  return joined(Object.fromEntries(stored));
}

function join(header, parts) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return new Uint8Array(Buffer.concat([length, text, ...parts]));
}

/** Writes tensors of any types, as bytes: { name: { dtype, shape, bytes } }. */
export function joined(tensors) {
  const header = {};
  let offset = 0;
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
  }
  return join(
    header,
    Object.values(tensors).map(({ bytes }) => bytes),
  );
}

/** Returns a float32 tensor of a safetensors file. */
export function tensorOf(bytes, name) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const { shape, data_offsets } = header[name];
  const [from, to] = data_offsets.map((offset) => 8 + length + offset);
  return { shape, data: new Float32Array(bytes.slice(from, to).buffer) };
}
