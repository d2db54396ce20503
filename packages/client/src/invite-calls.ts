/** Calls about invite links, for administrators and for guests. */
import { invitedOperations, inviteOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createInviteCalls = (connection: Connection) => ({
  ...createCalls(connection, inviteOperations),
  /** Without a credential: the token is one. Accepting sets the session cookie of a browser. */
  ...createCalls(connection, invitedOperations),
});
