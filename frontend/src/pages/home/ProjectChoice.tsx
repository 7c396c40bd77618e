import { listProjects, useRights } from "../../api/rights";
import "../../ui/controls/controls.css";

interface Props {
  readonly project: string;
  readonly choose: (project: string) => void;
}

/** The project of a new item. Hidden from users who may draw in only one. */
export function ProjectChoice({ project, choose }: Props) {
  const rights = useRights();
  const projects = rights === null ? [] : listProjects(rights, "editor");
  if (projects.length < 2) return null;
  return (
    <div className="controls">
      <label>
        <span>Project</span>
        <select value={project} onChange={({ target }) => choose(target.value)}>
          {projects.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
