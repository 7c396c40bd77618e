import { useState } from "react";
import { chooseCluster, listClusters } from "../api/calls";
import { toRefusal } from "../api/refusal";
import { useResource } from "../api/useResource";
import { Link } from "../ui/routing/Link";
import { hrefs } from "../ui/routing/route";
import { useDeployment } from "../editor/interface/useDeployment";
import { Prose } from "../ui/messages/Prose";

/** The cluster of the draft's topics. A job moves only at its next deploy. */
export function ClusterChoice() {
  const { topology, cluster, reload } = useDeployment();
  const options = useResource(listClusters).data?.clusters ?? [];
  const [refusal, setRefusal] = useState("");
  const choose = async (name: string) => {
    try {
      await chooseCluster(topology.id, name);
      await reload();
      setRefusal("");
    } catch (error) {
      setRefusal(toRefusal(error).message);
    }
  };
  if (options.length < 2) return <Link href={hrefs.clusters}>{cluster}</Link>;
  return (
    <>
      <select aria-label="Cluster" value={cluster} onChange={(event) => void choose(event.target.value)}>
        {options.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {refusal !== "" && (
        <p role="alert">
          <Prose text={refusal} />
        </p>
      )}
    </>
  );
}
