/** Calls about approvals and approval rules. The caller needs `x` in the agent's house. */
import {
  Approval,
  ApprovalList,
  type ApprovalQuery,
  type ApprovalRule,
  ApprovalRuleList,
  type DecideApproval,
} from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

/** `scope` defaults to `once`. */
export type Decision = Omit<DecideApproval, "scope"> & Partial<Pick<DecideApproval, "scope">>;

export const createApprovalCalls = (connection: Connection) => ({
  /** The approvals that the caller is or was asked to decide, newest first. */
  list: (query: Partial<ApprovalQuery> = {}): Promise<readonly Approval[]> =>
    requestJson(connection, ApprovalList, "GET", "/api/approvals", { query }),
  get: (id: string): Promise<Approval> => requestJson(connection, Approval, "GET", at("/api/approvals", id)),
  /**
   * Returns the decided approval. Throws `approval.over` if it was already decided or has expired.
   */
  decide: (id: string, decision: Decision): Promise<Approval> =>
    requestJson(connection, Approval, "POST", at("/api/approvals", id), { body: decision }),
  /** Standing approvals: calls that pass without asking because a person allowed them. */
  rules: (): Promise<readonly ApprovalRule[]> =>
    requestJson(connection, ApprovalRuleList, "GET", "/api/approval-rules"),
  removeRule: async (id: string): Promise<void> => {
    const response = await request(connection, "DELETE", at("/api/approval-rules", id));
    await response.body?.cancel();
  },
});
