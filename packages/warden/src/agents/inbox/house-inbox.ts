/**
 * Stores the inboxes of this house's agents. Each change is also an event in the recipient's log.
 */
import type { Store, DurableStreams, NewEvent } from "../../kernel/index.ts";
import { HearthError, type InboxId, type InboxMessage, type World } from "@hearth/protocol";
import type { Inbox, InboxRow } from "./inbox.ts";
import { inboxId, type ShowText, toInboxMessage } from "./rows.ts";
import { createInboxSweep } from "./sweep.ts";

/** Maximum number of messages that are read for one prompt. */
const MAX_PENDING = 200;

export const createInbox = (options: {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  /** Formats texts for people. When absent, texts are unchanged. */
  readonly show?: ShowText;
}): Inbox => {
  const { world, store, streams, show = (text) => text } = options;
  const toMessage = (row: InboxRow): InboxMessage => toInboxMessage(row, show);

  const toEvent = (row: InboxRow, at: number): NewEvent => ({
    stream: `agent:${row.recipient}`,
    id: world.ids.derive("evt", row.id, row.status),
    event: { type: "inbox-changed", at, message: toMessage(row) },
    labels: row.labels,
  });

  const rows: Inbox["rows"] = async (ids) => {
    if (ids.length === 0) return [];
    const foundRows = await store.select({ table: "inbox", and: [{ column: "id", is: "in", value: ids }] });
    return ids.flatMap((id) => foundRows.filter((row) => row.id === id));
  };

  const getRow = async (id: InboxId): Promise<InboxRow> => {
    const [row] = await rows([id]);
    if (row !== undefined) return row;
    throw new HearthError("inbox.not-found", `There is no message ${id} in any inbox.`, {
      hint: "List the inbox of an agent: hearth agent inbox AGENT",
    });
  };

  /** Whether the message is an answer for which a call still waits. */
  const isAwaited = async ({ reply_to: question }: InboxRow): Promise<boolean> => {
    const [questionRow] = question === null ? [] : await rows([question]);
    if (questionRow === undefined) return false;
    const [askingTurn] = await store.select({
      table: "activations",
      where: { id: questionRow.activation, ended_at: null },
    });
    if (askingTurn === undefined) return false;
    const openSteps = await store.select({ table: "steps", where: { activation: askingTurn.id, state: "started" } });
    return openSteps.some(({ step }) => inboxId(world, askingTurn.id, step) === questionRow.id);
  };

  return {
    rows,
    sweep: createInboxSweep({ clock: world.clock, store }),

    async list(agent, { status, limit }) {
      const foundRows = await store.select({
        table: "inbox",
        where: { recipient: agent, ...(status === undefined ? {} : { status }) },
        order: [
          { column: "at", descending: true },
          { column: "id", descending: true },
        ],
        limit,
      });
      return foundRows.map(toMessage);
    },

    get: async (id) => toMessage(await getRow(id)),

    async archive(id) {
      for (;;) {
        const currentRow = await getRow(id);
        if (currentRow.status === "archived") return toMessage(currentRow);
        const at = world.clock.now();
        const row: InboxRow = { ...currentRow, status: "archived", moved_at: at };
        const { kind } = await streams.commit({
          guards: [{ kind: "exists", table: "inbox", where: { id, status: currentRow.status } }],
          writes: [{ kind: "put", table: "inbox", row }],
          events: [toEvent(row, at)],
        });
        if (kind === "committed") return toMessage(row);
      }
    },

    async pending(agent) {
      const pendingRows = await store.select({
        table: "inbox",
        where: { recipient: agent, status: "pending" },
        and: [{ column: "type", is: "in", value: ["note", "answer"] }],
        order: [{ column: "at" }, { column: "id" }],
        limit: MAX_PENDING,
      });
      const areAwaited = await Promise.all(pendingRows.map(isAwaited));
      return pendingRows.filter((_, index) => areAwaited[index] === false);
    },

    async answerTo(question) {
      const [row] = await store.select({ table: "inbox", where: { reply_to: question, type: "answer" } });
      return row;
    },

    planPut: (row) => ({
      guards: [],
      writes: [{ kind: "insert", table: "inbox", row }],
      events: [toEvent(row, row.at)],
    }),

    async planMove(ids, { status, by }) {
      const at = world.clock.now();
      const movedRows = (await rows(ids))
        .filter((row) => row.status === "pending")
        .map((row) => ({ ...row, status, moved_at: at, ...(by === undefined ? {} : { read_at: at, read_by: by }) }));
      return {
        guards: movedRows.map(({ id }) => ({ kind: "exists", table: "inbox", where: { id, status: "pending" } })),
        writes: movedRows.map((row) => ({ kind: "put", table: "inbox", row })),
        events: movedRows.map((row) => toEvent(row, at)),
      };
    },
  };
};
