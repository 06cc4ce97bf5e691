/** Reads a checkpoint's files into the engine: headers first, then tensor by tensor. */

import type { Checkpoint as Raw, Model as RawModel } from "../generated/module.js";
import { lengthOf } from "../wire/arrays.js";
import { type Core, space } from "../wire/core.js";
import { EngineObject } from "../wire/handle.js";
import { throwIfAborted } from "../wire/signal.js";
import type { ByteFile } from "./byte-file.js";
import { Window } from "./window.js";

/** Bytes that are read as a file's header at first: most headers are shorter. */
const firstHeader = 2 ** 18;

export class Checkpoint extends EngineObject<Raw> {
  readonly #windows: Window[];

  constructor(core: Core, files: readonly ByteFile[]) {
    super(
      core,
      core.run(0, (raw) => core.made(raw.Checkpoint.make(files.length))),
      "checkpoint",
    );
    this.#windows = files.map((file) => new Window(file));
  }

  async readHeaders(signal: AbortSignal | undefined): Promise<void> {
    for (const [i, window] of this.#windows.entries()) {
      let needed = firstHeader;
      while (needed) {
        const header = await window.header(needed);
        throwIfAborted(signal);
        needed = this.#add(i, header, window.file.size);
      }
      // A server may limit the number of open connections.
      if (i > 0) window.close();
    }
  }

  #add(index: number, header: Uint8Array, size: number): number {
    const { core, raw } = this;
    return core.run(space(header), (module) => {
      const needed = raw.add(index, core.put(header), lengthOf(header), size);
      if (needed < 0) core.check(module.lastCode());
      return needed;
    });
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
      const [file, offset, bytes] = core.run(0, () => [
        raw.nextFile(),
        raw.nextOffset(),
        raw.nextBytes(),
      ]);
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
