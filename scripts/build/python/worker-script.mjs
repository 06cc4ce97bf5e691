// Takes the place of web/engine/page/worker-script.ts where there are no workers: the substitute
// for a worker is in the same thread.

export function startScript(listener) {
  const worker = new Worker();
  worker.addEventListener("message", ({ data }) => listener.message(data));
  return worker;
}
