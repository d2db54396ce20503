/** Calls about agents' scheduled jobs. Loaded on demand, as few pages of a browser need them. */
import { jobOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createJobCalls = (connection: Connection): Calls<typeof jobOperations> =>
  createCalls(connection, jobOperations);
