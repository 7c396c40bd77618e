import { useEffect, useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { addComment, noteMentionsSeen, resolveComment, type Comment } from "../api/comments";
import { toRefusal, type Refusal } from "../api/refusal";
import { useWhyNot } from "../api/rights";
import { useDeployment } from "../editor/interface/useDeployment";
import { useInterface, useInterfaceActions } from "../editor/interface/useEditor";
import { loadComments, useComments } from "../live/comments";
import { Ago } from "../ui/display/Ago";
import { Button } from "../ui/controls/Button";
import { RefusalNotice } from "../ui/messages/Notice";
import { MentionBox } from "./MentionBox";
import "./CommentsPart.css";

/** The comments on a node, open ones first, and a field for the next. `@name` mentions a user. */
export function CommentsPart({ node }: { readonly node: string }) {
  const { topology } = useDeployment();
  const all = useComments(({ comments }) => comments);
  const whyNot = useWhyNot("editor", topology.project);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const comments = all.filter((comment) => comment.node === node);
  const [open, resolved] = [comments.filter(isOpen), comments.filter((one) => !isOpen(one))];
  useEffect(() => {
    if (comments.length > 0) void noteMentionsSeen(topology.id).catch(() => undefined);
  }, [topology.id, comments.length]);

  const send = async (request: Promise<unknown>): Promise<boolean> => {
    setRefusal(null);
    try {
      await request;
      await loadComments(topology.id);
      return true;
    } catch (error) {
      setRefusal(toRefusal(error));
      return false;
    }
  };
  const resolve = ({ id, resolved_at }: Comment) => void send(resolveComment(topology.id, id, resolved_at === null));
  return (
    <section className="part comments-part" aria-label="Comments">
      <h3>Comments</h3>
      {open.map((comment) => (
        <Entry key={comment.id} comment={comment} whyNot={whyNot} resolve={() => resolve(comment)} />
      ))}
      {resolved.length > 0 && (
        <details>
          <summary>{resolved.length} resolved</summary>
          {resolved.map((comment) => (
            <Entry key={comment.id} comment={comment} whyNot={whyNot} resolve={() => resolve(comment)} />
          ))}
        </details>
      )}
      <NewComment
        node={node}
        topology={topology.id}
        whyNot={whyNot}
        add={(text) => send(addComment(topology.id, node, text))}
      />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </section>
  );
}

function isOpen({ resolved_at }: Comment): boolean {
  return resolved_at === null;
}

interface EntryProps {
  readonly comment: Comment;
  readonly whyNot: string | null;
  readonly resolve: () => void;
}

function Entry({ comment, whyNot, resolve }: EntryProps) {
  const { author, created_at, text, resolved_by } = comment;
  return (
    <article className={isOpen(comment) ? "comment" : "comment is-resolved"}>
      <header>
        <b>{author ?? "a deleted user"}</b>
        <span className="quiet">
          <Ago at={created_at} />
        </span>
        <Button why={whyNot} onClick={resolve}>
          {isOpen(comment) ? "Resolve" : "Open again"}
        </Button>
      </header>
      <p>{text.split(MENTION).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</p>
      {resolved_by !== null && <p className="quiet">Resolved by {resolved_by}</p>}
    </article>
  );
}

const MENTION = /((?<![\w@.+-])@[\w@.+-]*\w)/;

interface NewCommentProps {
  readonly node: string;
  readonly topology: number;
  readonly whyNot: string | null;
  readonly add: (text: string) => Promise<boolean>;
}

/** The next comment. What is written stays when another node is selected, and is sent once. */
function NewComment({ node, topology, whyNot, add }: NewCommentProps) {
  const text = useInterface(({ writtenComments }) => writtenComments.get(node) ?? "");
  const { writeComment, settleComment } = useInterfaceActions();
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    if (isBusy || text.trim() === "") return;
    setBusy(true);
    if (await add(text)) {
      // the button goes with the text: who pressed it goes on in the field
      if (form.contains(document.activeElement)) form.querySelector("textarea")?.focus();
      settleComment(node, text);
    }
    setBusy(false);
  };
  const handleSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(event.currentTarget);
  };
  const handleKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit(event.currentTarget);
  };
  return (
    <form onSubmit={handleSubmit} onKeyDown={handleKey}>
      <MentionBox topology={topology} text={text} whyNot={whyNot} change={(text) => writeComment(node, text)} />
      {text.trim() !== "" && (
        <Button why={whyNot} look="primary" type="submit" isBusy={isBusy}>
          Comment
        </Button>
      )}
    </form>
  );
}
