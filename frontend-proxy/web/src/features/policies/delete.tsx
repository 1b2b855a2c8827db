import { useQueryClient } from "@tanstack/react-query";

import { Confirm } from "../../components/dialog";
import { toast } from "../../components/toast";
import { deletePolicy } from "./stored";

/** A confirmation before a policy is deleted. */
export default function Delete({ policy: { urn, name }, onDone, onClose }: { policy: { urn: string; name: string }; onDone?: () => void; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete policy"
      onClose={onClose}
      onConfirm={async () => {
        await deletePolicy(urn);
        await queries.invalidateQueries({ queryKey: ["policies"] });
        toast({ title: `${name} was deleted` });
        onDone?.();
      }}
    >
      What it alone allows is refused from the next request on. This cannot be undone; to try it first, turn the policy off.
    </Confirm>
  );
}
