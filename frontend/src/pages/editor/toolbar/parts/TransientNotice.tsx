import { useEffect } from "react";
import { Icon } from "../../../../ui/icons/Icon";
import { Notice } from "../../../../ui/messages/Notice";
import { Prose } from "../../../../ui/messages/Prose";
import { IconButton } from "./IconButton";

const SHOWN_MS = 12_000;

/** A text to read once. */
export interface Word {
  readonly tone: "bad" | "warn" | "info";
  readonly title: string;
  readonly text?: string;
}

/** An error stays until the user closes it. Other texts disappear by themselves. */
export function TransientNotice({ word, close }: { readonly word: Word; readonly close: () => void }) {
  useEffect(() => {
    if (word.tone === "bad") return;
    const timer = window.setTimeout(close, SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [word, close]);
  const button = (
    <IconButton name="Dismiss" title="Dismiss" onClick={close}>
      <Icon name="close" size={12} />
    </IconButton>
  );
  return (
    <div className="passing">
      <Notice tone={word.tone} title={word.title} action={button}>
        {word.text !== undefined && (
          <span>
            {" "}
            <Prose text={word.text} />
          </span>
        )}
      </Notice>
    </div>
  );
}
