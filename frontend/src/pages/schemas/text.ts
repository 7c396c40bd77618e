/** What a new schema does to a drawing or job, in a few words. */
export function describeEffect({ effect, consequences, has_problems }: GuardReport["affected"][number]): string {
  if (effect === "breaks") return "records fail at once";
  if (effect === "unaffected") return has_problems ? "unaffected, as far as it can be judged" : "unaffected";
  const isSoon = consequences.some(({ when }) => when === "at_once");
  return isSoon ? "no record fails, but results may change" : "something to do when it is adopted";
}

/** Words about subjects and their users. */
import type { GuardReport, Subject, SubjectUse } from "../../api/types";

/** "read by Orders, written by Shop" */
export function describeUses(uses: readonly SubjectUse[]): string {
  const name = (does: SubjectUse["does"]) =>
    [...new Set(uses.filter((use) => use.does === does).map((use) => use.name))].join(", ");
  const parts = [
    ["read by", name("reads")],
    ["written by", name("writes")],
  ];
  return parts
    .filter(([, names]) => names !== "")
    .map((part) => part.join(" "))
    .join(", ");
}

/** Whether the text is in a subject's name, or in the name of a topology or node that uses it. */
export function fits({ name, uses }: Subject, text: string): boolean {
  const query = text.trim().toLowerCase();
  return [name, ...uses.flatMap((use) => [use.name, use.node])].some((one) => one.toLowerCase().includes(query));
}

/** JSON with one member a line. Other texts, such as Protobuf, as they are. */
export function formatSchema(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The topic and the side of a subject: of who reads or writes with it, else as the naming strategy of topics says. */
export function splitSubject(
  subject: string,
  uses: readonly SubjectUse[] = [],
): { readonly topic: string; readonly side: "key" | "value" } {
  const side = subject.endsWith("-key") ? "key" : "value";
  const use = uses.find(({ does }) => does === "reads") ?? uses[0];
  return { topic: use?.topic ?? subject.replace(/-(key|value)$/, ""), side };
}
