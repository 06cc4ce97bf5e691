/** A question in progress: reports its progress, and is cancelled when a newer one replaces it. */
import type { Kind, Questions } from "../both/messages.js";

export interface Job {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

/** A function for each kind of question, which answers it. */
export type Handlers = {
  [K in Kind]: (question: Questions[K][0], job: Job) => Promise<Questions[K][1]> | Questions[K][1];
};

/**
 * Yields to the event loop, so that messages arrive; throws if one of them has cancelled this job.
 */
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

/** Runs work that all jobs in `pause` wait for. */
export async function first<T>(work: () => Promise<T>): Promise<T> {
  const done = work();
  urgent.add(done);
  try {
    return await done;
  } finally {
    urgent.delete(done);
  }
}

/** Yields as `glance` does, and then waits for urgent jobs, such as answers to typing. */
export async function pause(job: Pick<Job, "signal">): Promise<void> {
  await glance(job);
  while (urgent.size) await Promise.allSettled(urgent);
  throwIfEnded(job.signal);
}

export function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted)
    throw Object.assign(new Error("Overtaken by a newer question."), { code: "aborted" });
}
