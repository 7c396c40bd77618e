import { useState } from "react";
import { nameSetting } from "../../editor/checking/wording";
import { findPlaces } from "../../editor/document/finding";
import { useEditing } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { focusNode } from "../flow/focus";
import { sortMatches } from "./matching";
import { SearchPanel } from "./SearchPanel";
import { useCommands } from "./useCommands";
import "./Finder.css";

/** Users type more to narrow down a longer list. */
const MAX_PLACES = 30;

interface Props {
  readonly addNode: () => void;
  readonly close: () => void;
}

interface Row {
  readonly word: string;
  readonly about: string;
  readonly act: () => void;
}

/** Users type part of a name. Enter goes to the first match. */
export function Finder({ addNode, close }: Props) {
  const { ui } = useEditing();
  const { graph, isReadOnly } = useShownGraph();
  const commands = useCommands(isReadOnly, addNode);
  const [search, setSearch] = useState("");
  const goTo = (node: string, field: string | null) => {
    if (isReadOnly) ui.getState().select([node]);
    else ui.getState().goTo(node, field);
    if (field === null) focusNode(node);
  };
  // as in other products: only commands, and only places
  const begins = /^[/@]/.exec(search)?.[0];
  const query = begins === undefined ? search : search.slice(1);
  // "Value type" for value_type.fields.5.name: the rest of the path serves only to go there
  const name = (path: string) => nameSetting(path.replace(/\..*/, ""));
  const places = findPlaces(graph, query)
    .slice(0, MAX_PLACES)
    .map(({ node, field, text }): Row => ({
      word: node,
      about: field === null ? text : `${name(field)}: ${text}`,
      act: () => goTo(node, field),
    }));
  const matches = commands.map(({ word, keys, act }): Row => ({ word, about: keys ?? "", act }));
  const rows = sortMatches(query, begins === "@" ? [] : matches, begins === "/" ? [] : places);
  const choose = (row: Row | undefined) => {
    if (row === undefined) return;
    close();
    row.act();
  };
  return (
    <SearchPanel
      className="finder"
      label="Find"
      inputLabel="Find a node, topic, setting or command"
      search={search}
      change={setSearch}
      enter={() => choose(rows[0])}
      close={close}
    >
      <ul aria-label="Found">
        {rows.map((row, index) => (
          <li key={index}>
            <button type="button" onClick={() => choose(row)}>
              <b>{row.word}</b>
              <span className="quiet">{row.about}</span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p className="quiet">Nothing matches.</p>}
    </SearchPanel>
  );
}
