/**
 * The worker's script in the package: a file beside the elements. It imports nothing and does not
 * know its own address, so the addresses of the binaries are sent to it.
 */
import { startWorker } from "whereformer/start-worker";
import { EngineFailure } from "../both/failure.js";
import type { FromWorker, ToWorker } from "../both/messages.js";
import type { Listener, Thread } from "./worker-script.js";

export function startScript(listener: Listener): Thread {
  // Bundlers recognise these literals, and copy the files to their output.
  const script = () => new URL("./elements-host.js", import.meta.url);
  const wasm = {
    simd: new URL("./simd.wasm", import.meta.url).href,
    relaxed: new URL("./relaxed.wasm", import.meta.url).href,
  };
  let worker: Thread;
  try {
    worker = startWorker<FromWorker>(script, undefined, {
      message: listener.message,
      error: ({ message }) => listener.error(message),
    });
  } catch (cause) {
    // The reader gets one message, for whatever reason the browser does not start a worker.
    throw new EngineFailure({ code: "worker", message: (cause as Error).message });
  }
  worker.postMessage({ wasm } satisfies ToWorker);
  return worker;
}
