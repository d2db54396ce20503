/** Calls about what agents ask people, and the words that are given. They take who decides in the agent's house. */
import {
  Approval,
  ApprovalList,
  type ApprovalQuery,
  type ApprovalRule,
  ApprovalRuleList,
  type DecideApproval,
} from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

/** `scope` is `once` where it is left out. */
export type Decision = Omit<DecideApproval, "scope"> & Partial<Pick<DecideApproval, "scope">>;

export const createApprovalCalls = (connection: Connection) => ({
  /** What one is asked, and was, newest first. */
  list: (query: Partial<ApprovalQuery> = {}): Promise<readonly Approval[]> =>
    requestJson(connection, ApprovalList, "GET", "/api/approvals", { query }),
  get: (id: string): Promise<Approval> => requestJson(connection, Approval, "GET", at("/api/approvals", id)),
  /** As it stands afterwards. Throws `approval.over` when it was decided before, or ran out. */
  decide: (id: string, decision: Decision): Promise<Approval> =>
    requestJson(connection, Approval, "POST", at("/api/approvals", id), { body: decision }),
  /** What passes unasked because a person said so. */
  rules: (): Promise<readonly ApprovalRule[]> =>
    requestJson(connection, ApprovalRuleList, "GET", "/api/approval-rules"),
  removeRule: async (id: string): Promise<void> => {
    const response = await request(connection, "DELETE", at("/api/approval-rules", id));
    await response.body?.cancel();
  },
});
