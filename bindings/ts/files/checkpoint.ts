/** A checkpoint's files on their way into the engine: heads first, then tensor by tensor. */

import type { Checkpoint as Raw, Model as RawModel } from "../generated/module.js";
import { lengthOf } from "../wire/arrays.js";
import { type Core, space } from "../wire/core.js";
import { EngineObject } from "../wire/handle.js";
import { throwIfAborted } from "../wire/signal.js";
import type { ByteFile } from "./byte-file.js";
import { Window } from "./window.js";

/** What is tried as a file's head first: most safetensors headers are shorter. */
const firstHead = 2 ** 18;

export class Checkpoint extends EngineObject<Raw> {
  readonly #windows: Window[];
  /** The first file's head: a GGUF file's keys are read there. */
  head: Uint8Array = new Uint8Array(0);

  constructor(core: Core, files: readonly ByteFile[]) {
    super(core, core.run(0, (raw) => core.made(raw.Checkpoint.make(files.length))), "checkpoint");
    this.#windows = files.map((file) => new Window(file));
  }

  async readHeads(signal: AbortSignal | undefined): Promise<void> {
    for (const [i, window] of this.#windows.entries()) {
      let needed = firstHead;
      while (needed) {
        const head = await window.head(needed);
        throwIfAborted(signal);
        if (i === 0) this.head = head;
        needed = this.#add(i, head, window.file.size);
      }
      // A server may not let many wait at once.
      if (i > 0) window.close();
    }
  }

  #add(index: number, head: Uint8Array, size: number): number {
    const { core, raw } = this;
    return core.run(space(head), () => {
      const { code, bytes } = raw.add(index, core.put(head), lengthOf(head), size);
      core.check(code);
      return bytes;
    });
  }

  /** Six numbers for each key of a GGUF file (bindings/calls/checkpoint.h). */
  entries(): Float64Array {
    const { core, raw } = this;
    return core.run(0, () => core.takeDoubles(raw.entries(0)));
  }

  /** Where a tensor lies in the first file, and whether its numbers are F32. */
  place(name: string): { first: number; end: number; isFloat: boolean } | undefined {
    const { core, raw } = this;
    const text = new TextEncoder().encode(name);
    const [first, bytes, isFloat] = core.run(space(text), () =>
      core.takeDoubles(raw.place(0, core.put(text), text.length)),
    );
    return first === undefined
      ? undefined
      : { first, end: first + bytes!, isFloat: isFloat === 1 };
  }

  /** A small tensor in F32, before anything else is read. */
  async floats(name: string): Promise<Float32Array | undefined> {
    const place = this.place(name);
    if (!place?.isFloat || place.end - place.first > 2 ** 16) return undefined;
    const bytes = await this.#windows[0]!.file.read(place.first, place.end);
    return new Float32Array(bytes.slice().buffer);
  }

  async fill(
    model: RawModel,
    plan: string,
    allowNotFinite: boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { core, raw } = this;
    const text = new TextEncoder().encode(plan);
    core.run(space(text), () =>
      core.check(raw.begin(model, core.put(text), text.length, allowNotFinite)),
    );
    let open = 0;
    for (;;) {
      const { file, offset, bytes } = core.run(0, () => raw.next());
      if (bytes === 0) return;
      if (file !== open) this.#windows[open]!.close();
      open = file;
      const piece = await this.#windows[file]!.read(offset, offset + bytes);
      throwIfAborted(signal);
      core.run(space(piece), () => core.check(raw.give(core.put(piece), lengthOf(piece))));
    }
  }

  override dispose(): void {
    for (const window of this.#windows) window.close();
    super.dispose();
  }
}
