/** An error in the form in which it is sent between threads and turned into a message. */

export interface Failure {
  /** One of the engine's codes, or "network", "worker" or "internal". */
  code: string;
  message: string;
  /** Further facts that the message contains. */
  facts?: Readonly<Record<string, string | number>>;
}

/** The form of every message about a value, as in the package. */
export const unexpected = (name: string, value: string, expected: string): string =>
  `${name}: ${value} (expected ${expected})`;

/** A failure as an Error. */
export class EngineFailure extends Error {
  readonly code: string;
  readonly facts: Failure["facts"];

  constructor({ code, message, facts }: Failure) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

type Facts = NonNullable<Failure["facts"]>;

/** Returns the details of an engine's error that are texts and numbers. */
function factsIn(details: Readonly<Record<string, unknown>> | undefined): Facts | undefined {
  const plain = Object.entries(details ?? {}).filter(([, value]) =>
    ["string", "number"].includes(typeof value),
  );
  return plain.length ? (Object.fromEntries(plain) as Facts) : undefined;
}

/** Returns the failure for anything thrown by the engine, by the browser or by a bug. */
export function failureOf(reason: unknown): Failure {
  const {
    code,
    message,
    details,
    facts = factsIn(details),
  } = (reason ?? {}) as Partial<Failure> & { details?: Record<string, unknown> };
  if (typeof code !== "string") return { code: "internal", message: String(reason) };
  return { code, message: String(message), ...(facts && { facts }) };
}
