import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from "react";
import type { GraphNode, Issue, Operator } from "../../api/types";
import { configureNode, findPortLists } from "../../editor/edits/configuring";
import { findNode } from "../../editor/document/document";
import { applyFix } from "../../editor/checking/fixing";
import { useDocument, useDocumentActions, useEditing, useInterface } from "../../editor/interface/useEditor";
import { followTypes, type Arriving } from "../../editor/graph/ports";
import { useTopicLook } from "../topic/useTopicLook";
import { useRestingValue } from "../../ui/browser/useRestingValue";
import { DrawnField } from "./DrawnField";
import {
  listFields,
  chooseWay,
  collectFormValues,
  listFieldViews,
  listWays,
  type Field,
  type FieldView,
} from "../form/fields";
import { FormContext, type Form } from "../form/FormContext";
import { Fold } from "./Fold";
import { WayChoice } from "./WayChoice";
import { IssueLines } from "../form/FieldFrame";
import { listPaths, readText, withValue } from "../form/paths";
import { findOwner, groupIssues } from "../form/placing";
import "../../ui/controls/controls.css";
import "./ConfigForm.css";

interface Props {
  readonly node: GraphNode;
  readonly operator: Operator;
  readonly cluster: string;
}

const NONE: readonly Issue[] = [];

/** A quiet hint about a folded field stands above the form, and leaves the fold closed. */
function unfold(hints: readonly Issue[], fields: readonly Field[]): readonly Issue[] {
  const folded = new Set(fields.filter(({ more }) => more !== null).map(({ name }) => name));
  return hints.map((hint) => (folded.has(hint.field?.split(".", 1)[0] ?? "") ? { ...hint, field: null } : hint));
}
const FOCUSABLE = "input, select, textarea, [contenteditable='true'], button";

/** The settings of any node. The catalogue describes the fields. */
export function ConfigForm({ node, operator, cluster }: Props) {
  const { edit } = useDocumentActions();
  // an answer of the checks moves what is below it: under a held pointer, the click would miss its button
  const problems = useRestingValue(useDocument((editor) => editor.issues ?? NONE));
  const hints = useRestingValue(useDocument((editor) => editor.hints));
  const fields = useMemo(
    () => {
      const isMore = ({ more }: Field) => Number(more !== null);
      return listFields(operator.form).toSorted((one, other) => isMore(one) - isMore(other));
    },
    [operator],
  );
  const arriving = useArriving(node.id);
  const values = useMemo(() => collectFormValues(fields, node.config, arriving), [fields, node.config, arriving]);
  const [choice, setChoice] = useState<string | null>(null);
  const paths = useMemo(() => listPaths(fields, node.config, values, choice), [fields, node.config, values, choice]);
  const wasLeft = useInterface((editor) => editor.leftIds.has(node.id));
  const issues = useMemo(() => {
    const own = [...problems, ...unfold(hints, fields)].filter((issue) => issue.node === node.id);
    // a node that was just added has no reader yet
    return groupIssues(wasLeft ? own : own.filter(({ code }) => code !== "node.unused"), paths);
  }, [problems, hints, fields, node.id, paths, wasLeft]);
  const hasTopic = fields.some(({ kind }) => kind === "topic");
  const topic = useTopicLook(cluster, hasTopic ? readText(node.config.topic) : null);
  const section = useRef<HTMLElement>(null);
  useFocus(section, node.id, paths);

  const form: Form = {
    node,
    operator,
    portLists: useMemo(() => findPortLists(operator), [operator]),
    isSource: operator.topic_use === "reads",
    issues,
    topic,
    change: (path, value) =>
      edit((document) => {
        const config = findNode(document, node.id)?.config ?? {};
        return configureNode(node.id, withValue(config, path, value), operator)(document);
      }, `config ${node.id}.${path}`),
    fix: (issue) => edit((document) => applyFix(document, issue)),
  };
  const views = listFieldViews(fields, node.config, values, choice);
  const usual = views.filter(({ isMore }) => !isMore);
  const more = views.filter(({ isMore }) => isMore);
  const ways = listWays(fields, values);
  const choose = (way: string) => {
    setChoice(way);
    const others = new Set(fields.filter((field) => field.way !== "" && field.way !== way).map(({ name }) => name));
    edit((document) => {
      const settings = Object.entries(findNode(document, node.id)?.config ?? {});
      const config = Object.fromEntries(settings.filter(([name]) => !others.has(name)));
      return configureNode(node.id, config, operator)(document);
    });
  };
  const draw = (one: FieldView) => <DrawnField key={one.field.name} view={one} values={values} />;
  return (
    <FormContext value={form}>
      {issues.above.length > 0 && <IssueLines issues={issues.above} />}
      <section ref={section} className="config-form" aria-label="Settings">
        {fields.length === 0 && <p className="quiet">No settings.</p>}
        {ways.length > 0 && (
          <WayChoice ways={ways} current={chooseWay(fields, node.config, values, choice)} choose={choose} />
        )}
        {usual.map(draw)}
        {more.length > 0 && (
          <Fold isOpen={more.some(({ field }) => node.config[field.name] !== undefined || issues.at.has(field.name))}>
            {more.map(draw)}
          </Fold>
        )}
      </section>
    </FormContext>
  );
}

/** The type at each port of a node. The object stays the same until one changes. */
function useArriving(node: string): Arriving {
  const { operators } = useEditing().rules;
  const text = useDocument(({ document }) => JSON.stringify(followTypes(document.graph, operators).arriving(node)));
  return useMemo(() => JSON.parse(text) as Arriving, [text]);
}

/** Goes to the field that was requested elsewhere: in the list of problems, on the canvas. */
function useFocus(section: RefObject<HTMLElement | null>, node: string, paths: readonly string[]): void {
  const focus = useInterface((editor) => editor.focus);
  const go = useEffectEvent((name: string | null) => {
    const path = name === null ? (paths[0] ?? null) : findOwner(name, paths);
    const field = path === null ? null : section.current?.querySelector(`[data-field="${CSS.escape(path)}"]`);
    field?.closest("details")?.setAttribute("open", "");
    field?.scrollIntoView({ block: "center" });
    field?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (focus?.node === node) go(focus.field);
  }, [focus, node]);
}
