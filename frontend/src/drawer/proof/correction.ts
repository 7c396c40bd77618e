import type { Correction, CorrectionPreview, OneCorrection } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";

export const KINDS: Readonly<Record<OneCorrection["kind"], string>> = {
  newest: "newest value",
  earlier: "value from before",
  deleted: "tombstone",
  missing: "missing record",
  extra: "record too many",
  other_value: "other value",
};

const PLURALS: Readonly<Record<OneCorrection["kind"], string>> = {
  newest: "newest values",
  earlier: "values from before",
  deleted: "tombstones",
  missing: "missing records",
  extra: "records too many",
  other_value: "other values",
};

/** `3 newest values, 1 tombstone` */
export function describeCounts(counts: CorrectionPreview["counts"][string]): string {
  const kinds = Object.keys(KINDS) as OneCorrection["kind"][];
  const parts = kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? KINDS[kind] : PLURALS[kind]}`];
  });
  return parts.join(", ");
}

/** Whether a version goes on with the corrected state, or why none can. */
export function describeNoState({ is_taken, no_state }: Correction): string {
  if (is_taken) return "The right version has taken over with the corrected state.";
  return `No version can go on with the corrected state. ${no_state}`;
}

/** What the correction is about, and how far it is. */
export function describeCorrection({ preview, status, first_batch, title, sent_by }: Correction): string {
  if (preview === null) return status === "preparing" ? "Working out the corrections …" : "";
  const { last_batch } = preview;
  const batches = first_batch === last_batch ? `batch ${last_batch}` : `batches ${first_batch} to ${last_batch}`;
  const what = `${formatAmount(preview.count, "correction")} of ${batches}, if the ${title} is right`;
  if (status === "sending") return `Sending ${what}.`;
  return status === "sent" ? `${what}: sent by ${sent_by ?? "somebody"}.` : `${what}.`;
}

export function isUnderWay(correction: Correction | null): boolean {
  if (correction === null || correction.failure !== null) return false;
  return correction.status === "preparing" || correction.status === "sending";
}

/** Whether it can be sent: for the first time, or again after its process was killed. */
export function canSend({ status, failure, preview }: Correction): boolean {
  if (preview === null || preview.count === 0) return false;
  return status === "ready" || (status === "sending" && failure !== null);
}
