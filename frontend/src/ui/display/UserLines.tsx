import { Link } from "../routing/Link";
import { hrefs } from "../routing/route";
import type { UserLine } from "./userLines";
import "./UserLines.css";

/** The topologies and jobs that read and write something, a line each, with links to their nodes. */
export function UserLines({ lines }: { readonly lines: readonly UserLine[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="user-lines">
      {lines.map(({ topology, job, name, does, nodes }) => (
        <li key={`${topology} ${job} ${does}`}>
          <Link href={job === null ? hrefs.editor(topology) : hrefs.job(job)} className="link">
            {name}
          </Link>
          {job === null && " (draft)"} {does} it:{" "}
          {nodes.map((node) => (
            <Link key={node} href={hrefs.editor(topology, { node })} className="link">
              <code>{node}</code>{" "}
            </Link>
          ))}
        </li>
      ))}
    </ul>
  );
}
