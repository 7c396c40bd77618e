import { Link } from "../routing/Link";
import { hrefs } from "../routing/route";
import type { Refusal } from "../../api/refusal";
import { RefusalNotice } from "./Notice";
import "../controls/Button.css";
import "./Missing.css";

interface Props {
  readonly title: string;
  readonly refusal: Refusal;
}

/** A screen that cannot be shown: the reason, and a link home. */
export function Missing({ title, refusal }: Props) {
  const home = (
    <Link href={hrefs.home} className="button">
      Go home
    </Link>
  );
  return (
    <div className="missing">
      <h1>{title}</h1>
      <RefusalNotice refusal={refusal} action={home} />
    </div>
  );
}
