export default {
  // On the server, the engine reads its binary from the installed package.
  serverExternalPackages: ["whereformer"],
  headers: async () => [
    {
      // Headers that threads need; everything else works without them.
      source: "/:path*",
      headers: [
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        { key: "Cross-Origin-Embedder-Policy", value: "require-corp" },
      ],
    },
  ],
};
