import { useState } from "react";
import { listAlertRules, listEndedAlerts, listJobs } from "../../api/calls";
import { useRights } from "../../api/rights";
import type { Alert } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { fetchAlerts, useAlerts, useAreAlertsKnown } from "../../live/alerts";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Panel } from "../../ui/display/Panel";
import { Skeleton } from "../../ui/display/Skeleton";
import { useTitle } from "../../ui/routing/useTitle";
import { AlertTable } from "./AlertTable";
import { ChannelsPanel } from "./ChannelsPanel";
import { explainWhyNotOf } from "./mayChange";
import { RulesPanel } from "./RulesPanel";
import { SilenceDialog } from "./SilenceDialog";
import { SilencesPanel } from "./SilencesPanel";
import "./Alerts.css";

const LOOK_MS = 5_000;

/** Firing alerts, their rules, and the receivers of messages. */
export function Alerts() {
  const open = useAlerts((alerts) => alerts);
  const isKnown = useAreAlertsKnown();
  const rules = useResource(listAlertRules);
  const past = useResource(listEndedAlerts);
  const { data: jobs } = useResource(listJobs);
  const rights = useRights();
  const [silencing, setSilencing] = useState<Alert | null>(null);
  const [silences, setSilences] = useState(0);
  usePolling(past.reload, LOOK_MS);
  useTitle("Alerts");
  const refusal = rules.refusal ?? past.refusal;
  const reloadAll = async () => {
    setSilences((times) => times + 1);
    await fetchAlerts();
  };
  const explain = (job: number | null) => explainWhyNotOf(job, jobs, rights);
  return (
    <div className="page alerts">
      <h1>Alerts</h1>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <Panel title="Now">
        {!isKnown && <Skeleton rows={3} />}
        {isKnown && open.length === 0 && <p className="nothing">No alert is firing.</p>}
        {open.length > 0 && <AlertTable alerts={open} silence={setSilencing} explain={explain} />}
      </Panel>
      <SilencesPanel key={silences} kinds={rules.data ?? []} onChange={reloadAll} explain={explain} />
      {rules.data !== null && <RulesPanel kinds={rules.data} jobs={jobs} reload={rules.reload} />}
      <ChannelsPanel />
      {past.data !== null && past.data.length > 0 && (
        <Panel title="Before" aside="kept for 90 days">
          <AlertTable alerts={past.data} silence={null} explain={explain} />
        </Panel>
      )}
      {silencing !== null && <SilenceDialog alert={silencing} onSilence={reloadAll} close={() => setSilencing(null)} />}
    </div>
  );
}
