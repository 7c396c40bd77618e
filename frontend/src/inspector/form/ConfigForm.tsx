import { useEffect, useEffectEvent, useMemo, useRef, type RefObject } from "react";
import type { Issue, Operator } from "../../api/types";
import { configure, nodeOf } from "../../editor/document";
import { applyFix } from "../../editor/fixing";
import { useActions, useEditor } from "../../editor/useEditor";
import type { GraphNode } from "../../graph/graph";
import { useTopicLook } from "../topic/useTopicLook";
import { fieldsOf, type JsonSchema } from "./fields";
import { FormContext, type Form } from "./FormContext";
import { FormField } from "./FormField";
import { IssueLines } from "./IssueLines";
import { pathsOf, textOf, withValue } from "./paths";
import { ownerOf, placedAt } from "./placing";
import "./controls.css";
import "./ConfigForm.css";

interface Props {
  readonly node: GraphNode;
  readonly operator: Operator;
  readonly cluster: string;
}

const NONE: readonly Issue[] = [];
const FOCUSABLE = "input, select, [contenteditable='true'], button";

/** The settings of a node, whatever its operator: the catalogue says which fields there are. */
export function ConfigForm({ node, operator, cluster }: Props) {
  const { edit } = useActions();
  const all = useEditor(({ checked }) => checked?.issues ?? NONE);
  const fields = useMemo(() => fieldsOf(operator.form as JsonSchema), [operator]);
  const paths = useMemo(() => pathsOf(fields, node.config), [fields, node.config]);
  const issues = useMemo(() => placedAt(all.filter((issue) => issue.node === node.id), paths), [all, node.id, paths]);
  const hasTopic = fields.some(({ kind }) => kind === "topic");
  const topic = useTopicLook(cluster, hasTopic ? textOf(node.config.topic) : null);
  const section = useRef<HTMLElement>(null);
  useFocus(section, node.id, paths);

  const form: Form = {
    node,
    isSource: operator.family === "sources",
    issues,
    topic,
    change: (path, value) =>
      edit((document) => {
        const config = nodeOf(document, node.id)?.config ?? {};
        return configure(node.id, withValue(config, path, value))(document);
      }, `config ${node.id}.${path}`),
    mend: (issue) => edit((document) => applyFix(document, issue)),
  };
  return (
    <FormContext value={form}>
      {issues.above.length > 0 && <IssueLines issues={issues.above} />}
      <section ref={section} className="config-form" aria-label="Settings">
        {fields.length === 0 && <p className="quiet">Nothing to set: it does one thing.</p>}
        {fields.map((field) => (
          <FormField key={field.name} field={field} />
        ))}
      </section>
    </FormContext>
  );
}

/** Goes to the field that somebody asked for elsewhere: in the list of problems, on the canvas. */
function useFocus(section: RefObject<HTMLElement | null>, node: string, paths: readonly string[]): void {
  const focus = useEditor((editor) => editor.focus);
  const go = useEffectEvent((wanted: string) => {
    const path = ownerOf(wanted, paths);
    const field = path === null ? null : section.current?.querySelector(`[data-field="${CSS.escape(path)}"]`);
    field?.scrollIntoView({ block: "center" });
    field?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (focus?.node === node) go(focus.field);
  }, [focus, node]);
}
