/** Lengths on offer: tokens of a text, or cells on a side of a picture. */
export const textLengths = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072] as const;
export const pictureSides = [8, 14, 16, 24, 32, 48, 64, 96, 128] as const;
