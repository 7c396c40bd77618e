import type { DrawerTab } from "../editor/interface/interfaceStore";

export const TABS: readonly { readonly tab: DrawerTab; readonly word: string }[] = [
  { tab: "problems", word: "Problems" },
  { tab: "trial", word: "Trial" },
  { tab: "cases", word: "Test cases" },
  { tab: "proof", word: "Proof" },
  { tab: "metrics", word: "Metrics" },
  { tab: "records", word: "Records" },
  { tab: "tables", word: "Tables" },
  { tab: "letters", word: "Dead letters" },
  { tab: "log", word: "Log" },
];

/** The next tab for a key, in a circle. Null for keys that move nowhere. */
export function findTabAfter(key: string, tab: DrawerTab): DrawerTab | null {
  const at = TABS.findIndex((one) => one.tab === tab);
  const to: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  const index = to[key];
  return index === undefined ? null : (TABS.at(index % TABS.length)?.tab ?? null);
}

export function nameTab(tab: DrawerTab): string {
  return TABS.find((one) => one.tab === tab)?.word ?? tab;
}
