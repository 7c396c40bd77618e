import { useRef, type KeyboardEvent } from "react";
import type { DrawerTab } from "../editor/interface/interfaceStore";
import { formatCount } from "../ui/text/format";
import { findTabAfter, TABS } from "./tabs";

interface Props {
  readonly open: DrawerTab | null;
  readonly choose: (tab: DrawerTab) => void;
  /** Items that need a look, by tab. Zero is hidden. */
  readonly counts: Partial<Record<DrawerTab, number>>;
  /** Tabs whose items are unfinished rather than wrong. */
  readonly unfinished: readonly DrawerTab[];
  readonly panel: string;
}

/** The only visible part of a folded drawer. */
export function TabBar({ open, choose, counts, unfinished, panel }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const handleKey = (event: KeyboardEvent, tab: DrawerTab) => {
    const next = findTabAfter(event.key, tab);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    bar.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div className="tabs across bar-of-tabs" role="tablist" aria-label="Drawer tabs" ref={bar}>
      {TABS.map(({ tab, word }) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          aria-selected={tab === open}
          aria-controls={tab === open ? panel : undefined}
          tabIndex={tab === (open ?? "problems") ? 0 : -1}
          onClick={() => choose(tab)}
          onKeyDown={(event) => handleKey(event, tab)}
        >
          {word} <Count amount={counts[tab] ?? 0} isQuiet={unfinished.includes(tab)} />
        </button>
      ))}
    </div>
  );
}

function Count({ amount, isQuiet }: { readonly amount: number; readonly isQuiet: boolean }) {
  if (amount === 0) return null;
  return <span className={isQuiet ? "count number quiet" : "count number"}>{formatCount(amount)}</span>;
}
