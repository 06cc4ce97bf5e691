/** One question while it is answered: how far it is, and whether a newer one has overtaken it. */

export interface Job {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

/** Lets messages in, and throws where one of them has ended this job. */
export async function pause({ signal }: Pick<Job, "signal">): Promise<void> {
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
  throwIfEnded(signal);
}

export function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted)
    throw Object.assign(new Error("Overtaken by a newer question."), { code: "aborted" });
}
