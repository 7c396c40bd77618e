import { follow, type Wanted } from "../editor/following";
import { useInterfaceActions } from "../editor/useEditor";
import { Button } from "../parts/Button";

/** Follows a record or row that is seen in another tab of the drawer. */
export function FollowRecord({ wanted }: { readonly wanted: Wanted }) {
  const { openDrawer } = useInterfaceActions();
  const pressed = () => {
    follow(wanted);
    openDrawer("trial");
  };
  return <Button onClick={pressed}>Follow</Button>;
}
