/** The audit log of a home whose daemon does not run: read from its files, which stay as they are. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { type AuditLog, createAuditLog } from "../../../kernel/audit/audit.ts";
import { selectSql } from "../../../kernel/store/sql.ts";
import type { Query, Store } from "../../../kernel/store/store.ts";
import type { Row, TableName } from "../../../kernel/store/tables/tables.ts";
import { openSqlite } from "../sqlite.ts";
import { createBunWorld } from "../world.ts";
import { createAnchorFiles } from "./anchor.ts";
import { createBunHmac } from "./hmac.ts";
import { KEY_FILE, PUT_BACK, readAuditKey } from "./key.ts";

export interface AuditAtRest extends AuditLog, Disposable {
  /** Who and what the rows speak of, as it is at present; and every house that has a log, the first one first. */
  records(): Promise<readonly { readonly type: string; readonly id: string; readonly handle: string }[]>;
}

/** Throws `store.*` where there is no log to read. Dispose it: it holds the database open. */
export const openAuditAtRest = async (home: string): Promise<AuditAtRest> => {
  const path = join(home, "hearth.db");
  if (!existsSync(path)) throw none(`${home} has no hearth.db.`, "Name the home folder: --home DIR");
  const key = await readAuditKey(home);
  if (key === undefined) throw none(`${KEY_FILE} is not in ${home}.`, PUT_BACK);
  const database = openSqlite(path);
  try {
    const [column] = database.all("select 1 from pragma_table_info('events') where name = 'seal'");
    if (column === undefined)
      throw none(`${path} is of a Hearth that kept no audit log.`, "Start the house once: hearth up");
    const store: Pick<Store, "select"> = {
      select: async <Table extends TableName>(query: Query<Table>) => {
        const { text, parameters } = selectSql(query);
        return database.all(text, parameters) as unknown as readonly Row<Table>[];
      },
    };
    const parts = { hmac: createBunHmac(key), anchor: createAnchorFiles(home) };
    const log = createAuditLog({ clock: createBunWorld().clock, store, parts });
    return {
      ...log,
      async records() {
        const records = await store.select({ table: "records" });
        const handles = new Map(records.map(({ id, handle }) => [id, handle]));
        const houses = (await log.houses()).map((id) => ({ type: "house", id, handle: handles.get(id) ?? id }));
        return [...houses, ...records.filter(({ type }) => type !== "house")];
      },
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

const none = (message: string, hint: string): HearthError => new HearthError("store.unavailable", message, { hint });
