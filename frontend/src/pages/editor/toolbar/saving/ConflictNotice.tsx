import { useEffect, useState } from "react";
import { fetchDraft } from "../../../../api/calls";
import { toRefusal } from "../../../../api/refusal";
import { EMPTY, type Document } from "../../../../editor/document/document";
import { merge, mergeDocuments } from "../../../../editor/comparing/merge";
import { isMergeable, settle } from "../../../../editor/comparing/presence";
import { compareWithBase, describeClash, describeSide } from "../../../../editor/comparing/mergeSides";
import type { Conflict } from "../../../../editor/document/documentStore";
import { useDocument, useEditing } from "../../../../editor/interface/useEditor";
import { Button } from "../../../../ui/controls/Button";
import { Notice } from "../../../../ui/messages/Notice";
import { Prose } from "../../../../ui/messages/Prose";
import type { Word } from "../parts/TransientNotice";

interface Props {
  readonly conflict: Conflict;
  readonly say: (word: Word) => void;
}

type Choose = (mine: Document, theirs: Document) => Document;

/**
 * Another user saved first. If both changed the same: the user, the differences, and three choices. None loses
 * anything: Undo leads back. Otherwise both changes stay, and nothing is asked.
 */
export function ConflictNotice({ conflict, say }: Props) {
  const { store, autosave, rules } = useEditing();
  const mine = useDocument(({ document }) => document);
  const [isAsking, setAsking] = useState(() => !isMergeable(conflict, mine, rules.operators));
  useEffect(() => {
    if (isAsking) return;
    void settle({ store, autosave, operators: rules.operators }, conflict).then((isSettled) => setAsking(!isSettled));
  }, [isAsking, conflict, store, autosave, rules]);
  return isAsking ? <Question conflict={conflict} say={say} /> : null;
}

function Question({ conflict, say }: Props) {
  const { store, autosave, rules } = useEditing();
  const mine = useDocument(({ document }) => document);
  const [isBusy, setBusy] = useState(false);
  const { clashes } = merge(conflict.base, mine.graph, conflict.theirs, rules.operators);

  const resolve = async (choose: Choose, word: Word) => {
    setBusy(true);
    try {
      const draft = await fetchDraft(store.getState().topology);
      const theirs = { graph: draft.graph, schemas: draft.schemas };
      autosave.resolve(draft, theirs, choose(store.getState().document, theirs));
      say(word);
    } catch (error) {
      const { message, hint } = toRefusal(error);
      say({ tone: "bad", title: message, text: hint });
      setBusy(false);
    }
  };
  const both: Choose = (mine, theirs) => mergeDocuments(conflict.base, mine, theirs, rules.operators);
  const buttons = (
    <div className="ways">
      <Button look="primary" isBusy={isBusy} onClick={() => void resolve(both, MERGED)}>
        Merge
      </Button>
      <Button isBusy={isBusy} onClick={() => void resolve((mine) => mine, MINE)}>
        Keep mine
      </Button>
      <Button isBusy={isBusy} onClick={() => void resolve((_, theirs) => theirs, THEIRS)}>
        Take theirs
      </Button>
    </div>
  );
  return (
    <Notice tone="warn" title={conflict.message} action={buttons}>
      <dl className="sides">
        <dt>They</dt>
        <dd>
          <Prose text={describeSide(compareWithBase(conflict.base ?? EMPTY.graph, conflict.theirs))} />
        </dd>
        <dt>You</dt>
        <dd>
          <Prose text={describeSide(compareWithBase(conflict.base ?? EMPTY.graph, mine.graph))} />
        </dd>
        {clashes.length > 0 && (
          <>
            <dt>Both</dt>
            <dd>
              A merge keeps:
              <ul>
                {clashes.map((clash, index) => (
                  <li key={index}>
                    <Prose text={describeClash(clash)} />
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </Notice>
  );
}

const MERGED: Word = { tone: "info", title: "Merged.", text: "Undo once to get theirs, and twice to get yours." };
const MINE: Word = { tone: "info", title: "The draft is now yours.", text: "Undo to get theirs." };
const THEIRS: Word = { tone: "info", title: "The draft is now theirs.", text: "Undo to get yours." };
