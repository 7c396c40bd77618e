import type { CellAria } from "../form/controls";
import { KINDS, ofKind, type Kind, type Type } from "./types";

interface Props {
  readonly kind: Kind | null;
  readonly before: Type | undefined;
  /** The meaning of no type. Without it the user must choose one. */
  readonly empty?: string;
  readonly change: (type: Type) => void;
  readonly remove?: () => void;
  readonly aria: Partial<CellAria>;
}

/** The kind of a type. */
export function KindSelect({ kind, before, empty, change, remove, aria }: Props) {
  return (
    <select
      className={kind === null ? "empty" : undefined}
      value={kind ?? ""}
      onChange={({ target }) => (target.value === "" ? remove?.() : change(ofKind(target.value as Kind, before)))}
      {...aria}
    >
      {empty !== undefined && <option value="">{empty || "none"}</option>}
      {(kind === null || KINDS.includes(kind) ? KINDS : [...KINDS, kind]).map((kind) => (
        <option key={kind}>{kind}</option>
      ))}
    </select>
  );
}
