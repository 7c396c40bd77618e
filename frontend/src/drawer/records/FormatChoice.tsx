import type { FormatName } from "../../api/types";

interface Props {
  readonly label: string;
  readonly value: FormatName | null;
  /** The likely format of the topic, or null while unknown. */
  readonly guess: FormatName | null;
  /** The meaning of null. */
  readonly none?: string;
  readonly change: (format: FormatName | null) => void;
}

/** The format of keys or values. */
export function FormatChoice({ label, value, guess, none = "as it stands", change }: Props) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value ?? ""}
      onChange={({ target }) => change(target.value === "" ? null : (target.value as FormatName))}
    >
      <option value="">{none}</option>
      {FORMATS.map((format) => (
        <option key={format} value={format}>
          {format === guess ? `${format} (as the topic)` : format}
        </option>
      ))}
    </select>
  );
}

/** The formats of keys and values, the most frequent first. */
export const FORMATS: readonly FormatName[] = [
  "json",
  "string",
  "avro",
  "protobuf",
  "json_schema",
  "long",
  "integer",
  "double",
  "boolean",
  "bytes",
];
