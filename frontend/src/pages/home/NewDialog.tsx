import { useState } from "react";
import { runWithSampleData } from "../../api/feed";
import { createTopology, fetchGallery, importTopology } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { useOperators } from "../../api/useOperators";
import { Button } from "../../ui/controls/Button";
import { Skeleton } from "../../ui/display/Skeleton";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { UNTITLED } from "../deploy/naming";
import { makeExport } from "./gallery";
import { GalleryList } from "./GalleryList";
import { ProjectChoice } from "./ProjectChoice";
import { useBeginning } from "./useBeginning";
import { useProject } from "./useProject";
import { useWhyNot } from "../../api/rights";

/** Creates a topology, empty or from an application of the gallery, and opens it. */
export function NewDialog({ close }: { readonly close: () => void }) {
  const { data, refusal } = useResource(fetchGallery);
  const operators = useOperators();
  const { isBusy, refusal: failure, begin } = useBeginning();
  const [project, choose] = useState<string>();
  const into = useProject(project);
  const whyNotRun = useWhyNot("operator", into);
  const notice = failure ?? refusal;

  const action = (
    <Button
      look="primary"
      isBusy={isBusy}
      onClick={() => void begin(createTopology(UNTITLED, into).then(({ id }) => id))}
    >
      Empty topology
    </Button>
  );
  return (
    <Dialog title="New topology" close={close} action={action}>
      <p>Start with an empty canvas or an example.</p>
      <ProjectChoice project={into} choose={choose} />
      {notice !== null && <RefusalNotice refusal={notice} />}
      {data === null && refusal === null && (
        <div className="gallery">
          <Skeleton rows={12} />
        </div>
      )}
      {data !== null && (
        <GalleryList
          applications={data}
          operators={operators}
          isBusy={isBusy}
          choose={(application) => void begin(importTopology(makeExport(application), into).then(({ id }) => id))}
          run={({ id }) => void begin(runWithSampleData(id, into).then(({ topology }) => topology))}
          whyNotRun={whyNotRun}
        />
      )}
    </Dialog>
  );
}

/** Asks how a new topology begins. */
export function NewButton() {
  const [isAsking, setAsking] = useState(false);
  const why = useWhyNot("editor");
  return (
    <>
      <Button look="primary" why={why} onClick={() => setAsking(true)}>
        New topology
      </Button>
      {isAsking && <NewDialog close={() => setAsking(false)} />}
    </>
  );
}
