import type { Operator } from "../../api/types";

type Family = Operator["family"];

/** The class with a family's colour. Unknown operators look stateless. */
export function nameFamilyClass(family: Family = "stateless"): string {
  return `family-${family.replaceAll(" ", "-")}`;
}
