import type { FormatName } from "../../api/types";

/** The formats of keys and values, the most frequent first. */
export const FORMATS: readonly FormatName[] = [
  "json",
  "string",
  "avro",
  "long",
  "integer",
  "double",
  "boolean",
  "bytes",
];
