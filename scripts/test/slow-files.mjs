// Test files that take long and find little: `npm run test:long` runs them, `npm test` does not,
// unless they are named. Each has the reason why other tests cover what matters.

/** The reasons to leave files out of `npm test`, each with its files. */
export const slowFiles = {};

const files = new Set(Object.values(slowFiles).flat());

/** Whether `npm test` leaves this file out. */
export const isSlow = (file) => files.has(file);
