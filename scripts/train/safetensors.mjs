// Reads the trainer's safetensors files, and writes tensors in F16 or F32.

import { unexpected } from "../setup/process.mjs";

/** The float nearest to the bits of a half. */
function ofHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return exponent
    ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024)
    : (sign * 2 ** -14 * fraction) / 1024;
}

/** The bits of a half; only for values that a half can hold exactly. */
function halfOf(value) {
  const [bits] = new Uint32Array(Float32Array.of(value).buffer);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 255) - 112;
  if (exponent > 0) return sign | (exponent << 10) | ((bits >>> 13) & 1023);
  return sign | Math.round(Math.abs(value) * 2 ** 24);
}

/** Tensors of F16 by name: `{ shape, data }`, as floats. */
export function readSafetensors(bytes) {
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__, ...header } = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [first, end],
        },
      ]) => {
        if (dtype !== "F16") throw unexpected(name, dtype, "F16");
        const data = Float32Array.from({ length: (end - first) / 2 }, (_, i) =>
          ofHalf(bytes.readUInt16LE(8 + length + first + 2 * i)),
        );
        return [name, { shape, data }];
      },
    ),
  );
}

/** A safetensors file of `{ dtype, shape, data }` by name. */
export function formatSafetensors(tensors) {
  const header = {};
  let offset = 0;
  const parts = Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
    const numbers = dtype === "F16" ? Uint16Array.from(data, halfOf) : Float32Array.from(data);
    const part = Buffer.from(numbers.buffer);
    header[name] = { dtype, shape, data_offsets: [offset, offset + part.length] };
    offset += part.length;
    return part;
  });
  const text = Buffer.from(JSON.stringify(header));
  // The numbers begin at a multiple of eight bytes.
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, ...parts]);
}
