import { useState } from "react";
import { copyText } from "../browser/copyText";
import { Button } from "./Button";
import "./ShownOnce.css";

interface Props {
  /** What it is, such as "Token". */
  readonly label: string;
  readonly text: string;
}

/** A secret that was just made, and a button that copies it. The server does not show it again. */
export function ShownOnce({ label, text }: Props) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  return (
    <div className="shown-once">
      <input aria-label={label} readOnly value={text} onFocus={({ target }) => target.select()} />
      <Button onClick={() => void copyText(text).then(setCopied)}>{isCopied === true ? "Copied" : "Copy"}</Button>
      {isCopied === false && (
        <p role="alert">This browser does not allow the page to copy. Select the {label.toLowerCase()} and copy it.</p>
      )}
      <p className="quiet">Copy it now. It is not shown again.</p>
    </div>
  );
}
