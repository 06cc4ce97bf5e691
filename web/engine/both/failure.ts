/** What went wrong, as it crosses between the threads and is put into words. */

export interface Failure {
  /** The engine's codes, and "network", "worker" and "internal". */
  code: string;
  message: string;
  /** What a sentence about it needs beside the code. */
  details?: Readonly<Record<string, string | number>>;
}

/** A failure on its way to whoever asked. */
export class EngineFailure extends Error {
  readonly code: string;
  readonly details: NonNullable<Failure["details"]>;

  constructor({ code, message, details = {} }: Failure) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** What was thrown, by the engine, by the browser or by mistake. */
export function failureOf(reason: unknown): Failure {
  const { code, message, details } = (reason ?? {}) as Partial<Record<keyof Failure, unknown>>;
  if (typeof code !== "string") return { code: "internal", message: String(reason) };
  // An engine's details may hold anything, a view of its memory too.
  const plain = Object.entries(details ?? {}).filter(([, one]) => /^[sn]/.test(typeof one));
  const kept = plain.length > 0 && { details: Object.fromEntries(plain) };
  return { code, message: String(message), ...kept };
}
