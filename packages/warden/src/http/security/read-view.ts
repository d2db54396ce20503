/** Reads the view from the store, the config and the machine, with or without a running daemon. */
import {
  readJson,
  type AuditLog,
  type AuditSource,
  type Config,
  type ConfigSource,
  type Store,
} from "../../kernel/index.ts";
import { referencesIn } from "../../kernel/lazy.ts";
import type { Backends } from "../../cells/index.ts";
import { toRecord } from "../../people/index.ts";
import { isOwnName } from "../../policy/index.ts";
import {
  type AgentId,
  type AgentRecord,
  type Grant,
  type HouseId,
  type HouseRecord,
  type KeyInfo,
  KeyScope,
  NewSecretGrant,
  type RoomRecord,
  type SecretGrant,
  type VaultStatus,
  type Wall,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import {
  type AuditState,
  botsOf,
  type StoredRule,
  type StoredSecret,
  type HomeFile,
  type OpenInvite,
  type SecurityView,
} from "./view.ts";

export interface ViewSources {
  readonly home: string;
  readonly now: number;
  readonly config: Pick<ConfigSource, "current" | "placeOf">;
  readonly table: ToolTable;
  readonly store: Pick<Store, "select">;
  readonly vault: VaultStatus;
  readonly audit: Pick<AuditLog, "verify"> & Pick<AuditSource, "houses">;
  /** The houses to examine, limited to those that the caller may see. Absent: all. */
  readonly houses?: ReadonlySet<HouseId>;
  /** Absent: the machine is not examined. */
  readonly backends?: Pick<Backends, "choose">;
  /** Absent: the house has no folder. */
  readonly files?: () => Promise<readonly HomeFile[]>;
}

export const readView = async (sources: ViewSources): Promise<SecurityView> => {
  const { home, now, config: source, table, store, vault, backends, files } = sources;
  const config = source.current();
  const rows = await store.select({ table: "records", order: [{ column: "created_at" }] });
  const allIds = new Set(rows.map(({ id }) => id));
  const isIncluded = (house: HouseId): boolean => sources.houses?.has(house) ?? true;
  const records = rows.map(toRecord).filter(({ house }) => isIncluded(house));
  const agents = records.filter((record): record is AgentRecord => record.type === "agent");
  const agentsOfHouse = new Set<string>(agents.map(({ id }) => id));
  const grants = await readGrants(store);
  const view = {
    home,
    now,
    config,
    placeOf: source.placeOf,
    table,
    vault,
    agents,
    houses: records.filter((record): record is HouseRecord => record.type === "house"),
    rooms: records.filter((record): record is RoomRecord => record.type === "room"),
    grants,
    lastLogins: await readLastLogins(store, grants),
    // Keys of deleted agents belong to the home's administrators.
    keys: (await readKeys(store, now)).filter(({ agent }) => agentsOfHouse.has(agent) || !allIds.has(agent)),
    invites: await readInvites(store, now, isIncluded),
    rules: (await readRules(store)).filter(({ agent }) => agentsOfHouse.has(agent)),
    secrets: (await readSecrets(store)).filter(({ house }) => isIncluded(house)),
    referencedSecrets: new Set([...findReferencedSecrets(config), ...(await readWebhookKeys(store))]),
    usedSecrets: await readUsedSecrets(store),
    audit: await readAudit(sources),
  };
  return {
    ...view,
    ...(backends === undefined ? {} : await readIsolation(backends, view)),
    ...(files === undefined ? {} : { files: await files() }),
  };
};

const readGrants = async (store: Pick<Store, "select">): Promise<readonly Grant[]> =>
  (await store.select({ table: "grants" })).map(({ agent, target, level, by, at, rights }) => ({
    agent,
    on: target,
    level,
    by,
    at,
    ...(rights === null ? {} : { rights: [...readJson(rights)] }),
  }));

/**
 * Returns the last login or use of a session. Sessions are removed after their end, but the person's
 * log keeps the login.
 */
const readLastLogins = async (
  store: Pick<Store, "select">,
  grants: readonly Grant[],
): Promise<ReadonlyMap<AgentId, number>> => {
  const people = new Set(grants.flatMap(({ agent, rights = [] }) => (rights.length === 0 ? [] : [agent])));
  const lastLogins = new Map<AgentId, number>();
  for (const agent of people) {
    const sessions = await store.select({ table: "logins", where: { agent } });
    const [login] = await store.select({
      table: "events",
      where: { stream: `agent:${agent}`, type: "session-began" },
      order: [{ column: "offset", descending: true }],
      limit: 1,
    });
    const times = [...sessions.map(({ used_at: at }) => at), ...(login === undefined ? [] : [login.at])];
    if (times.length > 0) lastLogins.set(agent, Math.max(...times));
  }
  return lastLogins;
};

const readKeys = async (store: Pick<Store, "select">, now: number): Promise<readonly KeyInfo[]> =>
  (await store.select({ table: "keys", where: { revoked_at: null } }))
    .filter(({ expires_at: end }) => end === null || end > now)
    .map(({ id, name, agent, scope, created_at: createdAt, expires_at: end }) => ({
      id,
      name,
      agent,
      createdAt,
      ...(scope === null ? {} : { scope: KeyScope.parse(readJson(scope)) }),
      ...(end === null ? {} : { expiresAt: end }),
    }));

const readInvites = async (
  store: Pick<Store, "select">,
  now: number,
  isIncluded: (house: HouseId) => boolean,
): Promise<readonly OpenInvite[]> =>
  (await store.select({ table: "invites", where: { used_at: null, revoked_at: null } }))
    .filter(({ house, expires_at: end }) => isIncluded(house) && end > now)
    .map(({ id, house, level, rights, expires_at: expiresAt }) => ({
      id,
      house,
      level,
      rights: rights === null ? [] : readJson(rights),
      expiresAt,
    }));

const readRules = async (store: Pick<Store, "select">): Promise<readonly StoredRule[]> =>
  (await store.select({ table: "approval_rules", order: [{ column: "at" }] })).map(
    ({ id, agent, tool, bound, text, room }) => ({
      id,
      agent,
      tool,
      text,
      isForSession: room !== null,
      bound: Object.keys(JSON.parse(bound) as object),
    }),
  );

const readSecrets = async (store: Pick<Store, "select">): Promise<readonly StoredSecret[]> => {
  const grants = await store.select({ table: "secret_grants" });
  const rows = await store.select({ table: "secrets", order: [{ column: "name" }] });
  return rows
    .filter(({ name }) => !isOwnName(name))
    .map(({ house, name, set_at: setAt }) => ({
      house,
      name,
      setAt,
      grants: grants
        .filter((grant) => grant.house === house && grant.secret === name)
        .map(({ id, agent, terms, by, at }): SecretGrant => ({
          ...NewSecretGrant.parse({ ...readJson(terms), agent }),
          id,
          by,
          at,
        })),
    }));
};

/** Maximum number of requests that are searched for the secrets that they carried. */
const MAX_REQUESTS = 10_000;

const readUsedSecrets = async (store: Pick<Store, "select">): Promise<ReadonlySet<string>> => {
  const requests = await store.select({
    table: "egress",
    // Non-empty JSON lists sort before the empty one.
    and: [{ column: "secrets", is: "<", value: "[]" }],
    order: [{ column: "at", descending: true }],
    limit: MAX_REQUESTS,
  });
  return new Set(requests.flatMap(({ agent, secrets }) => readJson(secrets).map((name) => `${agent} ${name}`)));
};

const findReferencedSecrets = (config: Config): readonly string[] =>
  referencesIn(config).flatMap(({ reference }) => (reference.kind === "secret" ? [reference.name] : []));

const readWebhookKeys = async (store: Pick<Store, "select">): Promise<readonly string[]> =>
  (await store.select({ table: "job_hooks" })).map(({ secret }) => secret);

const readAudit = async ({ audit, houses }: ViewSources): Promise<readonly AuditState[]> => {
  const states: AuditState[] = [];
  for (const house of await audit.houses()) {
    if (houses?.has(house) === false) continue;
    const { findings } = await audit.verify(house);
    states.push({
      house,
      faults: findings.map(({ text }) => text),
      isAnchorLost: findings.length > 0 && findings.every(({ fault }) => fault === "anchor"),
    });
  }
  return states;
};

const readIsolation = async (
  backends: Pick<Backends, "choose">,
  view: Pick<SecurityView, "agents" | "config">,
): Promise<Required<Pick<SecurityView, "walls" | "hasWalledKind">>> => {
  const wallsOf = async (kind: Parameters<Backends["choose"]>[0]): Promise<ReadonlySet<Wall>> => {
    try {
      return (await backends.choose(kind)).probe.walls;
    } catch {
      // The kind of cell is unavailable, and opening one reports why.
      return new Set();
    }
  };
  const walls = new Map<string, ReadonlySet<Wall>>();
  for (const { id, content } of botsOf(view)) walls.set(id, await wallsOf(content.cell ?? view.config.cells.backend));
  return { walls, hasWalledKind: (await wallsOf("strongest")).size > 0 };
};
