import { useLayoutEffect, useRef } from "react";
import { isTyping } from "../browser/isTyping";
import { Icon } from "../icons/Icon";
import "./Search.css";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Whether the key / focuses it from anywhere on the page: only for the page's main search. */
  readonly hasKey?: boolean;
  /** Whether words typed beside it go into it: for the only search of a dialog. */
  readonly takesWords?: boolean;
  readonly enter?: () => void;
}

/** A search field. Escape clears it. */
export function Search({ label, value, change, hasKey = true, takesWords = false, enter }: Props) {
  const input = useRef<HTMLInputElement>(null);

  // before the page is painted: users who see the field may press the key
  useLayoutEffect(() => {
    if (!hasKey && !takesWords) return;
    const handleKey = (event: KeyboardEvent) => {
      const isMeant = takesWords ? /^[\p{L}\p{N}]$/u.test(event.key) : event.key === "/";
      if (!isMeant || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!takesWords) event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, [hasKey, takesWords]);

  return (
    <label className="search">
      <span className="for-screen-readers">{label}</span>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={value}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") change("");
          if (event.key === "Enter") enter?.();
        }}
      />
      {hasKey && <kbd aria-hidden="true">/</kbd>}
    </label>
  );
}
