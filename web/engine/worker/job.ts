/** One question while it is answered: how far it is, and whether a newer one has overtaken it. */

export interface Job {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

/** Lets messages in, and throws where one of them has ended this job. */
export async function glance({ signal }: Pick<Job, "signal">): Promise<void> {
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

const urgent = new Set<Promise<unknown>>();

/** Other jobs that pause wait until this one is done. */
export async function first<T>(work: () => Promise<T>): Promise<T> {
  const done = work();
  urgent.add(done);
  try {
    return await done;
  } finally {
    urgent.delete(done);
  }
}

/** As `glance`, and lets jobs go first that are more urgent: what a reader types. */
export async function pause(job: Pick<Job, "signal">): Promise<void> {
  await glance(job);
  while (urgent.size) await Promise.allSettled(urgent);
  throwIfEnded(job.signal);
}

export function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted)
    throw Object.assign(new Error("Overtaken by a newer question."), { code: "aborted" });
}
