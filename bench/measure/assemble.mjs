// Builds a WebAssembly module from opcodes: only the parts of an assembler that the probes need.

const unsigned = (value) => {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
};
const signed = (value) => {
  const bytes = [];
  for (let rest = value; ; rest >>= 7) {
    const byte = rest & 127;
    if ((rest >> 7 === 0 && !(byte & 64)) || (rest >> 7 === -1 && byte & 64))
      return [...bytes, byte];
    bytes.push(byte | 128);
  }
};
const list = (items) => [...unsigned(items.length), ...items.flat()];
const text = (value) => list([...new TextEncoder().encode(value)]);
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const simd = (opcode) => [0xfd, ...unsigned(opcode)];

export const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b };
const empty = 0x40;
const word = 4; // log2 of the alignment of 16 bytes

/** Instructions as bytes; the numbers are those of the specification's index of instructions. */
export const code = {
  get: (local) => [0x20, ...unsigned(local)],
  set: (local) => [0x21, ...unsigned(local)],
  tee: (local) => [0x22, ...unsigned(local)],
  i32: (value) => [0x41, ...signed(value)],
  f32: (value) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)],
  add: [0x6a],
  subtract: [0x6b],
  /** Repeats the body while its result is not 0. */
  loop: (...body) => [0x03, empty, ...body.flat(), 0x0d, 0, 0x0b],
  load: (offset) => [...simd(0x00), word, ...unsigned(offset)],
  xor: simd(0x51),
  splat: simd(0x13),
  lane: (index) => [...simd(0x1f), index],
  multiplyVectors: simd(0xe6),
  addVectors: simd(0xe4),
  relaxedMultiplyAdd: simd(0x105),
};

/**
 * Returns a module with one exported function `run`. `locals` are the types beside the parameters,
 * `body` a list of instructions; with `pages` it exports `memory`.
 */
export function assemble({ parameters, result, locals, body, pages = 0 }) {
  const runs = locals.map((type) => [1, type]);
  const instructions = [...list(runs), ...body.flat(), 0x0b];
  const exports = [[...text("run"), 0, 0], ...(pages ? [[...text("memory"), 2, 0]] : [])];
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, list([[0x60, ...list(parameters), ...list([result])]])),
    ...section(3, list([[0]])),
    ...(pages ? section(5, list([[0, ...unsigned(pages)]])) : []),
    ...section(7, list(exports)),
    ...section(10, list([[...unsigned(instructions.length), ...instructions]])),
  ]);
}
