/** The codes of errors. */
/** What went wrong, for programs. */
export type ErrorCode =
  | "invalid_argument"
  | "unknown_option"
  | "unknown_scheme"
  | "unsupported"
  | "out_of_memory"
  | "malformed_file"
  | "network"
  | "storage_full"
  | "disposed"
  | "aborted"
  | "internal";
