import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from "react";
import { Link } from "../routing/Link";
import { findFocusMove } from "../browser/walking";
import "./MenuList.css";

export interface MenuItem {
  readonly word: string;
  readonly act: (() => void) | { readonly href: string };
  /** The keys for the same action. */
  readonly keys?: string;
  readonly isDanger?: boolean;
  /** Draws a line above it: another group begins. */
  readonly isFirstOfGroup?: boolean;
}

interface Props {
  readonly name: string;
  readonly items: readonly MenuItem[];
  /** Learns whether a key or an entry closed it. The focus then returns. */
  readonly close: (isAnswered: boolean) => void;
  readonly style?: CSSProperties;
}

/** A list of actions. Arrows walk through it. Escape, Tab and a press elsewhere close it. */
export function MenuList({ name, items, close, style }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    findEntries(list.current)[0]?.focus();
  }, []);
  useEffect(() => {
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && list.current?.parentElement?.contains(event.target) === false) close(false);
    };
    document.addEventListener("pointerdown", elsewhere, true);
    return () => document.removeEventListener("pointerdown", elsewhere, true);
  }, [close]);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Tab") close(false);
    const go = event.key === "Escape" ? () => close(true) : findFocusMove(event.key, findEntries(list.current));
    if (go === null) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  };
  return (
    <div ref={list} className="menu-list" role="menu" aria-label={name} style={style} onKeyDown={handleKey}>
      {items.map((item) => (
        <Entry key={item.word} item={item} close={() => close(true)} />
      ))}
    </div>
  );
}

function Entry({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { word, act, keys, isFirstOfGroup = false, isDanger = false } = item;
  const look = { role: "menuitem", tabIndex: -1, className: isDanger ? "danger" : "plain" };
  const press = () => {
    close();
    if (typeof act === "function") act();
  };
  return (
    <>
      {isFirstOfGroup && <div role="separator" />}
      {typeof act === "function" ? (
        <button type="button" {...look} onClick={press}>
          {word}
          {keys !== undefined && <kbd aria-hidden="true">{keys}</kbd>}
        </button>
      ) : (
        <Link href={act.href} {...look}>
          {word}
        </Link>
      )}
    </>
  );
}

function findEntries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
