/**
 * Presents a GGUF file to the engine as a safetensors file of the same tensors, whose numbers are
 * converted to 32-bit floats as they are read. A separate binary (bindings/gguf) checks the header
 * and decodes the blocks.
 */

import { errorCodes } from "../generated/fields.js";
import type { ErrorCode } from "../types/index.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import type { ByteFile } from "./byte-file.js";
import { ggufBinary } from "./gguf-binary.js";
import { GgufKeys } from "./gguf-keys.js";
import { Window } from "./window.js";

/** The exports of bindings/gguf/gguf.cpp. */
interface Binary {
  /** Emscripten's; must be called once, before anything else. */
  _initialize(): void;
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  parse(bytes: number, fileBytes: number): number;
  numbers(): number;
  types(): number;
  message(): number;
  widen(dtype: number, count: number): number;
}

interface Tensor {
  name: string;
  dtype: number;
  /** Numbers in one block, and its bytes. */
  block: number;
  blockBytes: number;
  /** Start in the file. */
  first: number;
  shape: number[];
  count: number;
  /** Start of its floats in the file that the engine reads. */
  shown: number;
}

const firstHeader = 2 ** 18;

/** A matrix that has a single row. */
const oneRow = /\.ffn_gate_inp_shexp\.weight$/;

let compiled: Promise<WebAssembly.Module> | undefined;

async function start(): Promise<Binary> {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(ggufBinary), (c) => c.charCodeAt(0)));
  const module = await compiled;
  // The only import notifies of memory growth, which needs no action.
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => 0;
  }
  const binary = (await WebAssembly.instantiate(module, imports)).exports as unknown as Binary;
  binary._initialize();
  return binary;
}

export class GgufFile implements ByteFile {
  readonly name: string;
  readonly size: number;
  readonly keys: GgufKeys;
  readonly #binary: Binary;
  readonly #window: Window;
  readonly #tensors: readonly Tensor[];
  /** Holds the last result until the next read: floats are many, and nothing else keeps them. */
  #scratch = new Uint8Array(0);
  /** The header of the safetensors file. */
  readonly #header: Uint8Array;
  readonly #types: WhereformerError | undefined;

  static async open(file: ByteFile): Promise<GgufFile> {
    const binary = await start();
    const window = new Window(file);
    let needed = Math.min(firstHeader, file.size);
    for (;;) {
      const header = await window.header(needed);
      const parsed = parse(binary, header, file.size);
      if (parsed.needed === 0)
        return new GgufFile(binary, window, header, parsed, errorOf(binary, binary.types()));
      needed = parsed.needed;
    }
  }

  private constructor(
    binary: Binary,
    window: Window,
    header: Uint8Array,
    { data, entries, tensors }: Parsed,
    types: WhereformerError | undefined,
  ) {
    this.#binary = binary;
    this.#types = types;
    this.#window = window;
    this.name = window.file.name;
    this.keys = new GgufKeys(header, entries);
    const decoder = new TextDecoder();
    let shown = 0;
    this.#tensors = tensors.map((numbers) => {
      const [nameBegin, nameBytes, dtype, block, blockBytes, begin, end, dimensions, ...extents] =
        numbers;
      const count = ((end! - begin!) / blockBytes!) * block!;
      const name = decoder.decode(header.subarray(nameBegin, nameBegin! + nameBytes!));
      const shape = extents.slice(0, dimensions);
      const tensor = {
        name,
        dtype: dtype!,
        block: block!,
        blockBytes: blockBytes!,
        first: data + begin!,
        // Older converters leave out dimensions of size 1, of which this matrix has one.
        shape: oneRow.test(name) && shape.length === 1 ? [1, ...shape] : shape,
        count,
        shown,
      };
      shown += 4 * count;
      return tensor;
    });
    this.#header = headerOf(this.#tensors);
    this.size = this.#header.length + shown;
  }

  has(name: string): boolean {
    return this.#tensors.some((tensor) => tensor.name === name);
  }

  names(): string[] {
    return this.#tensors.map(({ name }) => name);
  }

  /** Errors: unsupported for a tensor of an unknown type. */
  checkTypes(): void {
    if (this.#types) throw this.#types;
  }

  /**
   * The numbers of a small tensor of this file. Errors: malformed_file if there are not `count`.
   */
  async floats(name: string, count: number): Promise<Float32Array> {
    const tensor = this.#tensors.find((one) => one.name === name)!;
    if (tensor.count !== count)
      throw new WhereformerError(
        "malformed_file",
        unexpected(`tensor ${name}`, `${tensor.count} numbers`, `${count}`),
      );
    const { first, block, blockBytes } = tensor;
    const bytes = await this.#window.file.read(first, first + (count / block) * blockBytes);
    return new Float32Array(this.#widened(tensor, bytes).slice().buffer);
  }

  async read(first: number, end: number): Promise<Uint8Array> {
    if (this.#scratch.length < end - first) this.#scratch = new Uint8Array(end - first);
    const bytes = this.#scratch.subarray(0, end - first);
    const inHeader = this.#header.subarray(first, end);
    bytes.set(inHeader);
    const from = Math.max(first - this.#header.length, 0);
    const to = end - this.#header.length;
    for (const tensor of this.#tensors) {
      const { shown, count, block, blockBytes } = tensor;
      const [begin, stop] = [Math.max(from, shown), Math.min(to, shown + 4 * count)];
      if (begin >= stop) continue;
      const blocks = [
        Math.floor((begin - shown) / (4 * block)),
        Math.ceil((stop - shown) / (4 * block)),
      ] as const;
      const [low, high] = blocks.map((index) => tensor.first + index * blockBytes) as [
        number,
        number,
      ];
      const floats = this.#widened(tensor, await this.#window.read(low, high));
      const skipped = shown + 4 * block * blocks[0];
      bytes.set(floats.subarray(begin - skipped, stop - skipped), begin - from + inHeader.length);
    }
    return bytes;
  }

  /** Decodes whole blocks to floats, in the binary's memory; valid until the next call. */
  #widened({ dtype, block, blockBytes }: Tensor, bytes: Uint8Array): Uint8Array {
    const count = (bytes.length / blockBytes) * block;
    put(this.#binary, bytes);
    const at = this.#binary.widen(dtype, count);
    if (!at) throw outOfMemory(4 * count);
    return new Uint8Array(this.#binary.memory.buffer, at, 4 * count);
  }

  pause(): void {
    this.#window.close();
  }
}

const outOfMemory = (bytes: number) =>
  new WhereformerError("out_of_memory", `out of memory: ${bytes} bytes of a GGUF file`);

function put(binary: Binary, bytes: Uint8Array): void {
  if (!bytes.length) return;
  const at = binary.room(bytes.length);
  if (!at) throw outOfMemory(bytes.length);
  new Uint8Array(binary.memory.buffer).set(bytes, at);
}

/** The error of a code that the binary returned; undefined for 0. */
function errorOf(binary: Binary, code: number): WhereformerError | undefined {
  if (!code) return undefined;
  const text = new Uint8Array(binary.memory.buffer, binary.message());
  const words = new TextDecoder().decode(text.slice(0, text.indexOf(0)));
  return new WhereformerError(errorCodes[code] as ErrorCode, words);
}

interface Parsed {
  /** Bytes of the file's beginning that must be known first; 0: enough. */
  needed: number;
  /** Start of the tensors' numbers in the file. */
  data: number;
  entries: Float64Array[];
  tensors: Float64Array[];
}

/** Errors: the header's. */
function parse(binary: Binary, header: Uint8Array, size: number): Parsed {
  put(binary, header);
  const error = errorOf(binary, binary.parse(header.length, size));
  if (error) throw error;
  let at = binary.numbers();
  const next = (count: number) => {
    const numbers = new Float64Array(binary.memory.buffer, at, count).slice();
    at += numbers.byteLength;
    return numbers;
  };
  const [needed, data, entries, ofEntry, tensors, ofTensor] = next(6) as unknown as number[];
  const rows = (count: number, size: number) => Array.from({ length: count }, () => next(size));
  return {
    needed: needed!,
    data: data!,
    entries: rows(entries!, ofEntry!),
    tensors: rows(tensors!, ofTensor!),
  };
}

function headerOf(tensors: readonly Tensor[]): Uint8Array {
  const entries = tensors.map(({ name, shape, count, shown }) => [
    name,
    { dtype: "F32", shape, data_offsets: [shown, shown + 4 * count] },
  ]);
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const header = new Uint8Array(8 + text.length);
  new DataView(header.buffer).setBigUint64(0, BigInt(text.length), true);
  header.set(text, 8);
  return header;
}
