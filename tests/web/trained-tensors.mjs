// The tensors of a trained model's file, read without the engine: half floats to doubles.
import { readFileSync } from "node:fs";
import { pageFolder } from "./browser.mjs";

function fromHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Reads a tensor by its whole name, as a list of numbers. */
export function trainedTensors(scheme) {
  const bytes = readFileSync(`${pageFolder}/models/${scheme}/model.safetensors`);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, start).toString());
  return (name) => {
    const { dtype, data_offsets } = header[name];
    if (dtype !== "F16") throw new Error(`${name} is ${dtype}`);
    const [from, to] = data_offsets.map((at) => start + at);
    return Array.from({ length: (to - from) / 2 }, (_, at) =>
      fromHalf(bytes.readUInt16LE(from + 2 * at)),
    );
  };
}
