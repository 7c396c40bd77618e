import type { Operator } from "../api/types";

type Family = Operator["family"];

/** The class that gives a shape its family's colour; one of no known operator is drawn as stateless. */
export function nameFamilyClass(family: Family = "stateless"): string {
  return `family-${family.replaceAll(" ", "-")}`;
}
