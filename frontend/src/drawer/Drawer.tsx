import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { isFresh, isLooseEnd } from "../editor/checking/fresh";
import type { DrawerTab } from "../editor/interface/interfaceStore";
import { useDocument, useInterface, useInterfaceActions } from "../editor/interface/useEditor";
import { useLive } from "../live/LiveContext";
import { Icon } from "../ui/icons/Icon";
import { Separator } from "../ui/controls/Separator";
import { limitSize, readSize, saveSize, type Limits } from "../ui/browser/sizes";
import { findProblem } from "../live/problem";
import { Cases, CasesInBackground } from "./testCases/Cases";
import { DeadLetters } from "./deadLetters/DeadLetters";
import { countAll, useEarlier } from "./deadLetters/earlier";
import { Log } from "./log/Log";
import { Metrics } from "./metrics/Metrics";
import { Problems } from "./Problems";
import { Proof } from "./proof/Proof";
import { RecordsTab } from "./past/PastRecords";
import { TabBar } from "./TabBar";
import { Tables } from "./tables/Tables";
import { nameTab } from "./tabs";
import { useSelectedNode } from "../editor/interface/useSelectedNode";
import { Trial } from "./trials/Trial";
import "./Drawer.css";

const CONTENTS: Readonly<Record<DrawerTab, () => ReactNode>> = {
  problems: Problems,
  trial: Trial,
  cases: Cases,
  proof: Proof,
  metrics: Metrics,
  records: RecordsTab,
  tables: Tables,
  letters: DeadLetters,
  log: Log,
};

const FIRST_SHARE = 0.34;
const MIN_FIRST = 260;
const MIN = 120;
const MAX_SHARE = 0.7;

function computeFirst(): number {
  return Math.max(MIN_FIRST, Math.round(window.innerHeight * FIRST_SHARE));
}

/** Leaves room for the canvas. */
function computeLimits(): Limits {
  return { min: MIN, max: Math.max(MIN, Math.round(window.innerHeight * MAX_SHARE)) };
}

/**
 * One tab at a time below the canvas: problems, trial, test cases, proof, metrics, records, tables, dead letters,
 * log.
 */
export function Drawer() {
  const open = useInterface((editor) => editor.drawer);
  const { openDrawer } = useInterfaceActions();
  const drawer = useRef<HTMLElement>(null);
  const panel = useId();
  const [height, setHeight] = useState(() => limitSize(readSize("drawer", computeFirst()), computeLimits()));
  const { counts, unfinished } = useCounts(open);

  const close = () => {
    openDrawer(null);
    drawer.current?.querySelector<HTMLElement>(`[data-tab="${open}"]`)?.focus();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || open === null || isEmptying(event.target) || isInDialog(event.target)) return;
    event.stopPropagation();
    close();
  };
  const resize = (to: number) => {
    const height = limitSize(to, computeLimits());
    setHeight(height);
    saveSize("drawer", height);
  };
  return (
    <section
      className="drawer"
      aria-label="Drawer"
      ref={drawer}
      style={open === null ? undefined : { height }}
      onKeyDown={handleKey}
    >
      {open !== null && (
        <Separator label="Height of the drawer" edge="top" size={height} limits={computeLimits()} change={resize} />
      )}
      {open !== "cases" && <CasesInBackground />}
      <TabBar open={open} choose={openDrawer} counts={counts} unfinished={unfinished} panel={panel} />
      {open !== null && (
        <button type="button" className="fold" aria-label="Fold drawer" title="Fold drawer (Esc)" onClick={close}>
          <Icon name="down" size={14} />
        </button>
      )}
      {open !== null && <TabPanel key={open} tab={open} id={panel} />}
    </section>
  );
}

function TabPanel({ tab, id }: { readonly tab: DrawerTab; readonly id: string }) {
  const Content = CONTENTS[tab];
  return (
    <div id={id} className={`tab-panel ${tab}`} role="tabpanel" aria-label={nameTab(tab)}>
      <Content />
    </div>
  );
}

interface Counts {
  readonly counts: Partial<Record<DrawerTab, number>>;
  readonly unfinished: readonly DrawerTab[];
}

/** The number on each tab. While the tab of dead letters is open, it counts those of the selected node. */
function useCounts(open: DrawerTab | null): Counts {
  // a drawing under way, or not begun yet, is no problem
  const issues = useDocument(({ issues }) => issues?.filter((issue) => !isLooseEnd(issue)).length ?? 0);
  const isUnfinished = useDocument(({ issues }) => isFresh(issues ?? []));
  const jobProblems = useLive(({ state }) => (state !== null && findProblem(state.jobStatus) !== null ? 1 : 0));
  const node = useSelectedNode();
  const earlier = useEarlier();
  const letters = useLive(({ state }) => countAll(state?.numbers, earlier, open === "letters" ? node : null) ?? 0);
  const cases = useInterface((editor) => editor.failingCases);
  return {
    counts: { problems: issues + jobProblems, cases, letters },
    unfinished: isUnfinished && jobProblems === 0 ? ["problems"] : [],
  };
}

/** Escape in a dialog closes only the dialog. */
function isInDialog(target: EventTarget): boolean {
  return target instanceof Element && target.closest("dialog") !== null;
}

/** Escape in a search field with text clears it. Only the next one closes the drawer. */
function isEmptying(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.value !== "";
}
