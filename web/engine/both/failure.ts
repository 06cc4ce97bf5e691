/** What went wrong, as it crosses between the threads and is put into words. */

export interface Failure {
  /** The engine's codes, and "network", "worker" and "internal". */
  code: string;
  message: string;
}

/** A failure on its way to whoever asked. */
export class EngineFailure extends Error {
  readonly code: string;

  constructor({ code, message }: Failure) {
    super(message);
    this.code = code;
  }
}

/** What was thrown, by the engine, by the browser or by mistake. */
export function failureOf(reason: unknown): Failure {
  const { code, message } = (reason ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === "string") return { code, message: String(message) };
  return { code: "internal", message: String(reason) };
}
