/** Calls about second factors. */
import { secondFactorOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSecondFactorCalls = (connection: Connection) => createCalls(connection, secondFactorOperations);
