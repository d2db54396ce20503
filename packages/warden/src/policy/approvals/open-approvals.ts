/** Creates the approvals of a home with their parts and the stage that requests them. */
import { type ApprovalsOptions, createApprovals } from "./approval-book.ts";
import { type ApprovalStageOptions, createApprovalStage } from "./approval-stage.ts";
import type { Approvals } from "./approvals.ts";
import type { Stage } from "../effect.ts";

const HOUR_MS = 60 * 60_000;

export type OpenApprovalsOptions = Omit<ApprovalsOptions, "outbox" | "expireMs"> &
  Omit<ApprovalStageOptions, "approvals"> & {
    /** Called late, because the outbox is created after the approvals. */
    readonly outbox: () => ApprovalsOptions["outbox"];
    readonly expireHours: () => number;
  };

export const openApprovals = (
  options: OpenApprovalsOptions,
): { readonly approvals: Approvals; readonly stage: Stage } => {
  const { expireHours } = options;
  const outbox: ApprovalsOptions["outbox"] = {
    notice: (notice) => options.outbox().notice(notice),
    endChoices: (ended) => options.outbox().endChoices(ended),
    poke: () => options.outbox().poke(),
  };
  const approvals = createApprovals({ ...options, outbox, expireMs: () => expireHours() * HOUR_MS });
  return { approvals, stage: createApprovalStage({ ...options, approvals }) };
};
