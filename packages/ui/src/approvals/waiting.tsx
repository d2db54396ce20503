/** In a room: the request of a waiting agent, which admins can answer. */
import type { LiveActivation } from "@hearth/client";
import type { Approval } from "@hearth/protocol";
import { useState } from "react";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse } from "../house/ui.tsx";
import { hasRight, mayApprove } from "../house/may.ts";
import { ApprovalCard } from "./approval-card.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import * as texts from "./text.ts";

export interface WaitingProps {
  readonly activation: LiveActivation;
  readonly name: string;
}

export const Waiting = ({ activation, name }: WaitingProps) => {
  const { me, agents } = useHouse();
  const canDecide = mayApprove(me) && hasRight(me, "approve", agents.get(activation.agent)?.house);
  return canDecide ? <PendingRequest activation={activation} /> : <WaitsForAdmin name={name} />;
};

const WaitsForAdmin = ({ name }: Pick<WaitingProps, "name">) => (
  <p className={styles.quiet}>
    <bdi>{name}</bdi> {texts.waitsForAdmin}
  </p>
);

const PendingRequest = ({ activation }: Pick<WaitingProps, "activation">) => {
  const { value, error } = usePendingApprovals();
  const [decidedApproval, setDecidedApproval] = useState<Approval>();
  const pendingApproval = value?.find((approval) => approval.activation === activation.id);
  // A later request of the same run is a different request.
  const approval =
    pendingApproval === undefined || pendingApproval.id === decidedApproval?.id ? decidedApproval : pendingApproval;
  if (approval !== undefined)
    return <ApprovalCard key={approval.id} approval={approval} onDecided={setDecidedApproval} />;
  return error === undefined ? undefined : <ErrorNotice error={error} />;
};
