/** Results of `npm run image`: questions about pictures, answered with each scheme. */

interface ImageFile {
  results: Record<string, Record<string, Record<string, unknown>>>;
}

/** Returns the share of correct answers by scheme, as a mean over questions and seeds. */
export function readImage({ results }: ImageFile): ReadonlyMap<string, number> {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  return new Map(
    Object.entries(results).map(([scheme, seeds]) => {
      const answers = Object.values(seeds).flatMap((seed) =>
        Object.values(seed).filter((value) => typeof value === "number"),
      );
      return [scheme, mean(answers)];
    }),
  );
}
