import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { createStore } from "zustand/vanilla";
import { readShared, type Shared as SharedTopology, type SharedLive } from "../../api/shareLinks";
import type { Refusal } from "../../api/refusal";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { SharedCanvas } from "../../canvas/SharedCanvas";
import { createDocumentStore } from "../../editor/document/documentStore";
import { createInterfaceStore } from "../../editor/interface/interfaceStore";
import { DeploymentContext, type Deployment } from "../../editor/interface/useDeployment";
import { EditingContext, type Editing } from "../../editor/interface/useEditor";
import { makeRules } from "../../editor/edges/connecting";
import { Autosave } from "../../editor/saving/saving";
import { LiveContext } from "../../live/LiveContext";
import type { LiveState } from "../../live/state";
import { NOTHING, withState } from "../../live/useLiveJob";
import { ThemeChoice } from "../../ui/controls/ThemeChoice";
import { StatusWord } from "../../ui/display/StatusWord";
import { Mark } from "../../ui/icons/Mark";
import { RefusalNotice } from "../../ui/messages/Notice";
import { useTitle } from "../../ui/routing/useTitle";
import { formatMoment } from "../../ui/text/format";
import { SharedRecords } from "./SharedRecords";
import "../../ui/messages/Missing.css";
import "./Shared.css";

const LIVE_MS = 2_000;
const GONE = 404;

/** What a share link shows: the canvas with its running numbers, for readers without an account. */
export function Shared() {
  const secret = useSyncExternalStore(followHash, () => window.location.hash.slice(1));
  return <SharedBy key={secret} secret={secret} />;
}

/** Another link in the address bar changes only the fragment, so the browser loads nothing. */
function followHash(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

function SharedBy({ secret }: { readonly secret: string }) {
  const load = useCallback(() => readShared("/api/shared", secret), [secret]);
  const loadLive = useCallback(() => readShared("/api/shared/live", secret), [secret]);
  const { data: topology, refusal, reload } = useResource(load);
  const { data: live, refusal: liveRefusal, reload: reloadLive } = useResource(loadLive);
  const gone = [refusal, liveRefusal].find((each) => each?.status === GONE);
  usePolling(reloadLive, gone === undefined ? LIVE_MS : null);
  useTitle(topology?.name);
  const isOld = topology !== null && live !== null && live.drawing !== topology.drawing;
  useEffect(() => {
    if (isOld) void reload();
  }, [isOld, live, reload]);
  if (gone != null) return <Closed refusal={gone} />;
  if (topology === null) {
    return refusal === null ? <div className="shared-page" aria-busy="true" /> : <Closed refusal={refusal} />;
  }
  return (
    <div className="shared-page">
      <header className="shared-bar">
        <Mark />
        <h1>{topology.name}</h1>
        <span className="quiet number">{topology.version === null ? "Draft" : `Version ${topology.version}`}</span>
        <StatusWord status={live?.status ?? null} />
        <span className="gap" />
        <span className="quiet">Read only, until {formatMoment(Date.parse(topology.expires_at))}</span>
        <ThemeChoice />
      </header>
      <ReaderFrame key={topology.drawing} topology={topology} live={live}>
        <SharedCanvas graph={topology.graph} word={liveRefusal === null ? null : liveRefusal.message} />
      </ReaderFrame>
      {topology.shows_records && <SharedRecords secret={secret} />}
    </div>
  );
}

function Closed({ refusal }: { readonly refusal: Refusal }) {
  useTitle("Shared");
  return (
    <div className="shared-page">
      <header className="shared-bar">
        <Mark />
        <b>Streamwright</b>
        <span className="gap" />
        <ThemeChoice />
      </header>
      <main className="missing">
        <h1>This topology cannot be shown</h1>
        <RefusalNotice refusal={refusal} />
      </main>
    </div>
  );
}

interface FrameProps {
  readonly topology: SharedTopology;
  readonly live: SharedLive | null;
  readonly children: ReactNode;
}

/** The stores that the canvas reads, for a document that nobody edits. */
function ReaderFrame({ topology, live, children }: FrameProps) {
  const [editing] = useState(() => makeReading(topology));
  const [store] = useState(() => createStore(() => NOTHING));
  useEffect(() => {
    if (live !== null) store.setState((before) => withState(before, readLive(live), "live"), true);
  }, [store, live]);
  return (
    <EditingContext value={editing}>
      <DeploymentContext value={makeDeployment(topology)}>
        <LiveContext value={store}>
          <ReactFlowProvider>{children}</ReactFlowProvider>
        </LiveContext>
      </DeploymentContext>
    </EditingContext>
  );
}

function makeReading({ graph, operators }: SharedTopology): Editing {
  const catalogue = { operators, refused: [], pairs: [], messages: {}, cures: {}, python: { is_allowed: false } };
  const store = createDocumentStore(0, { graph, schemas: {} }, 0, "A share link is for reading.");
  const ui = createInterfaceStore(graph.nodes.map(({ id }) => id));
  const known = catalogue as unknown as Editing["catalogue"]; // what it lacks is for those who draw
  return { store, ui, autosave: new Autosave(store), catalogue: known, rules: makeRules(known) };
}

/** A reader learns of no job and no project. */
function makeDeployment({ name }: SharedTopology): Deployment {
  const topology = { id: 0, name, slug: "", project: "" } as Deployment["topology"];
  return { topology, job: null, cluster: "", reload: () => Promise.resolve() };
}

function readLive({ status, run, numbers, age_ms: age }: SharedLive): LiveState | null {
  if (status === null) return null;
  const jobStatus = { status, run } as LiveState["jobStatus"]; // the rest is for users
  return { sequence: 0, jobStatus, numbers, heard_at: age === null ? null : Date.now() - age };
}
