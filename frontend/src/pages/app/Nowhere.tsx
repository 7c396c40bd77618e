import { Refusal } from "../../api/refusal";
import { Missing } from "../../ui/messages/Missing";

const NOTHING_HERE = new Refusal(404, "not_found", "There is no page at this address.", "Go home and look from there.");

export function Nowhere() {
  return <Missing title="Nothing here" refusal={NOTHING_HERE} />;
}
