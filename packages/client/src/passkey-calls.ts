/** Calls about passkeys. */
import { passkeyLoginOperations, passkeyOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createPasskeyCalls = (connection: Connection) => ({
  ...createCalls(connection, passkeyOperations),
  ...createCalls(connection, passkeyLoginOperations),
});
