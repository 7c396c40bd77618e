import { ReactFlowProvider } from "@xyflow/react";
import { use, useCallback, useEffect, useState, type ReactNode } from "react";
import { fetchCatalogue, fetchChosenCluster, fetchDraft, fetchTopology, listJobs } from "../../api/calls";
import { toRefusal } from "../../api/refusal";
import { explainWhyNot, fetchRights } from "../../api/rights";
import type { Catalogue, Draft, Job, Topology } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { useTitle } from "../../ui/routing/useTitle";
import { Canvas } from "../../canvas/Canvas";
import { Drawer } from "../../drawer/Drawer";
import { PastBar } from "../../drawer/past/PastBar";
import { keepChecking } from "../../editor/checking/checking";
import { makeRules } from "../../editor/edges/connecting";
import type { Document } from "../../editor/document/document";
import { Autosave } from "../../editor/saving/saving";
import { readStash } from "../../editor/saving/stash";
import { createDocumentStore } from "../../editor/document/documentStore";
import { formatColumns, formatWidth, useSides } from "../../editor/interface/sides";
import { followRenames } from "../../editor/comparing/followRenames";
import { createInterfaceStore } from "../../editor/interface/interfaceStore";
import { proveJob } from "../../editor/interface/proving";
import { keepCheckingTopics } from "../../editor/checking/topicChecking";
import {
  type Editing,
  EditingContext,
  useEditing,
  useInterface,
  useInterfaceActions,
} from "../../editor/interface/useEditor";
import { Inspector } from "../../inspector/Inspector";
import { LiveContext, NO_LIVE, useLiveStore } from "../../live/LiveContext";
import { Palette } from "../../canvas/palette/Palette";
import { Missing } from "../../ui/messages/Missing";
import { HomeLink, Toolbar } from "./toolbar/Toolbar";
import { Tour } from "./tour/Tour";
import { DeploymentContext, type Deployment } from "../../editor/interface/useDeployment";
import { SidePanel, useInspectorShown, useShownField } from "./SidePanel";
import { usePlaceLink } from "./usePlaceLink";
import "./EditorPage.css";

const LOOK_MS = 3_000;

interface OpenTopology {
  readonly topology: Topology;
  readonly job: Job | null;
  readonly cluster: string;
  readonly draft: Draft;
  readonly operators: Catalogue;
  /** Why the user may not draw here. */
  readonly whyReadOnly: string | null;
}

/** One canvas for both drawing and watching a topology. */
export function EditorPage({ id }: { readonly id: number }) {
  const open = useCallback(() => openTopology(id), [id]);
  const { data, refusal, reload } = useResource(open);
  useTitle(data?.topology.name);
  if (data === null) {
    if (refusal === null) return <Opening />;
    return <Missing title="This topology cannot be shown" refusal={toRefusal(refusal)} />;
  }
  return (
    <EditingFrame topology={data.topology} draft={data.draft} catalogue={data.operators} whyReadOnly={data.whyReadOnly}>
      <JobFrame deployment={{ topology: data.topology, job: data.job, cluster: data.cluster, reload }}>
        <ReactFlowProvider>
          <Desk />
        </ReactFlowProvider>
      </JobFrame>
    </EditingFrame>
  );
}

/** The bar of the editor until the server has answered, with the way home. */
function Opening() {
  return (
    <div className="desk" aria-busy="true">
      <header className="toolbar">
        <div className="bar">
          <HomeLink />
          <p className="opening quiet">Opening …</p>
        </div>
      </header>
    </div>
  );
}

/** The panels of the editor around the canvas. */
function Desk() {
  const { palette, inspector } = useSides();
  const isInspectorShown = useInspectorShown();
  const shownWidth = isInspectorShown ? inspector : 0;
  const columns = formatColumns({ palette, inspector: shownWidth });
  const covered = formatWidth("inspector", shownWidth);
  const live = use(LiveContext);
  const isPast = useInterface(({ view }) => view === "past");
  useShownField();
  usePlaceLink();
  return (
    <div className="desk" style={{ ["--columns" as string]: columns, ["--covered" as string]: covered }}>
      <Toolbar />
      <SidePanel side="palette" isShown={palette > 0}>
        <Palette />
      </SidePanel>
      <LiveContext value={isPast ? NO_LIVE : live}>
        <Canvas />
      </LiveContext>
      <SidePanel side="inspector" isShown={isInspectorShown}>
        <LiveContext value={isPast ? NO_LIVE : live}>
          <Inspector />
        </LiveContext>
      </SidePanel>
      {isPast && <PastBar />}
      <Drawer />
      <Tour />
    </div>
  );
}

async function openTopology(id: number): Promise<OpenTopology> {
  const [topology, draft, jobs, cluster, operators, rights] = await Promise.all([
    fetchTopology(id),
    fetchDraft(id),
    listJobs(),
    fetchChosenCluster(id),
    fetchCatalogue(),
    fetchRights(),
  ]);
  const whyReadOnly = explainWhyNot(rights, "editor", topology.project);
  return { topology, draft, operators, cluster, whyReadOnly, job: jobs.find((job) => job.topology === id) ?? null };
}

interface EditingProps {
  readonly topology: Topology;
  readonly draft: Draft;
  readonly catalogue: Catalogue;
  readonly whyReadOnly: string | null;
  readonly children: ReactNode;
}

/** Opens the editor once: a later answer of the server does not change the drawing. */
function EditingFrame({ topology, draft, catalogue, whyReadOnly, children }: EditingProps) {
  const [editing] = useState(() => startEditing(topology.id, draft, catalogue, whyReadOnly));
  useEffect(() => {
    const stopChecking = keepChecking(editing.store);
    const stopFollowing = followRenames(editing.store, editing.ui);
    editing.autosave.open();
    return () => {
      stopChecking();
      stopFollowing();
      editing.autosave.close();
    };
  }, [editing]);
  return <EditingContext value={editing}>{children}</EditingContext>;
}

/** Changes that this browser kept for the server are back on the canvas, and saved soon. */
function startEditing(topology: number, draft: Draft, catalogue: Catalogue, whyReadOnly: string | null): Editing {
  const document: Document = { graph: draft.graph, schemas: draft.schemas };
  const stash = readStash(topology);
  const store = createDocumentStore(topology, document, stash?.revision ?? draft.revision, whyReadOnly);
  const autosave = new Autosave(store);
  if (stash !== null) store.getState().edit(() => stash.document);
  const ui = createInterfaceStore(draft.graph.nodes.map(({ id }) => id));
  return { store, ui, autosave, catalogue, rules: makeRules(catalogue) };
}

function JobFrame({ deployment, children }: { readonly deployment: Deployment; readonly children: ReactNode }) {
  const { store } = useEditing();
  const { show } = useInterfaceActions();
  const isDeployed = deployment.job !== null;
  useEffect(() => {
    if (!isDeployed) show("draft"); // nothing runs now: only the draft is left
  }, [isDeployed, show]);
  useEffect(() => keepCheckingTopics(store, deployment.cluster), [store, deployment.cluster]);
  useDeployElsewhere(deployment);
  const job = deployment.job?.id ?? null;
  useEffect(() => {
    proveJob(job);
    return () => proveJob(null);
  }, [job]);
  const live = useLiveStore(job);
  return (
    <DeploymentContext value={deployment}>
      <LiveContext value={live}>{children}</LiveContext>
    </DeploymentContext>
  );
}

/** Notices the first deploy by another user, a command, or the product's first start. */
function useDeployElsewhere({ topology, job, reload }: Deployment): void {
  const look = useCallback(async () => {
    if (job !== null) return;
    const jobs = await listJobs().catch(() => []); // the next look asks again
    if (jobs.some((each) => each.topology === topology.id)) await reload();
  }, [topology.id, job, reload]);
  usePolling(look, LOOK_MS);
}
