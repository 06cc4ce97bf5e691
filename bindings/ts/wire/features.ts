/** Features of this JavaScript engine, tested by validating a minimal module that needs each. */
import type { Variant } from "../types/index.js";
import { hasRelaxed, hasThreads } from "./built.js";

/**
 * Validates a function without parameters: `returns` is its result type, `body` its code, starting
 * with the count of locals.
 */
function validates(returns: number, body: readonly number[]): boolean {
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const type = [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, returns];
  const declaration = [0x03, 0x02, 0x01, 0x00];
  const code = [0x0a, body.length + 2, 0x01, body.length, ...body];
  return WebAssembly.validate(Uint8Array.from([...header, ...type, ...declaration, ...code]));
}

const v128 = 0x7b;
const end = 0x0b;
/** i32.const 0; i32x4.splat */
const splat = [0x41, 0x00, 0xfd, 0x11];

const probes: Record<Variant, () => boolean> = {
  simd: () => validates(v128, [0x00, ...splat, end]),
  // f32x4.relaxed_madd, opcode 0x105
  relaxed: () =>
    hasRelaxed && validates(v128, [0x00, ...splat, ...splat, ...splat, 0xfd, 0x85, 0x02, end]),
};

/** The core's limit on lanes (src/executor.h). */
export const maxThreads = 16;

/**
 * Shared memory, which pages have only with two headers, and relaxed SIMD, which the binary uses.
 */
export function canRunThreads(): boolean {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const isShared = typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false;
  return hasThreads && isShared && canRun("relaxed");
}

export function canRun(variant: Variant): boolean {
  return typeof WebAssembly === "object" && probes[variant]();
}
