/**
 * The security check of a home whose daemon is not running, from its files and without changing
 * them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  HearthError,
  type HouseId,
  isHearthError,
  type SecurityFinding,
  type SecurityReport,
  type VaultStatus,
} from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { createAuditLog } from "../../kernel/audit/audit.ts";
import { type ParsedConfig, parseConfig } from "../../kernel/config/read.ts";
import { placeIn } from "../../kernel/config/source.ts";
import { examineHouse } from "../../http/security/examine-house.ts";
import type { ViewSources } from "../../http/security/read-view.ts";
import { selectSql } from "../../kernel/store/sql.ts";
import type { Query, Store } from "../../kernel/store/store.ts";
import type { Row, TableName } from "../../kernel/store/tables/tables.ts";
import { createAnchorFiles } from "./audit/anchor.ts";
import { KEY_FILE, readAuditKeys, toSealKeys } from "./audit/key.ts";
import { createConfigFile } from "./config-file.ts";
import { listHomeFiles } from "./home-files.ts";
import { createHomeBlobs } from "./backup/home-blobs.ts";
import { openSqlite } from "./sqlite.ts";
import { createBunWorld } from "./world.ts";

/** Runs the check. Throws `store.unavailable` when there is no home. */
export const examineSecurityOffline = async (home: string): Promise<SecurityReport> => {
  const path = join(home, "hearth.db");
  if (!existsSync(path))
    throw new HearthError("store.unavailable", `${home} has no hearth.db.`, {
      hint: "Give the home folder: --home DIR",
    });
  const { clock } = createBunWorld();
  const { parsed, file, configFindings } = await readConfig(home);
  const database = openSqlite(path);
  try {
    const store: Pick<Store, "select"> = {
      select: async <Table extends TableName>(query: Query<Table>) => {
        const { text, parameters } = selectSql(query);
        return database.all(text, parameters) as unknown as readonly Row<Table>[];
      },
    };
    const sources: ViewSources = {
      home,
      now: clock.now(),
      table: tools,
      store,
      files: () => listHomeFiles(home),
      config: { current: () => parsed.config, placeOf: (where) => placeIn(parsed, file, where) },
      vault: await vaultOf(store),
      audit: await examineAudit(home, store, clock),
    };
    const { findings, unseen } = await examineHouse(sources, [
      "Whether secrets can be opened: only a running house has the key.",
    ]);
    return { findings: [...configFindings, ...findings], unseen };
  } finally {
    database.close();
  }
};

const readConfig = async (
  home: string,
): Promise<{
  readonly parsed: ParsedConfig;
  readonly file: string;
  readonly configFindings: readonly SecurityFinding[];
}> => {
  const file = createConfigFile(join(home, "hearth.toml"));
  try {
    return {
      parsed: parseConfig((await file.read()) ?? "version = 1\n", file.name),
      file: file.name,
      configFindings: [],
    };
  } catch (error) {
    if (!isHearthError(error, "config.invalid")) throw error;
    // The house would not start with this file. The other checks run as if the file were empty.
    const finding: SecurityFinding = {
      id: "config.refused",
      severity: "high",
      where: /hearth\.toml line \d+/.exec(error.message)?.[0] ?? file.name,
      what: error.message,
      fix: { kind: "command", command: `\${EDITOR:-vi} ${join(home, "hearth.toml")}` },
      ...(error.hint === undefined ? {} : { instead: error.hint }),
    };
    return { parsed: parseConfig("version = 1\n", file.name), file: file.name, configFindings: [finding] };
  }
};

const vaultOf = async (store: Pick<Store, "select">): Promise<VaultStatus> => {
  const [key] = await store.select({ table: "vault_keys" });
  const source = (["file", "passphrase", "keyring"] as const).find((kind) => kind === key?.source);
  return source === undefined ? { state: "empty" } : { state: "open", source };
};

const examineAudit = async (
  home: string,
  store: Pick<Store, "select">,
  clock: ReturnType<typeof createBunWorld>["clock"],
): Promise<ViewSources["audit"]> => {
  const storedKeys = await readAuditKeys(home);
  const anchor = createAnchorFiles(home);
  const parts = { keys: toSealKeys(storedKeys ?? { confirmed: [new Uint8Array(32)] }), anchor };
  const log = createAuditLog({ clock, store, blobs: createHomeBlobs(home), parts });
  if (storedKeys !== undefined) return log;
  const missingKey = `${KEY_FILE} is not in ${home}: the log cannot be verified.`;
  return {
    houses: log.houses,
    verify: async (house: HouseId) => ({ house, rows: 0, findings: [{ fault: "anchor", text: missingKey }] }),
  };
};
