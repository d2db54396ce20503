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
  /** All senders who were not forgotten, newest first. */
  list(): Promise<readonly Pairing[]>;
  /**
   * Admits a sender as the person `as` (an id or a handle), or as a new person of their name.
   * Throws `auth.denied` unless `by` is a person, `pairing.not-found` for an invalid code, and
   * `channel.rate-limited` after five of those in a minute.
   */
  approve(who: SenderName, by: AgentId, as?: string): Promise<Pairing>;
  /**
   * Admits a sender of a channel without codes. Returns the sender's person, and creates one
   * without permissions if necessary.
   */
  letIn(channel: string, sender: { readonly id: string; readonly name: string }, by: AgentId): Promise<AgentId>;
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
export const MAX_WRONG = 5;
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
  const byCode = createCodeSearch(options);
  const greetings = createGreetings(options);

  const requirePerson = async (by: AgentId): Promise<void> => {
    if ((await records.get("agent", by)).content.kind === "human") return;
    throw new HearthError("auth.denied", "Only a person can decide who is admitted.", {
      hint: "Use the key or the login of a person.",
    });
  };

  const byName = async (channel: string, external: string): Promise<SenderRow> => {
    const [row] = await store.select({ table: "senders", where: { channel, external } });
    if (row !== undefined) return row;
    throw new HearthError("pairing.not-found", `No sender with that name has written from "${channel}".`, {
      hint: "List the senders: hearth pairing list",
    });
  };

  const change = async (row: SenderRow, writes: readonly Write[]): Promise<void> => {
    const { kind } = await store.commit({ guards: [unchanged(row)], writes });
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
              guards: [unchanged(row)],
              writes: [put(allowed(row, record.id as AgentId)), ...sameCommit],
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

  const personNamed = async (idOrHandle: string): Promise<AgentId> => {
    const { id, content, handle } = await records.get("agent", idOrHandle.replace(/^@/, ""), house);
    if (content.kind === "human") return id;
    throw new HearthError("record.invalid", `${handle} is a bot, and a sender can only be a person.`, {
      hint: "Choose a person: hearth person list",
    });
  };

  /** Returns the person given by the caller, or the sender's person before the block. */
  const personOf = async (row: SenderRow, as: string | undefined): Promise<AgentId | undefined> => {
    if (as !== undefined) return personNamed(as);
    return row.person === null ? undefined : (await records.find("agent", row.person))?.id;
  };

  const find = (who: SenderName, by: AgentId): Promise<SenderRow> =>
    "code" in who ? byCode(who.code, by) : byName(who.channel, who.sender);

  return {
    async list() {
      const rows = await store.select({
        table: "senders",
        order: [{ column: "created_at", descending: true }, { column: "channel" }, { column: "external" }],
      });
      return rows.map(toPairing);
    },

    async approve(who, by, as) {
      await requirePerson(by);
      const row = await find(who, by);
      const sameCommit = await greetings.planWelcome(row);
      const known = await personOf(row, as);
      const person = known ?? (await makePerson(row, by, sameCommit));
      if (known !== undefined) await change(row, [put(allowed(row, known)), ...sameCommit]);
      log.write("info", "a sender was admitted", { channel: row.channel, person, by });
      outbox.poke();
      return toPairing(allowed(row, person));
    },

    async letIn(channel, { id: external, name }, by) {
      const [known] = await store.select({ table: "senders", where: { channel, external } });
      const row: SenderRow = known ?? {
        channel,
        external,
        name: plainName(name, external),
        person: null,
        state: "pending",
        code_hash: null,
        code_expires_at: null,
        created_at: clock.now(),
      };
      if (known === undefined) await store.commit({ writes: [{ kind: "insert", table: "senders", row }] });
      const before = await personOf(row, undefined);
      if (before === undefined) return makePerson(row, by, []);
      await change(row, [put(allowed(row, before))]);
      return before;
    },

    async block(channel, sender, by) {
      await requirePerson(by);
      const row = await byName(channel, sender);
      const blocked: SenderRow = { ...row, state: "blocked", code_hash: null, code_expires_at: null };
      await change(row, [put(blocked)]);
      log.write("info", "a sender was blocked", { channel, by });
      return toPairing(blocked);
    },

    async forget(channel, sender, by) {
      await requirePerson(by);
      const row = await byName(channel, sender);
      await change(row, [{ kind: "delete", table: "senders", where: { channel, external: sender } }]);
      log.write("info", "a sender was forgotten", { channel, by });
    },

    async sendTest(channel, sender, by) {
      await requirePerson(by);
      const row = await byName(channel, sender);
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
      const [sent] = await store.select({ table: "outbox", where: { id } });
      if (sent === undefined) throw noConversationError(row);
      return toDelivery(sent);
    },
  };
};

/** Finds the conversations where senders got their codes, and writes to admitted senders there. */
const createGreetings = ({ store, outbox }: PairingsOptions) => {
  /** Returns the newest update for which the sender got a code, in a direct conversation. */
  const find = async ({ channel, external: sender }: SenderRow): Promise<Row<"inbound"> | undefined> => {
    const written = await store.select({
      table: "inbound",
      where: { channel, sender, fate: "unpaired" },
      order: [{ column: "at", descending: true }],
      limit: MAX_SEARCHED_UPDATES,
    });
    const notices = await store.select({
      table: "outbox",
      where: { channel, event: null },
      and: [{ column: "conversation", is: "in", value: written.map(({ conversation }) => conversation) }],
    });
    return written.find(({ conversation }) => notices.some((notice) => notice.conversation === conversation));
  };

  /** Returns the writes that notify the sender in the conversation where the code was sent. */
  const planWelcome = async (row: SenderRow): Promise<readonly Write[]> => {
    const last = await find(row);
    if (last === undefined) return [];
    const { channel } = row;
    const text = "You are now admitted. Your earlier messages were not read, so please send them again.";
    return outbox.planNotice({ channel, conversation: last.conversation, text, idParts: ["paired", last.external] });
  };

  return { find, planWelcome };
};

/** Searches for the sender of a code, and refuses a caller who has sent too many wrong ones. */
const createCodeSearch = ({ world, store }: PairingsOptions) => {
  const { clock, hash } = world;
  /** Times of each caller's wrong codes. Callers are people of the house, so there are few. */
  const wrong = new Map<AgentId, readonly number[]>();
  return async (typed: string, by: AgentId): Promise<SenderRow> => {
    const now = clock.monotonic();
    const lately = (wrong.get(by) ?? []).filter((at) => now - at < MINUTE_MS);
    if (lately.length >= MAX_WRONG) {
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
    wrong.set(by, [...lately, now]);
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
const unchanged = ({ channel, external, state, code_hash }: SenderRow): Guard => ({
  kind: "exists",
  table: "senders",
  where: { channel, external, state, code_hash },
});

const allowed = (row: SenderRow, person: AgentId): SenderRow => ({
  ...row,
  person,
  state: "allowed",
  code_hash: null,
  code_expires_at: null,
});

const put = (row: SenderRow): Write => ({ kind: "put", table: "senders", row });

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
