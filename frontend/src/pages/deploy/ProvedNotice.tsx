import type { Proof } from "../../api/types";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { describeProved } from "./proved";

/** What the newest proof says about this deploy: over which batches it compared, or why it no longer counts. */
export function ProvedNotice({ proof }: { readonly proof: Proof }) {
  if (proof.report === null || proof.failure !== null) return null;
  if (proof.outdated !== "") {
    return (
      <p className="quiet">
        There is a proof, but it is out of date. <Prose text={proof.outdated} />
      </p>
    );
  }
  return (
    <Notice tone={proof.report.equal ? "info" : "warn"} title={proof.report.sentence}>
      <p>{describeProved(proof.report, proof.against)}</p>
      <p>
        <b>Cut over</b> runs exactly what was proved, and keeps the state of the version before for a day, so that you
        can go back. {proof.about_state}
      </p>
      {proof.takes_state && (
        <p>
          What this dialog says of state is about <b>Deploy</b>.
        </p>
      )}
    </Notice>
  );
}
