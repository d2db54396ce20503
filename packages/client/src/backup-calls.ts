/** Calls about targets of backups. Loaded on demand, as few pages of a browser need them. */
import { backupTargetOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createBackupTargetCalls = (connection: Connection): Calls<typeof backupTargetOperations> =>
  createCalls(connection, backupTargetOperations);
