/** Identifies a file by its first bytes, whatever its name. */

export interface Kind {
  /** Formats that contain a model's weights; "other" is everything else. */
  is: "safetensors" | "gguf" | "other";
  /** As in messages: "a zip archive". */
  said: string;
}

/** Enough bytes to tell all kinds apart: the signature of a tar archive is at byte 257. */
export const kindBytes = 1024;

/** A signature as text, in which ? matches any byte. */
type Mark = readonly [at: number, mark: string, said: string];

const torch = "a file of PyTorch (a pickle, which is a program); save it as safetensors";

/** In this order: the first match is used. */
const marks: readonly Mark[] = [
  [0, "version https://git-lfs", "a pointer of Git LFS, not the file: git lfs pull brings it"],
  [0, "\x89HDF\r\n\x1a\n", "a file of HDF5 (Keras or TensorFlow); convert it to safetensors"],
  [0, "\x89PNG", "a picture (PNG)"],
  [0, "\xff\xd8\xff", "a picture (JPEG)"],
  [0, "GIF8", "a picture (GIF)"],
  [0, "BM????\0\0\0\0", "a picture (BMP)"],
  [8, "WEBP", "a picture (WebP)"],
  [8, "WAVE", "a sound (WAV)"],
  [0, "ID3", "a sound (MP3)"],
  [0, "OggS", "a sound (Ogg)"],
  [0, "fLaC", "a sound (FLAC)"],
  [4, "ftyp", "a film (MP4)"],
  [0, "\x1aE\xdf\xa3", "a film (Matroska or WebM)"],
  [0, "%PDF", "a document (PDF)"],
  [0, "\xd0\xcf\x11\xe0", "a document of Office"],
  [0, "\x1f\x8b", "packed by gzip; unpack it first"],
  [0, "BZh", "packed by bzip2; unpack it first"],
  [0, "\xfd7zXZ\0", "packed by xz; unpack it first"],
  [0, "(\xb5/\xfd", "packed by zstd; unpack it first"],
  [0, '\x04"M\x18', "packed by LZ4; unpack it first"],
  [0, "7z\xbc\xaf'\x1c", "a 7-Zip archive; unpack it first"],
  [0, "Rar!", "a RAR archive; unpack it first"],
  [257, "ustar", "a tar archive; unpack it first"],
  [4, "TFL3", "a model of TensorFlow Lite"],
  [4, "ORTM", "a model of ONNX Runtime (ORT)"],
  [0, "\x93NUMPY", "a single array of NumPy (NPY)"],
  [0, "PAR1", "a table (Parquet)"],
  [0, "ARROW1", "a table (Arrow)"],
  [0, "SQLite format 3", "a database (SQLite)"],
  [0, "\0asm", "a WebAssembly binary"],
  [0, "\x7fELF", "a program (ELF)"],
  [0, "MZ", "a program (Windows)"],
  [0, "lmgg", "an old GGML file; convert it to GGUF"],
  [0, "fmgg", "an old GGML file (ggmf); convert it to GGUF"],
  [0, "tjgg", "an old GGML file (ggjt); convert it to GGUF"],
  [0, "algg", "an adapter of llama.cpp (ggla), which changes another model's weights"],
  [0, "\x80\x02", torch],
  [0, "\x80\x03", torch],
  [0, "\x80\x04", torch],
  [0, "\x80\x05", torch],
];

/** One character for each byte. */
const latin = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const hasMark = (text: string, at: number, mark: string): boolean =>
  mark.length + at <= text.length &&
  [...mark].every((letter, i) => letter === "?" || letter === text[at + i]);

/** An archive is identified by its first entry. */
function zipSaid(text: string): string {
  const first = text.slice(30, 30 + text.charCodeAt(26) + 256 * text.charCodeAt(27));
  if (/(?:^|\/)data\.pkl$|\/\.(?:format_version|data\/)/.test(first))
    return torch.replace("(", "(a zip archive with ");
  if (/\.npy$/.test(first)) return "arrays of NumPy (NPZ); save them as safetensors";
  if (/^(?:metadata\.json|config\.json|model\.weights\.h5)$/.test(first))
    return "a model of Keras (a zip archive); convert it to safetensors";
  return "a zip archive; unpack it first";
}

/** JSON is identified by words near its beginning. */
function jsonSaid(text: string): string {
  const has = (...keys: string[]) => keys.some((key) => text.includes(`"${key}"`));
  if (has("weight_map"))
    return "an index of shards (JSON), which names the files with the weights; give those, too";
  if (has("peft_type", "base_model_name_or_path"))
    return "the config of an adapter (JSON, of PEFT), which changes another model's weights";
  if (has("added_tokens", "truncation")) return "a tokenizer (JSON), no weights";
  if (has("model_type", "architectures", "hidden_size")) return "a config (JSON), no weights";
  const error = /"(?:error|message|detail)"\s*:\s*"([^"\\]{1,80})/.exec(text)?.[1];
  return error ? `JSON, as a server answers that says "${error}"` : "JSON, no weights";
}

function xmlSaid(text: string): string {
  const code = /<Code>(\w{1,40})/.exec(text)?.[1];
  return code ? `XML, as a server answers that says ${code}` : "XML, no weights";
}

/** Text of any kind; undefined if the bytes are not text. */
function textSaid(beginning: Uint8Array): string | undefined {
  let text: string;
  try {
    // The last character may be incomplete.
    text = new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
  } catch {
    return undefined;
  }
  if (/[^\P{Cc}\t\n\f\r]/u.test(text)) return undefined;
  const bare = text.trimStart();
  if (/^<(?:!doctype html|html|head|body)\b/i.test(bare))
    return "a page (HTML), as a server answers in a file's place";
  if (/^<\?xml|^<[A-Za-z]/.test(bare)) return xmlSaid(bare);
  if (/^(?:\{|\[\s*[[{"\d\]-])/.test(bare)) return jsonSaid(bare);
  const begin = JSON.stringify(bare.slice(0, 30));
  return bare ? `text that begins ${begin}` : "text without a letter";
}

const isLetters = (text: string) => /^[\w<.▁-]+$/.test(text);

/** Formats that start with sizes and field numbers, not with a signature. */
function structureSaid(beginning: Uint8Array, text: string): string | undefined {
  const [a = 0, b = 0, c = 0] = beginning;
  // Protocol buffers: field 1 is a piece in SentencePiece's models, the version in ONNX's.
  if (a === 0x0a && b > 2 && b < 64 && c === 0x0a && text.slice(0, 64).includes("<"))
    return "a vocabulary of SentencePiece (tokenizer.model), no weights";
  if (a === 0x08 && b === 1 && c === 0x12 && /saved_model|\bserve\b|meta/.test(text))
    return "a model of TensorFlow (SavedModel)";
  if (a === 0x08 && b > 0 && b < 32 && [0x12, 0x1a, 0x22, 0x2a, 0x3a, 0x42].includes(c))
    return "a model of ONNX; the checkpoint that it was made from has safetensors";
  // MessagePack: a map whose first key is text.
  const isMap = (a & 0xf0) === 0x80 || a === 0xde || a === 0xdf;
  const at = a === 0xde ? 3 : a === 0xdf ? 5 : 1;
  const size = beginning[at] ?? 0;
  const key = size === 0xd9 ? [at + 2, beginning[at + 1]] : [at + 1, size & 0x1f];
  const isKey = size === 0xd9 || (size & 0xe0) === 0xa0;
  const letters = text.slice(key[0], key[0]! + key[1]!);
  if (isMap && isKey && isLetters(letters))
    return "weights of Flax (MessagePack); convert them to safetensors";
  return undefined;
}

/** The length of a safetensors header; undefined if the file does not begin with one. */
function headerOf(beginning: Uint8Array): number | undefined {
  if (beginning[8] !== 0x7b || beginning[6] || beginning[7]) return undefined;
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const length = view.getUint32(0, true) + 2 ** 32 * view.getUint16(4, true);
  return length < 2 ** 40 ? length : undefined;
}

const other = (said: string): Kind => ({ is: "other", said });

/** The kind of a file of `size` bytes that begins with `beginning`. */
export function kindOf(beginning: Uint8Array, size: number): Kind {
  if (!size) return other("an empty file");
  const text = latin(beginning);
  if (text.startsWith("GGUF")) return { is: "gguf", said: "a GGUF file" };
  const header = headerOf(beginning);
  if (header !== undefined) {
    if (8 + header <= size) return { is: "safetensors", said: "a safetensors file" };
    return other(
      `a safetensors file that ends early: a header of ${header} bytes in a file of ${size}`,
    );
  }
  const mark = marks.find(([at, letters]) => hasMark(text, at, letters));
  if (mark) return other(mark[2]);
  if (["PK\x03\x04", "PK\x05\x06"].includes(text.slice(0, 4))) return other(zipSaid(text));
  const said = textSaid(beginning) ?? structureSaid(beginning, text);
  if (said) return other(said);
  return other(
    beginning.every((byte) => byte === 0)
      ? "zeros, as of a download that was not finished"
      : `of an unknown kind (its first bytes: ${[...beginning.subarray(0, 8)]
          .map((byte) => byte.toString(16).padStart(2, "0"))
          .join(" ")})`,
  );
}
