import { useState } from "react";
import type { Application } from "../../api/types";
import type { Operators } from "../../api/useOperators";
import { Picture } from "../../graph/Picture";
import { Search } from "../../parts/Search";
import { findApplications } from "./gallery";
import "./GalleryList.css";

interface Props {
  readonly applications: readonly Application[];
  readonly operators: Operators;
  readonly busy: boolean;
  readonly choose: (application: Application) => void;
}

/** Applications to begin with, each with its picture and what it does; those that fit the search. */
export function GalleryList({ applications, operators, busy, choose }: Props) {
  const [search, setSearch] = useState("");
  const shown = findApplications(applications, search);
  return (
    <div className="gallery">
      <Search label="Search applications" value={search} change={setSearch} hasKey={false} />
      <ul aria-label="Applications">
        {shown.map((application) => (
          <li key={application.id}>
            <button type="button" disabled={busy} onClick={() => choose(application)}>
              <span className="graph">
                <Picture graph={application.graph} operators={operators} />
              </span>
              <span className="text">
                <strong>{application.name}</strong>
                <small>{application.about}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="quiet">No match. Clear the search.</p>}
    </div>
  );
}
