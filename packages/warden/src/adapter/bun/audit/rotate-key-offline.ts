/** Replaces the key of the audit log of a home whose daemon is not running. */
import { existsSync } from "node:fs";
import { type AuditKeyRotation, HearthError } from "@hearth/protocol";
import { openAudit, sealerOf } from "../../../kernel/audit/audit.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { isCurrentSchema } from "../../../kernel/store/schema.ts";
import { openBlobs } from "../blobs.ts";
import { type Home, openHome, REPLACEMENT } from "../home.ts";
import { openHomeStore } from "../home-database.ts";
import { openSqlite } from "../sqlite.ts";
import { createBunWorld } from "../world.ts";
import { openAuditParts } from "./parts.ts";

/** Replaces the key. Throws `home.in-use` while the house runs, `home.read-only`, and `store.*`. */
export const rotateAuditKeyOffline = async (folder: string): Promise<AuditKeyRotation> => {
  requireDatabase(folder);
  const home = openHome(folder);
  try {
    requireCurrent(home);
    const world = createBunWorld();
    const parts = await openAuditParts(folder, world);
    const sealer = sealerOf(parts.keys);
    const { store } = await openHomeStore({ home, world, log: stderrLog, durability: "power", sealer });
    await using openStore = store;
    const blobs = await openBlobs(home.path("blobs"));
    await using audit = await openAudit({ world, log: stderrLog, store: openStore, blobs, parts });
    return await audit.rotateKey();
  } finally {
    home.release();
  }
};

/** Throws if there is no database, before the lock creates folders. */
const requireDatabase = (folder: string): void => {
  if (!existsSync(`${folder}/hearth.db`))
    throw new HearthError("store.unavailable", `${folder} has no hearth.db.`, {
      hint: "Give the home folder: --home DIR",
    });
};

/** Throws unless the next start would use this database and this key as they are. */
const requireCurrent = ({ path, folder }: Home): void => {
  const database = openSqlite(path("hearth.db"));
  try {
    if (isCurrentSchema(database) && !existsSync(path(REPLACEMENT))) return;
  } finally {
    database.close();
  }
  throw new HearthError(
    "store.unavailable",
    `${folder} has a database of an older version of Hearth, or a backup that the next start restores.`,
    { hint: "Start the house once, then rotate the key: hearth up" },
  );
};

/** Reports on stderr that the log does not match its anchor. */
const stderrLog: Log = {
  write(level, text) {
    if (level === "error" || level === "warn") process.stderr.write(`hearth: ${text}\n`);
  },
};
