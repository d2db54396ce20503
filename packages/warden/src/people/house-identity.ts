/**
 * Creates the parts of identity: records, permissions and credentials. Founds the house on a first
 * start.
 */
import { toRecord } from "./records/record-rows.ts";
import type { ConfigSource, Store, DurableStreams } from "../kernel/index.ts";
import { type AgentId, HearthError, type HouseId, type World } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { applyPins } from "./permissions/apply-pins.ts";
import { type LoginAttempts, createLoginAttempts } from "./credentials/login-attempts.ts";
import { foundHouse } from "./records/found-house.ts";
import { createGrantBook } from "./permissions/grant-book.ts";
import { createKeys, type Keys } from "./credentials/house-keys.ts";
import { createLogins, type Logins } from "./credentials/house-logins.ts";
import { createPasswords, type Passwords } from "./credentials/house-passwords.ts";
import { createPermissions, type Permissions } from "./permissions/house-permissions.ts";
import { createRecords } from "./records/house-records.ts";
import type { PasswordHash } from "./credentials/password-hash.ts";
import type { Records } from "./records/records.ts";

export interface Identity {
  /** The first house and its first person. */
  readonly house: HouseId;
  readonly owner: AgentId;
  readonly records: Records;
  readonly permissions: Permissions;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly passwords: Passwords;
  readonly attempts: LoginAttempts;
}

export const openIdentity = async (options: {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly config: ConfigSource;
  readonly passwordHash: PasswordHash;
  /** IANA time zone of the machine. */
  readonly timezone: () => string;
  readonly table?: ToolTable;
}): Promise<Identity> => {
  const { world, store, streams, config } = options;
  const table = options.table === undefined ? {} : { table: options.table };
  const house = await foundHouse({ world, store, streams, timezone: options.timezone });
  const owner = await ownerOf({ store, house });
  const book = createGrantBook(store);
  const unpinned = createRecords({ world, store, streams, book, pinned: () => undefined, ...table });
  await applyPins({ config, records: unpinned, house, owner });
  const records = createRecords({
    ...{ world, store, streams, book, ...table },
    pinned: (type, handle, field) => (type === "agent" ? config.pinned(handle, field) : undefined),
  });
  const logins = createLogins({ world, store });
  const attempts = createLoginAttempts(world);
  return {
    ...{ house, owner, records, logins, attempts },
    permissions: createPermissions({ world, store, streams, records, book }),
    keys: createKeys({ world, store, streams, house }),
    passwords: createPasswords({ world, store, attempts, logins, hash: options.passwordHash }),
  };
};

/** The first person of the house. */
const ownerOf = async ({ store, house }: { store: Store; house: HouseId }): Promise<AgentId> => {
  const rows = await store.select({
    table: "records",
    where: { type: "agent", house },
    order: [{ column: "created_at" }],
  });
  for (const record of rows.map(toRecord))
    if (record.type === "agent" && record.content.kind === "human") return record.id;
  throw new HearthError("store.foreign", "This home has no owner.", { hint: "Restore hearth.db from a backup." });
};
