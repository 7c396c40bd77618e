import type { FormatName } from "../../api/types";
import { FORMATS } from "./formats";

interface Props {
  readonly label: string;
  readonly value: FormatName | null;
  /** What the topic seems to hold; null while it is not known. */
  readonly guess: FormatName | null;
  /** What null stands for. */
  readonly none?: string;
  readonly change: (format: FormatName | null) => void;
}

/** How keys or values are written. */
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
