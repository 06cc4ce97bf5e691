/**
 * The script that computes, as the package has it: a file beside the elements, wherever they came
 * from. It imports nothing and knows no address, so it is told where the binaries are.
 */
import { startWorker } from "whereformer/start-worker";
import { EngineFailure } from "../both/failure.js";
import type { FromWorker, ToWorker } from "../both/messages.js";
import type { Listener, Thread } from "./worker-script.js";

export function startScript(listener: Listener): Thread {
  // Bundlers read these literals, and put the files beside their output.
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
    // To a reader it is all one why the browser starts no worker.
    throw new EngineFailure({ code: "worker", message: (cause as Error).message });
  }
  worker.postMessage({ wasm } satisfies ToWorker);
  return worker;
}
