// Writes tensors as a safetensors file, in a few lines of its own so that the engine's reader is
// not tested with the engine's writer alone; and reads one.

export function safetensors(tensors, dtype = "F32") {
  const header = {};
  let offset = 0;
  const parts = Object.entries(tensors).map(([name, { shape, data }]) => {
    const bytes = new Uint8Array(Float32Array.from(data).buffer);
    header[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
    return bytes;
  });
  return join(header, parts);
}

function join(header, parts) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return new Uint8Array(Buffer.concat([length, text, ...parts]));
}

/** One float32 tensor of a safetensors file. */
export function tensorOf(bytes, name) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const { shape, data_offsets } = header[name];
  const [from, to] = data_offsets.map((offset) => 8 + length + offset);
  return { shape, data: new Float32Array(bytes.slice(from, to).buffer) };
}
