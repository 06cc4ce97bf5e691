/** Addresses of what this thread has fetched whole: of a part (status 206) nothing can be told. */
export const fetchedWhole = (): string[] =>
  (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ responseStatus }) => responseStatus === 200)
    .map(({ name }) => name);
