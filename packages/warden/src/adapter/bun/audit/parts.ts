/** Opens the parts of an audit log that are files of the home. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HearthError, type World } from "@hearth/protocol";
import type { AuditParts } from "../../../kernel/audit/audit.ts";
import { ANCHOR_FOLDER, createAnchorFiles } from "./anchor.ts";
import { KEY_FILE, openAuditKeys, RESTORE_KEY_HINT, readAuditKeys } from "./key.ts";

const ROWS_PER_SEGMENT = 2048;

/**
 * Creates the key of a home without a log. Throws `store.damaged` when a log has lost its key,
 * because its rows could not be verified.
 */
export const openAuditParts = async (home: string, world: Pick<World, "random">): Promise<AuditParts> => {
  const storedKeys = await readAuditKeys(home);
  if (storedKeys === undefined && existsSync(join(home, ANCHOR_FOLDER)))
    throw new HearthError("store.damaged", `The key of the audit log is missing: ${KEY_FILE} in ${home}.`, {
      hint: RESTORE_KEY_HINT,
    });
  return {
    keys: await openAuditKeys(home, storedKeys, world),
    anchor: createAnchorFiles(home),
    segmentRows: ROWS_PER_SEGMENT,
    async openTarget(target) {
      const { openFileTarget, openSyslogTarget } = await import("./targets.ts");
      return target.kind === "file" ? openFileTarget(target.path) : openSyslogTarget(target);
    },
  };
};
