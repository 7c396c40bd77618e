/** The colour of an operator's family, by the family's name in the catalogue. */
const COLOURS: Readonly<Record<string, string>> = {
  sources: "sources",
  stateless: "stateless",
  "group and window": "window",
  aggregate: "aggregate",
  join: "join",
  table: "table",
  sinks: "sinks",
  code: "code",
};

/** The class that gives a shape its family's colour; a family nobody coloured is drawn as stateless. */
export function familyClass(family: string | undefined): string {
  return `family-${COLOURS[family ?? ""] ?? "stateless"}`;
}
