/** Questions in progress: they yield, so that a newer question can cancel them. */
import type { Job } from "whereformer/requests";
import { yieldToEvents } from "whereformer/yield";
import type { Kind, Questions } from "../both/messages.js";

/** A function for each kind of question, which answers it. */
export type Handlers = {
  [K in Kind]: (question: Questions[K][0], job: Job) => Promise<Questions[K][1]> | Questions[K][1];
};

type Cancelled = Pick<Job, "signal">;

/** Yields, so that messages arrive; throws if one of them has cancelled the job. */
export async function yieldAndCheck({ signal }: Cancelled): Promise<void> {
  await yieldToEvents();
  signal.throwIfAborted();
}

const urgent = new Set<Promise<unknown>>();

/** Runs work that all jobs in `yieldToUrgent` wait for. */
export async function withPriority<T>(work: () => Promise<T>): Promise<T> {
  const done = work();
  urgent.add(done);
  try {
    return await done;
  } finally {
    urgent.delete(done);
  }
}

/** Yields as `yieldAndCheck` does, then waits for urgent jobs, such as answers to typing. */
export async function yieldToUrgent(job: Cancelled): Promise<void> {
  await yieldAndCheck(job);
  while (urgent.size) await Promise.allSettled(urgent);
  job.signal.throwIfAborted();
}
