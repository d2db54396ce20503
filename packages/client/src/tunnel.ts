/** The tunnel of a house. Loaded on demand: few visits need it. */
import { tunnelOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createTunnelCalls = (connection: Connection): Calls<typeof tunnelOperations> =>
  createCalls(connection, tunnelOperations);
