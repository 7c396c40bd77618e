import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Link } from "../routing/Link";
import { IconButton } from "./IconButton";
import "./Menu.css";

export interface MenuItem {
  readonly word: string;
  readonly act: (() => void) | { readonly href: string };
  readonly isDanger?: boolean;
  /** A line above it: another group begins. */
  readonly begins?: boolean;
}

interface Props {
  readonly name: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A button with a list of things to do. Arrows walk through it, Escape and a press elsewhere close it. */
export function Menu({ name, icon, items }: Props) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    entries(place.current)[0]?.focus();
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && place.current?.contains(event.target) === false) setOpen(false);
    };
    document.addEventListener("pointerdown", elsewhere, true);
    return () => document.removeEventListener("pointerdown", elsewhere, true);
  }, [open]);

  const close = () => {
    setOpen(false);
    place.current?.querySelector<HTMLElement>(".icon-button")?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Tab") setOpen(false);
    const go = event.key === "Escape" ? close : walk(event.key, entries(place.current));
    if (go === null) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  };

  return (
    <div ref={place} className="menu">
      <IconButton name={name} title={name} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        {icon}
      </IconButton>
      {open && (
        <div role="menu" aria-label={name} onKeyDown={pressed}>
          {items.map((item) => (
            <Entry key={item.word} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Entry({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { word, act, begins = false, isDanger = false } = item;
  const look = { role: "menuitem", tabIndex: -1, className: isDanger ? "danger" : "plain" };
  const pressed = () => {
    close();
    if (typeof act === "function") act();
  };
  return (
    <>
      {begins && <div role="separator" />}
      {typeof act === "function" ? (
        <button type="button" {...look} onClick={pressed}>
          {word}
        </button>
      ) : (
        <Link href={act.href} {...look}>
          {word}
        </Link>
      )}
    </>
  );
}

function entries(place: HTMLElement | null): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

function walk(key: string, items: readonly HTMLElement[]): (() => void) | null {
  const at = items.findIndex((item) => item === document.activeElement);
  const next: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = next[key];
  return to === undefined ? null : () => items.at(to % items.length)?.focus();
}
