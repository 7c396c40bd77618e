import { useEffect, useRef } from "react";
import { isTyping } from "./isTyping";
import { Icon } from "./Icon";
import "./Search.css";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A search field. The key / goes to it from anywhere on the page, Escape empties it. */
export function Search({ label, value, change }: Props) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);

  return (
    <label className="search">
      <span className="unseen">{label}</span>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={value}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") change("");
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
