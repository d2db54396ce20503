/** Calls about logins by OpenID Connect, and about accounts that are linked to people. */
import { identityOperations, oidcLoginOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createIdentityCalls = (connection: Connection) => ({
  ...createCalls(connection, identityOperations),
  // A browser opens the pages of the other operations.
  ...createCalls(connection, { providers: oidcLoginOperations.providers }),
});
