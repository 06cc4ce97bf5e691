// What keeps a core from whoever is measured.

/** A worker's script. */
export const endlessWork = "for (let x = 1; ; ) x = Math.sin(x);";
