/**
 * A trained model as a file: the state that the engine's trainer saves (safetensors), with a note
 * on the training in its metadata, so that it can be loaded and trained further.
 */

/** Note in the file's metadata. */
export interface TrainingNote {
  scheme: string;
  seed: number;
  /** Facts that must agree to continue the training, as JSON. */
  recipe: string;
}

/** The note, and the training steps of the model. */
export interface ReadNote extends TrainingNote {
  steps: number;
}

const noteKey = "whereformer";

interface Parts {
  header: Record<string, unknown> & { __metadata__?: Record<string, string> };
  tensors: Uint8Array;
}

const maxHeader = 1e6;

function partsOf(file: Uint8Array): Parts | undefined {
  if (file.byteLength < 8) return undefined;
  const length = Number(
    new DataView(file.buffer, file.byteOffset, file.byteLength).getBigUint64(0, true),
  );
  if (length > maxHeader || 8 + length > file.byteLength) return undefined;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    if (typeof header !== "object" || header === null) return undefined;
    return { header: header as Parts["header"], tensors: file.subarray(8 + length) };
  } catch {
    return undefined;
  }
}

/** Returns the saved state with the note added. */
export function withNote(state: Uint8Array, note: TrainingNote): Uint8Array<ArrayBuffer> {
  const parts = partsOf(state)!;
  const metadata = { ...parts.header.__metadata__, [noteKey]: JSON.stringify(note) };
  const written = JSON.stringify({ ...parts.header, __metadata__: metadata });
  const text = new TextEncoder().encode(written);
  // The header is padded with spaces to keep tensors aligned, as the format allows.
  const length = Math.ceil(text.byteLength / 8) * 8;
  const file = new Uint8Array(8 + length + parts.tensors.byteLength).fill(0x20);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  file.set(parts.tensors, 8 + length);
  return file;
}

/** Returns the note of a file; undefined if the file has none. */
export function noteOf(file: Uint8Array): ReadNote | undefined {
  try {
    const metadata = partsOf(file)?.header.__metadata__;
    const note = JSON.parse(metadata?.[noteKey] ?? "") as TrainingNote;
    const steps = Number(metadata?.["step"]);
    const isNote =
      typeof note.scheme === "string" &&
      Number.isSafeInteger(note.seed) &&
      typeof note.recipe === "string" &&
      Number.isSafeInteger(steps);
    return isNote ? { ...note, steps } : undefined;
  } catch {
    return undefined;
  }
}
