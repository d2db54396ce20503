/** Calls about logins through OpenID Connect, and about accounts that are linked to people. */
import { identityOperations, oidcLoginOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createIdentityCalls = (connection: Connection) => ({
  ...createCalls(connection, identityOperations),
  // The other operations are pages that a browser opens.
  ...createCalls(connection, { providers: oidcLoginOperations.providers }),
});
