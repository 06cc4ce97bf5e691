/** The type of an engine with threads. */
import type { Engine } from "../types/index.js";

export interface ThreadedEngine extends Engine {
  /** Maximum threads that work, including the calling one. 1 if threads are unavailable. */
  readonly threads: number;
  /** Ends the other threads; the engine cannot be used any more. Node can exit without it, too. */
  dispose(): void;
  [Symbol.dispose](): void;
}
