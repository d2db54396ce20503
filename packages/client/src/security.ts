/** The security report of a house. Loaded on demand: few visits need it. */
import { securityOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSecurityCalls = (connection: Connection): Calls<typeof securityOperations> =>
  createCalls(connection, securityOperations);
