import type { Delivery } from "../../api/types";
import { Ago } from "../../ui/display/Ago";
import { Panel } from "../../ui/display/Panel";
import { Prose } from "../../ui/messages/Prose";
import { TableHead } from "../../ui/display/TableHead";
import { describeArrival } from "./text";

const SHOWN = 20;

/** The newest messages with their results. Empty if none was sent. */
export function Messages({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return null;
  return (
    <Panel title="Messages" aside={`the newest ${SHOWN}`}>
      <div className="table-scroll">
        <table>
          <TableHead words={["Channel", "State", "Message", "Tries", "Answer", "When"]} figures={["Tries"]} />
          <tbody>
            {deliveries.slice(0, SHOWN).map((delivery) => (
              <MessageRow key={delivery.id} delivery={delivery} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function MessageRow({ delivery }: { readonly delivery: Delivery }) {
  const [word, tone] = describeArrival(delivery);
  return (
    <tr>
      <th scope="row">{delivery.channel}</th>
      <td>
        <span className={`status ${tone}`}>{word}</span>
      </td>
      <td className="what">
        {delivery.what === "ended" && <b>Ended: </b>}
        <Prose text={delivery.text} />
      </td>
      <td className="figure">{delivery.tries}</td>
      <td className="what quiet">{delivery.answer}</td>
      <td className="quiet">
        <Ago at={delivery.at} />
      </td>
    </tr>
  );
}
