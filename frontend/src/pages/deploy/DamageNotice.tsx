import type { Preview } from "../../api/types";
import { Notice } from "../../parts/messages/Notice";
import { Prose } from "../../parts/messages/Prose";

/** Which files of the checkpoint are damaged, since when, and what they held. */
export function DamageNotice({ preview }: { readonly preview: Preview }) {
  if (preview.damage.length === 0) return null;
  return (
    <Notice tone="bad" title="The checkpoint is damaged.">
      <p>
        <Prose text={preview.damaged} />
      </p>
    </Notice>
  );
}
