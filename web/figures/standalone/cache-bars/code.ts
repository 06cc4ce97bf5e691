/** Code that gives the element the reader's own caches. */

export const givenCachesCode = (): string => `import "whereformer/elements/cache-bars";

const bars = document.createElement("wf-cache-bars");
bars.caches = [
  { name: "Llama 2 7B", kvHeads: 32, headDim: 128, layers: 32 },
  { name: "Llama 3 8B", kvHeads: 8, headDim: 128, layers: 32 },
  { name: "DeepSeek-V2", rank: 512, slice: 64, layers: 60 },
];
document.body.append(bars);
`;
