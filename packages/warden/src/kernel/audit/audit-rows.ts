/**
 * Converts a change to rows of the audit log: one for each audited write, with the actor if the
 * change names one.
 */
import type { AuditFacts, AuditType, HouseId, World } from "@hearth/protocol";
import type { Actor } from "../config/source.ts";
import type { Commit, Write } from "../store/store.ts";
import type { Value } from "../store/tables/table.ts";
import { type AuditedTable, auditedTables } from "./audited-tables.ts";
import type { Ownership } from "./ownership.ts";

export interface AuditEntry {
  readonly house: HouseId;
  readonly type: AuditType;
  readonly facts: AuditFacts;
}

/**
 * Knows the request for which code runs.
 *
 * Contract:
 * - `current` returns the actor in `work` and in everything that `work` awaits, and not elsewhere
 * - after `work` has settled, code that it started has no actor
 */
export interface ActingScope {
  run<Result>(actor: Actor, work: () => Promise<Result>): Promise<Result>;
  current(): Actor | undefined;
  /** Attributes the end of an activation to the actor, until the actor's work has settled. */
  cover(activation: string): void;
  coveredBy(activation: string): Actor | undefined;
}

/** Knows no actor. For platforms that cannot follow asynchronous code. */
export const noActing: ActingScope = {
  run: (_actor, work) => work(),
  current: () => undefined,
  cover: () => {},
  coveredBy: () => undefined,
};

/** A row of these types comes from background work, unless it names the actor of the request. */
const BACKGROUND_TYPES: ReadonlySet<AuditType> = new Set([
  ...(["step", "activation", "egress", "delivery", "approval", "approval-rule", "proposal"] as const),
]);

type Columns = Readonly<Record<string, Value>>;
type RowWrite = Exclude<Write, { readonly kind: "append" } | { readonly table: "events" }>;

/** Maximum length of a recorded text. A longer text is recorded as its SHA-256 hash. */
const MAX_TEXT_LENGTH = 200;

const CHANGE_NAMES = { insert: "added", put: "written", update: "changed", delete: "removed" } as const;

export const createAuditRows = (options: {
  readonly hash: World["hash"];
  readonly ownership: Pick<Ownership, "houseOf" | "houseOfStream" | "contextOf" | "firstHouse">;
  /** Default: rows name no credentials. */
  readonly acting?: Pick<ActingScope, "current" | "coveredBy">;
}): ((change: Commit) => readonly AuditEntry[]) => {
  const { hash, ownership, acting = noActing } = options;
  const encoder = new TextEncoder();

  const toFacts = (
    { columns: recordedColumns, digests = [], errors = [] }: AuditedTable,
    columns: Columns,
  ): AuditFacts => {
    const facts: AuditFacts = {};
    for (const name of recordedColumns) {
      const value = columns[name];
      if (typeof value === "number") facts[name] = value;
      else if (typeof value === "string")
        facts[name] = value.length > MAX_TEXT_LENGTH ? `sha256:${hash(value)}` : value;
    }
    for (const name of digests) {
      const value = columns[name];
      if (typeof value !== "string") continue;
      const bytes = encoder.encode(value);
      facts[`${name}_sha256`] = hash(bytes);
      facts[`${name}_bytes`] = bytes.length;
    }
    for (const name of errors) {
      const value = columns[name];
      if (typeof value === "string") facts[name] = codeOf(value);
    }
    return facts;
  };

  const toEntry = (write: RowWrite, writes: readonly Write[], context: ChangeContext): AuditEntry | undefined => {
    const audited = auditedTables[write.table];
    if ("not" in audited || audited.unless?.(write, writes) === true) return undefined;
    const table: AuditedTable = audited;
    const writtenColumns = namesOf(write);
    const hasChanged = (names: readonly string[] = []): boolean => names.some((name) => writtenColumns.includes(name));
    if (![table.columns, table.digests, table.errors].some(hasChanged)) return undefined;
    const columns = columnsOf(write);
    const house = ownership.houseOf(write.table, columns) ?? context.house ?? ownership.firstHouse();
    if (house === undefined) return undefined;
    const facts = toFacts(table, columns);
    const activation = ownership.contextOf(String(write.table === "activations" ? facts["id"] : facts["activation"]));
    // An activation's row also gets the trigger, because the update that ends it does not contain the trigger.
    const activationFacts =
      write.table === "activations" ? activation : activation && { agent: activation.agent, person: activation.person };
    const actor = actorOf(table.type, facts, context.by);
    const by = context.by ?? actor?.agent;
    const changeFacts = {
      change: CHANGE_NAMES[write.kind],
      ...(by === undefined ? {} : { by }),
      ...(actor === undefined ? {} : toCredential(actor)),
      ...(context.right === undefined ? {} : { right: context.right }),
    };
    return { house, type: table.type, facts: { ...changeFacts, ...activationFacts, ...facts } };
  };

  /** Returns the actor of the request that caused the row. A request may also write rows of other actors. */
  const actorOf = (type: AuditType, facts: AuditFacts, by: string | undefined): Actor | undefined => {
    if (type === "activation" && facts["state"] !== undefined) {
      const coveringActor = acting.coveredBy(String(facts["id"]));
      if (coveringActor !== undefined) return coveringActor;
    }
    const actor = acting.current();
    const namedAgent = by ?? facts["by"];
    if (namedAgent === undefined && BACKGROUND_TYPES.has(type)) return undefined;
    return namedAgent === undefined || namedAgent === actor?.agent ? actor : undefined;
  };

  return ({ writes, by, right }) => {
    const entries: AuditEntry[] = [];
    const context: ChangeContext = {
      ...(by === undefined ? {} : { by }),
      ...readChangeContext(writes, ownership),
      ...(right === undefined ? {} : { right }),
    };
    for (const write of writes) {
      if (write.kind === "append" || write.table === "events") continue;
      const entry = toEntry(write, writes, context);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  };
};

/** Returns the kind of the credential, and the id of the key or the session, but never the secret. */
const toCredential = ({ via, key, session }: Actor): AuditFacts => ({
  via,
  ...(key === undefined ? {} : { by_key: key }),
  ...(session === undefined ? {} : { by_session: session }),
});

/**
 * The house, from the streams to which the same change appends, and the actor, from the house's own
 * stream.
 */
interface ChangeContext {
  readonly house?: HouseId | undefined;
  readonly by?: string;
  /** The right that admitted the change. */
  readonly right?: string;
}

const readChangeContext = (writes: readonly Write[], ownership: Pick<Ownership, "houseOfStream">): ChangeContext => {
  let house: HouseId | undefined;
  for (const write of writes) {
    if (write.kind !== "append") continue;
    const { stream, event } = write;
    house ??= ownership.houseOfStream(stream);
    if (!stream.startsWith("house:") || event.body === null) continue;
    const { by } = JSON.parse(event.body) as { readonly by?: unknown };
    if (typeof by === "string") return { house: ownership.houseOfStream(stream), by };
  }
  return { house };
};

/** Returns the written columns, including those that identify the row. */
const columnsOf = (write: RowWrite): Columns => {
  switch (write.kind) {
    case "insert":
    case "put":
      return { ...write.row };
    case "update":
      return { ...write.where, ...write.set } as Columns;
    case "delete":
      return { ...write.where } as Columns;
  }
};

/** Returns the columns of the write. An update has only those that it sets. */
const namesOf = (write: RowWrite): readonly string[] =>
  Object.keys(write.kind === "update" ? write.set : columnsOf(write));

const codeOf = (text: string): string => {
  const { code } = JSON.parse(text) as { readonly code?: unknown };
  return typeof code === "string" ? code : "unknown";
};
