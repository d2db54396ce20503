/** Operations on approvals and approval rules. */
import { Approval, ApprovalList, ApprovalQuery, ApprovalRuleList, DecideApproval } from "../policy/approval.ts";
import { ApprovalId, ApprovalRuleId } from "../base/ids.ts";
import { declareOperations } from "./operation.ts";

export const approvalOperations = declareOperations("Approvals", {
  list: {
    id: "listApprovals",
    method: "GET",
    path: "/api/approvals",
    needs: "credential",
    summary: "Lists your approval requests, newest first",
    query: ApprovalQuery,
    answers: { status: 200, schema: ApprovalList },
  },
  get: {
    id: "showApproval",
    method: "GET",
    path: "/api/approvals/{id}",
    needs: "credential",
    summary: "Shows exactly what would run, and why it needs approval",
    params: { id: ApprovalId },
    answers: { status: 200, schema: Approval },
    errors: ["approval.not-found"],
  },
  decide: {
    id: "decideApproval",
    method: "POST",
    path: "/api/approvals/{id}",
    needs: "credential",
    summary: "Allows a call or denies it",
    description:
      "Requires a person who currently has `x` on the agent's house, or the right `approve` there and `r` in the room. That right allows this call only (`once`). A decision is final.",
    params: { id: ApprovalId },
    body: DecideApproval,
    answers: { status: 200, schema: Approval },
    errors: ["approval.not-found", "approval.over", "grant.exceeds"],
  },
  rules: {
    id: "listApprovalRules",
    method: "GET",
    path: "/api/approval-rules",
    needs: "credential",
    summary: "Lists standing approvals",
    answers: { status: 200, schema: ApprovalRuleList },
  },
  removeRule: {
    id: "removeApprovalRule",
    method: "DELETE",
    path: "/api/approval-rules/{id}",
    needs: "credential",
    summary: "Revokes a rule: such calls need approval again",
    params: { id: ApprovalRuleId },
    answers: { status: 204 },
    errors: ["approval.not-found"],
  },
});
