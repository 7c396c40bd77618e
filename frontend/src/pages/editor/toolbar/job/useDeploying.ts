import { useState } from "react";
import { checkDocument } from "../../../../api/calls";
import { toRefusal } from "../../../../api/refusal";
import { useEditing } from "../../../../editor/interface/useEditor";
import type { Word } from "../parts/TransientNotice";
import { describeSaving } from "../saving/savingText";
import { describeProblems } from "../parts/text";

/** The steps of Deploy before it asks: saves the draft, and looks for problems that prevent a deploy. */
export function useDeploying(ask: () => void, say: (word: Word) => void): { isBusy: boolean; press: () => void } {
  const { store, ui, autosave } = useEditing();
  const [isBusy, setBusy] = useState(false);

  const prepare = async () => {
    const { setCheckResult } = store.getState();
    const { openDrawer, show } = ui.getState();
    if (!(await autosave.flush())) {
      say({ tone: "bad", title: "Cannot deploy yet.", text: `${describeSaving(store.getState().saving)}.` });
      return;
    }
    const { document } = store.getState();
    const result = await checkDocument(document);
    setCheckResult(result, document);
    if (result.issues.length === 0) {
      ask();
      return;
    }
    show("draft");
    openDrawer("problems");
    say({ tone: "warn", title: describeProblems(result.issues), text: "What to do is listed below the canvas." });
  };
  const press = () => {
    setBusy(true);
    prepare()
      .catch((error: unknown) => {
        const { message, hint } = toRefusal(error);
        say({ tone: "bad", title: message, text: hint });
      })
      .finally(() => {
        setBusy(false);
        if (ui.getState().asking === "check") ui.getState().ask(null);
      });
  };
  return { isBusy, press };
}
