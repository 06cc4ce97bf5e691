/** What went wrong, as it crosses between the threads and is put into words. */

export interface Failure {
  /** The engine's codes, and "network", "worker" and "internal". */
  code: string;
  message: string;
  /** What a sentence about it needs beside the code. */
  facts?: Readonly<Record<string, string | number>>;
}

/** A failure on its way to whoever asked. */
export class EngineFailure extends Error {
  readonly code: string;
  readonly facts: Failure["facts"];

  constructor({ code, message, facts }: Failure) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

/** What was thrown, by the engine, by the browser or by mistake. */
export function failureOf(reason: unknown): Failure {
  const { code, message, facts } = (reason ?? {}) as Partial<Failure>;
  if (typeof code !== "string") return { code: "internal", message: String(reason) };
  return { code, message: String(message), ...(facts && { facts }) };
}
