import { useState } from "react";
import { useRights } from "../../api/rights";
import type { Kind, Rule } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Panel } from "../../ui/display/Panel";
import { TableHead } from "../../ui/display/TableHead";
import { explainWhyNotRule, type Jobs } from "./mayChange";
import { RuleDialog } from "./RuleDialog";
import { describeLimit, describePlace, formatPlace } from "./text";

interface Props {
  readonly kinds: readonly Kind[];
  readonly jobs: Jobs;
  readonly reload: () => Promise<void>;
}

interface Changing {
  readonly kind: Kind;
  readonly rule: Rule;
}

/** The limits of each kind of alert: for all, and for projects and jobs with their own rule. */
export function RulesPanel({ kinds, jobs, reload }: Props) {
  const rights = useRights();
  const [changing, setChanging] = useState<Changing | null>(null);
  return (
    <Panel title="Rules">
      <div className="table-scroll">
        <table>
          <TableHead words={["Rule", "Of", "Fires", "Set by"]} action="Actions" />
          <tbody>
            {kinds.flatMap((kind) =>
              [kind.rule, ...kind.of_projects, ...kind.of_jobs].map((rule) => (
                <RuleRow
                  key={`${kind.kind} ${formatPlace(rule)}`}
                  kind={kind}
                  rule={rule}
                  why={explainWhyNotRule(kind, rule, jobs, rights)}
                  change={() => setChanging({ kind, rule })}
                />
              )),
            )}
          </tbody>
        </table>
      </div>
      {changing !== null && <RuleDialog {...changing} onChange={reload} close={() => setChanging(null)} />}
    </Panel>
  );
}

interface RowProps extends Changing {
  readonly why: string | null;
  readonly change: () => void;
}

function RuleRow({ kind, rule, why, change }: RowProps) {
  const isFirst = formatPlace(rule) === "";
  return (
    <tr>
      <th scope="row">
        {isFirst ? kind.title : <span className="for-screen-readers">{kind.title}</span>}
        {isFirst && <small>{kind.help}</small>}
      </th>
      <td>{describePlace(kind, rule)}</td>
      <td className={rule.is_on ? undefined : "quiet"}>{describeLimit(kind, rule)}</td>
      <td className="quiet">{rule.by || "default"}</td>
      <td className="actions">
        <Button why={why} onClick={change}>
          Change<span className="for-screen-readers"> {kind.title}</span>
        </Button>
      </td>
    </tr>
  );
}
