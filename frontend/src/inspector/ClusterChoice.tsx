import { useState } from "react";
import { chooseCluster, clusters } from "../api/calls";
import { refusalFrom } from "../api/refusal";
import { useFetched } from "../api/useFetched";
import { Link } from "../routing/Link";
import { hrefs } from "../routing/route";
import { useDeployed } from "../editor/interface/useDeployed";
import { Prose } from "../parts/messages/Prose";

/** Which cluster's topics are drawn with. A job moves only when it is deployed again. */
export function ClusterChoice() {
  const { topology, cluster, reload } = useDeployed();
  const known = useFetched(clusters).data?.clusters ?? [];
  const [refused, setRefused] = useState("");
  const choose = async (name: string) => {
    try {
      await chooseCluster(topology.id, name);
      await reload();
      setRefused("");
    } catch (error) {
      setRefused(refusalFrom(error).message);
    }
  };
  if (known.length < 2) return <Link href={hrefs.clusters}>{cluster}</Link>;
  return (
    <>
      <select aria-label="Cluster" value={cluster} onChange={(event) => void choose(event.target.value)}>
        {known.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {refused !== "" && (
        <p role="alert">
          <Prose text={refused} />
        </p>
      )}
    </>
  );
}
