/** The story of a row in words. */
import type { RowStory } from "../../api/types";
import { formatRecordTime } from "../../ui/text/content";
import { formatRecordPlace } from "../../ui/text/format";

const MAX = 24;

/** A value for the text of a button. */
export function shortenValue(value: string): string {
  return value.length <= MAX ? value : `${value.slice(0, MAX)}…`;
}

/** A row of a store: "sums, key "ann"". */
export function nameRow(store: string, key: string | null): string {
  return `${store}, key ${shortenValue(key ?? "null")}`;
}

/** What caused a change: "orders-3@18811 ", or why no record did. */
export function describeCause({ origin, before, after }: RowStory["changes"][number]): string {
  if (origin !== null) return `${formatRecordPlace(origin)} `;
  return before === null && after === null ? "Its window or time to live ended." : "A clock, not a record.";
}

/** Where the story ends, and why there. `isMet`: a record of the batch met the row, so it was there. */
export function describeEnd({ end, since, changes }: RowStory, isMet = false): string {
  const at = formatRecordTime(since);
  switch (end) {
    case "began":
      if (changes.length > 0) return "Before that, the row was not there.";
      return isMet
        ? "Records of the same batch made the row. It was gone before the batch ended, so no more of it is kept."
        : "No record has made such a row.";
    case "more":
      return `There may be older changes, before ${at}.`;
    case "no_records":
      return `The list ends at ${at}: Kafka no longer has the records of the batch that changed the row before.`;
    case "not_kept":
      return `The kept past ends at ${at}. What made the row before that is no longer known.`;
  }
}
