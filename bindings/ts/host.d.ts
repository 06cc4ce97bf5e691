/** A worker's script: it listens to its page, and exports nothing. */
export {};
