/** Calls about approvals and approval rules. Loaded on demand. */
import { approvalOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createApprovalCalls = (connection: Connection): Calls<typeof approvalOperations> =>
  createCalls(connection, approvalOperations);

/** A decision about an approval. The default of `scope` is `once`. */
export type Decision = Parameters<Calls<typeof approvalOperations>["decide"]>[1];
