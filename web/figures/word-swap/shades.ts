/** Formats and tints a share of attention. */

/** Returns 0 for no attention to 10 for all of it. */
export const shadeOf = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10);

export const shareText = (share: number): string => share.toFixed(2);
