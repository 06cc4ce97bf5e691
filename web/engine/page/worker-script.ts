/**
 * The worker's script on the page, bundled by its build. In the package, `packaged-script.ts` takes
 * the place of this file.
 */
import relaxed from "../../../build/first-engine/relaxed.wasm?url";
import simd from "../../../build/first-engine/simd.wasm?url";
import type { FromWorker, ToWorker } from "../both/messages.js";

export interface Listener {
  message(message: FromWorker): void;
  error(message: string): void;
}

export interface Thread {
  postMessage(message: ToWorker): void;
  terminate(): unknown;
}

export function startScript(listener: Listener): Thread {
  const worker = new Worker(new URL("../worker/page-worker.ts", import.meta.url), {
    type: "module",
  });
  worker.addEventListener("message", (event: MessageEvent<FromWorker>) =>
    listener.message(event.data),
  );
  worker.addEventListener("error", ({ message }) => listener.error(message));
  worker.postMessage({ firstWasm: { simd, relaxed } } satisfies ToWorker);
  return worker;
}
