/**
 * Pairings of channel senders with people. An unknown sender gets a code, and a person of the house
 * approves it. A sender on a channel is a row. The person in the house is a record, created in the
 * same commit.
 */
import {
  type Log,
  type Notices,
  type Guard,
  type Store,
  toDelivery,
  type Write,
  type Row,
} from "../../kernel/index.ts";
import {
  type AgentId,
  type Delivery,
  HearthError,
  type HouseId,
  isHearthError,
  type Pairing,
  type World,
} from "@hearth/protocol";
import { plainName } from "../records/plain-name.ts";
import { hashCode, readCode } from "./pairing-code.ts";
import type { Records } from "../records/records.ts";

export type SenderName =
  /** The sender's code, in any spelling. */
  { readonly code: string } | { readonly channel: string; readonly sender: string };

export interface Pairings {
  /** Returns all senders who were not forgotten, newest first. */
  list(): Promise<readonly Pairing[]>;
  /**
   * Admits a sender as the person `as` (an id or a handle), or as a new person of their name.
   * Throws `auth.denied` unless `by` is a person, `pairing.not-found` for an invalid code, and
   * `channel.rate-limited` after five of those in a minute.
   */
  approve(senderName: SenderName, by: AgentId, as?: string): Promise<Pairing>;
  /**
   * Admits a sender of a channel without codes. Returns the sender's person, and creates one
   * without permissions if necessary.
   */
  admit(channel: string, sender: { readonly id: string; readonly name: string }, by: AgentId): Promise<AgentId>;
  /** Ignores the sender from now on, without notice. Throws `auth.denied`, `pairing.not-found`. */
  block(channel: string, sender: string, by: AgentId): Promise<Pairing>;
  /** Makes the sender unknown again. Throws `auth.denied`, `pairing.not-found`. */
  forget(channel: string, sender: string, by: AgentId): Promise<void>;
  /**
   * Sends a fixed text to an approved sender, in the direct conversation where the code was sent.
   * Throws `auth.denied`, `pairing.not-found`.
   */
  sendTest(channel: string, sender: string, by: AgentId): Promise<Delivery>;
}

export interface PairingsOptions {
  readonly world: Pick<World, "clock" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly records: Records;
  /** The house of new people. */
  readonly house: HouseId;
  readonly outbox: Pick<Notices, "planNotice" | "poke">;
}

type SenderRow = Row<"senders">;

/** Maximum number of wrong codes per caller and minute. */
export const MAX_WRONG_CODES = 5;
const MINUTE_MS = 60_000;
const TEST_TEXT = "This is a test message from Hearth. The channel works, and you can write to the agent here.";
/**
 * Maximum number of updates of an unknown sender that are searched for the conversation to reply
 * in.
 */
const MAX_SEARCHED_UPDATES = 100;

export const createPairings = (options: PairingsOptions): Pairings => {
  const { world, log, store, records, house, outbox } = options;
  const { clock } = world;
  const findByCode = createCodeSearch(options);
  const greetings = createGreetings(options);

  const requirePerson = async (by: AgentId): Promise<void> => {
    if ((await records.get("agent", by)).content.kind === "human") return;
    throw new HearthError("auth.denied", "Only a person can decide who is admitted.", {
      hint: "Use the key or the login of a person.",
    });
  };

  const findByName = async (channel: string, external: string): Promise<SenderRow> => {
    const [row] = await store.select({ table: "senders", where: { channel, external } });
    if (row !== undefined) return row;
    throw new HearthError("pairing.not-found", `No sender with that name has written from "${channel}".`, {
      hint: "List the senders: hearth pairing list",
    });
  };

  const commitChange = async (row: SenderRow, writes: readonly Write[]): Promise<void> => {
    const { kind } = await store.commit({ guards: [guardUnchanged(row)], writes });
    if (kind !== "committed") throw conflictError(row);
  };

  const makePerson = async (row: SenderRow, by: AgentId, sameCommit: readonly Write[]): Promise<AgentId> => {
    const name = plainName(row.name, `${row.channel} ${row.external}`);
    for (const candidate of [name, `${name} (${row.channel})`, `${name} (${row.channel} ${row.external})`]) {
      try {
        const person = await records.mutate(
          {
            kind: "create",
            type: "agent",
            house,
            // The sender gets access to this conversation only.
            level: "none",
            content: { name: plainName(candidate, name), kind: "human" },
            sameCommit: (record) => ({
              guards: [guardUnchanged(row)],
              writes: [toPut(toAllowed(row, record.id as AgentId)), ...sameCommit],
            }),
          },
          by,
        );
        return person.id as AgentId;
      } catch (error) {
        if (isHearthError(error, "record.version")) throw conflictError(row);
        if (!isHearthError(error, "record.handle-taken")) throw error;
      }
    }
    throw new HearthError("record.handle-taken", `Several people are already called "${name}".`, {
      hint: "Choose one of them: hearth pairing approve CODE --as PERSON",
    });
  };

  const findPerson = async (idOrHandle: string): Promise<AgentId> => {
    const { id, content, handle } = await records.get("agent", idOrHandle.replace(/^@/, ""), house);
    if (content.kind === "human") return id;
    throw new HearthError("record.invalid", `${handle} is a bot, and a sender can only be a person.`, {
      hint: "Choose a person: hearth person list",
    });
  };

  /** Returns the person given by the caller, or the sender's person before the block. */
  const personOf = async (row: SenderRow, as: string | undefined): Promise<AgentId | undefined> => {
    if (as !== undefined) return findPerson(as);
    return row.person === null ? undefined : (await records.find("agent", row.person))?.id;
  };

  const find = (senderName: SenderName, by: AgentId): Promise<SenderRow> =>
    "code" in senderName ? findByCode(senderName.code, by) : findByName(senderName.channel, senderName.sender);

  return {
    async list() {
      const rows = await store.select({
        table: "senders",
        order: [{ column: "created_at", descending: true }, { column: "channel" }, { column: "external" }],
      });
      return rows.map(toPairing);
    },

    async approve(senderName, by, as) {
      await requirePerson(by);
      const row = await find(senderName, by);
      const sameCommit = await greetings.planWelcome(row);
      const existingPerson = await personOf(row, as);
      const person = existingPerson ?? (await makePerson(row, by, sameCommit));
      if (existingPerson !== undefined) await commitChange(row, [toPut(toAllowed(row, existingPerson)), ...sameCommit]);
      log.write("info", "a sender was admitted", { channel: row.channel, person, by });
      outbox.poke();
      return toPairing(toAllowed(row, person));
    },

    async admit(channel, { id: external, name }, by) {
      const [existingRow] = await store.select({ table: "senders", where: { channel, external } });
      const row: SenderRow = existingRow ?? {
        channel,
        external,
        name: plainName(name, external),
        person: null,
        state: "pending",
        code_hash: null,
        code_expires_at: null,
        created_at: clock.now(),
      };
      if (existingRow === undefined) await store.commit({ writes: [{ kind: "insert", table: "senders", row }] });
      const previousPerson = await personOf(row, undefined);
      if (previousPerson === undefined) return makePerson(row, by, []);
      await commitChange(row, [toPut(toAllowed(row, previousPerson))]);
      return previousPerson;
    },

    async block(channel, sender, by) {
      await requirePerson(by);
      const row = await findByName(channel, sender);
      const blockedRow: SenderRow = { ...row, state: "blocked", code_hash: null, code_expires_at: null };
      await commitChange(row, [toPut(blockedRow)]);
      log.write("info", "a sender was blocked", { channel, by });
      return toPairing(blockedRow);
    },

    async forget(channel, sender, by) {
      await requirePerson(by);
      const row = await findByName(channel, sender);
      await commitChange(row, [{ kind: "delete", table: "senders", where: { channel, external: sender } }]);
      log.write("info", "a sender was forgotten", { channel, by });
    },

    async sendTest(channel, sender, by) {
      await requirePerson(by);
      const row = await findByName(channel, sender);
      const greeting = row.state === "allowed" ? await greetings.find(row) : undefined;
      if (greeting === undefined) throw noConversationError(row);
      const { conversation } = greeting;
      const idParts = ["test", String(clock.now())];
      const writes = await outbox.planNotice({ channel, conversation, text: TEST_TEXT, idParts });
      await store.commit({ writes });
      outbox.poke();
      const [id] = writes.flatMap((write) =>
        write.kind === "insert" && write.table === "outbox" ? [write.row.id] : [],
      );
      // A notice of the same millisecond has the same id, and is sent once.
      if (id === undefined) throw noConversationError(row);
      const [deliveryRow] = await store.select({ table: "outbox", where: { id } });
      if (deliveryRow === undefined) throw noConversationError(row);
      return toDelivery(deliveryRow);
    },
  };
};

/** Finds the conversations where senders got their codes, and writes to admitted senders there. */
const createGreetings = ({ store, outbox }: PairingsOptions) => {
  /** Returns the newest update for which the sender got a code, in a direct conversation. */
  const find = async ({ channel, external: sender }: SenderRow): Promise<Row<"inbound"> | undefined> => {
    const updates = await store.select({
      table: "inbound",
      where: { channel, sender, fate: "unpaired" },
      order: [{ column: "at", descending: true }],
      limit: MAX_SEARCHED_UPDATES,
    });
    const notices = await store.select({
      table: "outbox",
      where: { channel, event: null },
      and: [{ column: "conversation", is: "in", value: updates.map(({ conversation }) => conversation) }],
    });
    return updates.find(({ conversation }) => notices.some((notice) => notice.conversation === conversation));
  };

  /** Returns the writes that notify the sender in the conversation where the code was sent. */
  const planWelcome = async (row: SenderRow): Promise<readonly Write[]> => {
    const lastUpdate = await find(row);
    if (lastUpdate === undefined) return [];
    const { channel } = row;
    const { conversation, external } = lastUpdate;
    const text = "You are now admitted. Your earlier messages were not read, so please send them again.";
    return outbox.planNotice({ channel, conversation, text, idParts: ["paired", external] });
  };

  return { find, planWelcome };
};

/** Searches for the sender of a code, and refuses a caller who has sent too many wrong ones. */
const createCodeSearch = ({ world, store }: PairingsOptions) => {
  const { clock, hash } = world;
  /** Times of each caller's wrong codes. Callers are people of the house, so there are few. */
  const wrongCodeTimes = new Map<AgentId, readonly number[]>();
  return async (typed: string, by: AgentId): Promise<SenderRow> => {
    const now = clock.monotonic();
    const recentTimes = (wrongCodeTimes.get(by) ?? []).filter((at) => now - at < MINUTE_MS);
    if (recentTimes.length >= MAX_WRONG_CODES) {
      throw new HearthError("channel.rate-limited", "Too many wrong codes.", {
        hint: "Wait a minute, or list the pending senders: hearth pairing list",
      });
    }
    const [row] = await store.select({
      table: "senders",
      where: { code_hash: hashCode(hash, readCode(typed)), state: "pending" },
      and: [{ column: "code_expires_at", is: ">", value: clock.now() }],
    });
    if (row !== undefined) return row;
    wrongCodeTimes.set(by, [...recentTimes, now]);
    throw new HearthError("pairing.not-found", "Invalid or expired code.", {
      hint: "A code is valid for an hour. A sender who writes again gets a new one.",
    });
  };
};

const noConversationError = ({ name, external, state }: SenderRow): HearthError =>
  new HearthError(
    "pairing.not-found",
    state === "allowed"
      ? `"${name === "" ? external : name}" got no code in a direct conversation, so there is no conversation for a test message.`
      : `"${name === "" ? external : name}" is not approved, so no message is sent.`,
    { hint: state === "allowed" ? "Write to the agent on the platform instead." : "Approve the sender first." },
  );

/** Guards that the row has not changed since it was read. */
const guardUnchanged = ({ channel, external, state, code_hash }: SenderRow): Guard => ({
  kind: "exists",
  table: "senders",
  where: { channel, external, state, code_hash },
});

const toAllowed = (row: SenderRow, person: AgentId): SenderRow => ({
  ...row,
  person,
  state: "allowed",
  code_hash: null,
  code_expires_at: null,
});

const toPut = (row: SenderRow): Write => ({ kind: "put", table: "senders", row });

const conflictError = ({ name }: SenderRow): HearthError =>
  new HearthError("record.version", `Another person decided about "${name}" meanwhile.`, {
    hint: "See the current state: hearth pairing list",
  });

const toPairing = (row: SenderRow): Pairing => ({
  channel: row.channel,
  sender: row.external,
  name: row.name,
  state: row.state,
  createdAt: row.created_at,
  ...(row.person === null ? {} : { person: row.person }),
  ...(row.code_expires_at === null ? {} : { expiresAt: row.code_expires_at }),
});
