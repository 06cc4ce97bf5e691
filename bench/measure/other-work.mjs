// Keeps a core busy during measurements.

/** Script of a worker. */
export const endlessWork = "for (let x = 1; ; ) x = Math.sin(x);";
