import type { Preview } from "../../api/types";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";

/** The damaged files of the checkpoint, the time of the damage, and their former contents. */
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
