/** Small valid answers for tests. */
import type { JobSettings } from "./types";

export const SETTINGS: JobSettings = {
  guarantee: "exactly_once",
  tasks: 0,
  slots: 0,
  batch_interval_ms: 100,
  records_per_batch: 200_000,
  batch_size_mb: 512,
  memory_mb: 768,
  memory_limit_mb: 0,
  cache: true,
  deserialization: "dead_letter",
  processing: "dead_letter",
  production: "dead_letter",
  dead_letter_topic: "",
  start: "earliest",
};
