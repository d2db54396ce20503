/** Approvals of a home with all that they are made of: what people were asked and said, and the stage that asks them. */
import type { Outbox } from "../outbox/outbox.ts";
import { type ApprovalsOptions, createApprovals } from "./approval-book.ts";
import { type ApprovalStageOptions, createApprovalStage } from "./approval-stage.ts";
import type { Approvals } from "./approvals.ts";
import type { Stage } from "./effect.ts";

const HOUR_MS = 60 * 60_000;

export type OpenApprovalsOptions = Omit<ApprovalsOptions, "outbox" | "expireMs"> &
  Omit<ApprovalStageOptions, "approvals"> & {
    readonly notice: Outbox["notice"];
    readonly expireHours: () => number;
  };

export const openApprovals = (
  options: OpenApprovalsOptions,
): { readonly approvals: Approvals; readonly stage: Stage } => {
  const { notice, expireHours } = options;
  const approvals = createApprovals({ ...options, outbox: { notice }, expireMs: () => expireHours() * HOUR_MS });
  return { approvals, stage: createApprovalStage({ ...options, approvals }) };
};
