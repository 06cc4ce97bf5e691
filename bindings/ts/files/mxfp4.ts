/**
 * MXFP4 in safetensors files, as gpt-oss has its experts: NAME_blocks, 32 numbers of four bits in
 * 16 bytes, the first of each byte in its low half; and NAME_scales, for each 32 the exponent of
 * their common power of two, plus 127 (OCP Microscaling Formats 1.0, section 5). Converted to
 * floats as the engine reads them, exactly.
 */

import { unexpected, WhereformerError } from "../wire/error.js";
import type { ByteFile } from "./byte-file.js";
import { type Shown, ShownFile, type Stored, storedIn, unchanged } from "./shown-file.js";

/** A sign, two bits of exponent, one of fraction. */
const magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6];
const fourBits = [...magnitudes, ...magnitudes.map((value) => -value)];

const ending = /_blocks$/;

interface Packed {
  file: ByteFile;
  blocks: Stored;
  scales: { file: ByteFile; stored: Stored };
}

/** The tensor's blocks as rows of floats, under the name of the blocks. */
function shownAs({ file, blocks, scales }: Packed): Shown {
  const { name, shape, first } = blocks;
  const rows = shape.slice(0, -2);
  const count = scales.stored.end - scales.stored.first;
  let exponents: Uint8Array | undefined;
  return {
    name,
    dtype: "F32",
    shape: [...rows, 32 * shape.at(-2)!],
    bytes: 4 * 32 * count,
    async read(from, to) {
      const [low, high] = [Math.floor(from / 128), Math.ceil(to / 128)];
      const { stored } = scales;
      // Read whole: a server that sends a file in order would start again for each piece.
      exponents ??= (await scales.file.read(stored.first, stored.end)).slice();
      const bytes = await file.read(first + 16 * low, first + 16 * high);
      const floats = new Float32Array(2 * bytes.length);
      for (let i = 0; i < floats.length; i++) {
        const bits = (bytes[i >> 1]! >> (4 * (i & 1))) & 15;
        floats[i] = fourBits[bits]! * 2 ** (exponents[low + (i >> 5)]! - 127);
      }
      if (high === count) exponents = undefined;
      return new Uint8Array(floats.buffer).subarray(from - 128 * low, to - 128 * low);
    },
  };
}

function check({ blocks, scales: { stored } }: Packed): void {
  for (const one of [blocks, stored])
    if (one.dtype !== "U8")
      throw new WhereformerError(
        "unsupported",
        unexpected(`tensor ${one.name}`, `dtype ${one.dtype}`, "U8 in MXFP4"),
      );
  const size = [...stored.shape, 16].reduce((product, each) => product * each, 1);
  const isRight =
    String(blocks.shape) === String([...stored.shape, 16]) &&
    blocks.end - blocks.first === size &&
    stored.end - stored.first === size / 16;
  if (!isRight)
    throw new WhereformerError(
      "malformed_file",
      unexpected(`tensor ${blocks.name}`, `shape [${blocks.shape}]`, `[${stored.shape}, 16]`),
    );
}

/** Files whose blocks are shown as floats. Errors: malformed_file, unsupported. */
export async function withoutMxfp4(files: readonly ByteFile[]): Promise<ByteFile[]> {
  const opened: { file: ByteFile; tensors: Stored[] }[] = [];
  for (const file of files) opened.push({ file, tensors: await storedIn(file) });
  const all = opened.flatMap(({ file, tensors }) => tensors.map((stored) => ({ file, stored })));
  const byName = new Map(all.map((one) => [one.stored.name, one]));
  const used = new Set<string>();
  const packed = (file: ByteFile, blocks: Stored): Shown => {
    const name = blocks.name.replace(ending, "_scales");
    const scales = byName.get(name);
    if (!scales)
      throw new WhereformerError(
        "malformed_file",
        unexpected(`tensor ${name}`, "missing", `the scales of ${blocks.name}`),
      );
    used.add(name);
    check({ file, blocks, scales });
    return shownAs({ file, blocks, scales });
  };
  const shown = opened.map(({ file, tensors }) => ({
    file,
    tensors: tensors.map((one) =>
      ending.test(one.name) ? packed(file, one) : unchanged(file, one),
    ),
  }));
  return shown.map(
    ({ file, tensors }) =>
      new ShownFile(
        file,
        tensors.filter(({ name }) => !used.has(name)),
      ),
  );
}
