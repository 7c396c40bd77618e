import { Link } from "../app/Link";
import { hrefs } from "../app/route";
import { Notice } from "../parts/Notice";

export function Nowhere() {
  return (
    <Notice
      tone="info"
      title="There is no page at this address."
      action={
        <Link href={hrefs.home} className="button">
          Go home
        </Link>
      }
    />
  );
}
