export default {
  // On the server the engine reads its binary from where it is installed.
  serverExternalPackages: ["whereformer"],
  headers: async () => [
    {
      // What threads ask for; nothing else does.
      source: "/:path*",
      headers: [
        { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        { key: "Cross-Origin-Embedder-Policy", value: "require-corp" },
      ],
    },
  ],
};
