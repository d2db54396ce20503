/** Calls about invite links, for administrators and for guests. */
import { invitedOperations, inviteOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createInviteCalls = (connection: Connection) => ({
  ...createCalls(connection, inviteOperations),
  /**
   * Calls of a guest, which need no other credential than the token. Accepting an invite sets the
   * session cookie of a browser.
   */
  ...createCalls(connection, invitedOperations),
});
