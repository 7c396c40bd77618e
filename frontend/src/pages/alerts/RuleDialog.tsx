import { useState } from "react";
import { listJobs, resetAlertRule, setAlertRule } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { explainWhyNotClusters, listProjects, useRights } from "../../api/rights";
import type { Kind, Rule } from "../../api/types";
import { useResource } from "../../api/useResource";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { useOwnClose } from "../../ui/messages/useOwnClose";
import { describeLimit, formatPlace, nameThreshold, parsePlace } from "./text";

interface Props {
  readonly kind: Kind;
  readonly rule: Rule;
  readonly onChange: () => Promise<void>;
  readonly close: () => void;
}

/** The limits of a rule: for all, for the jobs of a project, or for one job. */
export function RuleDialog({ kind, rule, onChange, close }: Props) {
  const { data: jobs } = useResource(listJobs);
  const rights = useRights();
  const [form, setForm] = useState(rule);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  const change = (part: Partial<Rule>) => setForm((before) => ({ ...before, ...part }));
  const isSet = form.by !== "" && formatPlace(form) === formatPlace(rule);
  const attempt = async (act: Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await act;
      await onChange();
      closeThis();
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  const { is_on, seconds } = form;
  const threshold = kind.has_limit ? form.threshold : 0;
  const projects = rights === null ? [] : listProjects(rights, "operator");
  const whyNotAll = explainWhyNotClusters(rights);
  const whyNot = formatPlace(form) === "" ? whyNotAll : null;
  const isValid = [threshold, seconds].every((value) => Number.isFinite(value) && value >= 0);
  const save = () => void attempt(setAlertRule(kind.kind, form, { is_on, threshold, seconds: Math.round(seconds) }));
  const action = (
    <>
      {isSet && (
        <Button isBusy={isBusy} why={whyNot} onClick={() => void attempt(resetAlertRule(kind.kind, rule))}>
          {formatPlace(rule) === "" ? "Use the default" : "Remove"}
        </Button>
      )}
      <Button look="primary" isBusy={isBusy} why={whyNot} disabled={!isValid} onClick={save}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog title={kind.title} close={close} action={action}>
      <p>
        {kind.help} Default: {describeLimit(kind, kind.usual)}.
      </p>
      <div className="controls alert-form">
        {!kind.is_of_host && (
          <label>
            <span>Of</span>
            <select value={formatPlace(form)} onChange={({ target }) => change(parsePlace(target.value))}>
              <option value="" disabled={whyNotAll !== null} title={whyNotAll ?? undefined}>
                All jobs
              </option>
              <optgroup label="Projects">
                {projects.map((project) => (
                  <option key={project} value={formatPlace({ job: null, project })}>
                    {project}
                  </option>
                ))}
              </optgroup>
              <optgroup label="Jobs">
                {jobs
                  ?.filter(({ project }) => projects.includes(project))
                  .map(({ id, name }) => (
                    <option key={id} value={formatPlace({ job: id, project: null })}>
                      {name}
                    </option>
                  ))}
              </optgroup>
            </select>
          </label>
        )}
        <label className="check">
          <input type="checkbox" checked={is_on} onChange={({ target }) => change({ is_on: target.checked })} />
          <span>On</span>
        </label>
        {kind.has_limit && (
          <Amount label={nameThreshold(kind)} value={threshold} write={(threshold) => change({ threshold })} />
        )}
        <Amount label="For, in s" value={seconds} write={(seconds) => change({ seconds })} />
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}

interface AmountProps {
  readonly label: string;
  readonly value: number;
  readonly write: (value: number) => void;
}

function Amount({ label, value, write }: AmountProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={0}
        value={Number.isNaN(value) ? "" : value}
        onChange={({ target }) => write(target.valueAsNumber)}
      />
    </label>
  );
}
