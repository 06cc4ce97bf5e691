/**
 * A worker of the pool: a second instance of the module on the same memory. After reporting that it
 * is ready it does not return to its event loop; it sleeps in the engine until there is work.
 */
import { isTable } from "../wire/platform.js";
import makeEngine from "../wire/threads.mjs";
import type { WorkerNews, WorkerStart } from "./protocol.js";

/**
 * Instantiates the module with imports that only the glue can make. The glue itself then waits
 * forever: it must not start an engine that is already running.
 */
function instantiate({ module, memory }: WorkerStart): Promise<WebAssembly.Instance> {
  return new Promise((resolve, reject) => {
    makeEngine({
      wasmMemory: memory,
      instantiateWasm(imports) {
        WebAssembly.instantiate(module, imports).then(resolve, reject);
        return {};
      },
    }).catch(reject);
  });
}

async function serve(start: WorkerStart, say: (news: WorkerNews) => void): Promise<void> {
  const { exports } = await instantiate(start);
  const table = Object.values(exports).find(isTable);
  const call = (index: number, ...args: number[]) => table!.get(index)(...args);
  call(start.begin, start.block, start.stackTop);
  say("ready");
  try {
    call(start.serve, start.worker);
  } catch (error) {
    call(start.fail, start.worker);
    throw error;
  }
}

function listen(start: WorkerStart, say: (news: WorkerNews) => void): void {
  serve(start, say).catch((error: unknown) => say({ failed: String(error) }));
}

interface NodeThreads {
  parentPort: {
    once(event: "message", listener: (start: WorkerStart) => void): void;
    postMessage(news: WorkerNews): void;
  } | null;
}

const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
const port = (process?.getBuiltinModule?.("node:worker_threads") as NodeThreads | undefined)
  ?.parentPort;
if (port) port.once("message", (start) => listen(start, (news) => port.postMessage(news)));
else
  globalThis.addEventListener(
    "message",
    (event) => listen((event as MessageEvent<WorkerStart>).data, (news) => postMessage(news)),
    { once: true },
  );
