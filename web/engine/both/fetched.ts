/**
 * Returns the addresses that this thread has fetched whole. A response with a part of a file
 * (status 206) does not count.
 */
export const fetchedWhole = (): string[] =>
  (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ responseStatus }) => responseStatus === 200)
    .map(({ name }) => name);
