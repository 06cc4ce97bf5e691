/** The codes of errors. */
/** The kind of an error, for programs to branch on. */
export type ErrorCode =
  | "invalid_argument"
  | "unknown_option"
  | "unknown_scheme"
  | "unsupported"
  | "dtype_overflow"
  | "out_of_memory"
  | "malformed_file"
  | "network"
  | "storage_full"
  | "disposed"
  | "aborted"
  | "internal";
