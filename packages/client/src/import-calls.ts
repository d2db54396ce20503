/** Calls about imports of other programs' agents. Loaded on demand, as few pages of a browser need them. */
import { importOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createImportCalls = (connection: Connection): Calls<typeof importOperations> =>
  createCalls(connection, importOperations);
