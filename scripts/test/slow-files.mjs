// Test files that take long and find little: `npm run test:long` runs them, `npm test` does not,
// unless they are named. Each stands here with the reason why others hold what matters of it.

/** Why `npm test` leaves a file out, and which files. */
export const slowFiles = {};

const files = new Set(Object.values(slowFiles).flat());

/** Does `npm test` leave this file out? */
export const isSlow = (file) => files.has(file);
