/** What an audit log is made of beyond the store, from files of the home. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HearthError, type World } from "@hearth/protocol";
import type { AuditParts } from "../../../kernel/audit/audit.ts";
import { ANCHOR_FOLDER, createAnchorFiles } from "./anchor.ts";
import { createBunHmac } from "./hmac.ts";
import { KEY_FILE, makeAuditKey, PUT_BACK, readAuditKey } from "./key.ts";

/** Makes the key of a home that has no log yet. Throws `store.damaged` where a log has lost its key: nothing it holds could be checked. */
export const openAuditParts = async (home: string, world: Pick<World, "random">): Promise<AuditParts> => {
  const known = await readAuditKey(home);
  if (known === undefined && existsSync(join(home, ANCHOR_FOLDER)))
    throw new HearthError("store.damaged", `The key of the audit log is gone: ${KEY_FILE} in ${home}.`, {
      hint: PUT_BACK,
    });
  return { hmac: createBunHmac(known ?? (await makeAuditKey(home, world))), anchor: createAnchorFiles(home) };
};
