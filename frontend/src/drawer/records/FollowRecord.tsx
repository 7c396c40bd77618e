import { follow, type FollowTarget } from "../../editor/interface/following";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";

/** Follows a record or row from another tab of the drawer. */
export function FollowRecord({ target }: { readonly target: FollowTarget }) {
  const { openDrawer } = useInterfaceActions();
  const press = () => {
    follow(target);
    openDrawer("trial");
  };
  return <Button onClick={press}>Follow</Button>;
}
