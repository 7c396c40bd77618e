/** Which fields of a form apply: some only with what another field holds, or with what arrives at a port. */
import type { Config } from "../../editor/document";
import type { Arriving } from "../../graph/ports";
import type { Field } from "./fields";

/** What is known by name: of fields what they hold, of ports the type that arrives. */
export type Known = Readonly<Record<string, unknown>>;

/** A field as it is drawn. One that does not apply but holds a value is drawn all the same: nothing gets lost. */
export interface Drawn {
  readonly field: Field;
  readonly isUsed: boolean;
}

/** What is known to the fields of a node; of a port nothing arrives at, nothing. */
export function knownOf(fields: readonly Field[], config: Config, arriving: Arriving = {}): Known {
  return { ...fallbacks(fields), ...config, ...arriving };
}

/** What is known to the fields of a row: its own, and those of the form around it. */
export function knownIn(columns: readonly Field[], row: Config, around: Known): Known {
  return { ...around, ...fallbacks(columns), ...row };
}

/** The fields to draw, in order. A field that depends on something not known yet is drawn: it may apply. */
export function drawnFields(fields: readonly Field[], config: Config, known: Known): readonly Drawn[] {
  return fields.flatMap((field) => {
    const isUsed = Object.entries(field.shown).every(
      ([name, values]) => !Object.hasOwn(known, name) || values.includes(known[name]),
    );
    return isUsed || config[field.name] !== undefined ? [{ field, isUsed }] : [];
  });
}

function fallbacks(fields: readonly Field[]): Config {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, fallback]));
}
