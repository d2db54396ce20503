/**
 * Plans messages of the house to conversations, as rows of the outbox. The part that sends the rows
 * listens with `onPoke`.
 */
import type { DeliveryState, World } from "@hearth/protocol";
import { createListeners } from "../listeners.ts";
import type { Store, Write } from "../store/store.ts";
import type { EndedNotice, Notice } from "./outbox.ts";
import { newRow, type OutboxRow, toInsert, withoutExisting } from "./rows.ts";

export interface Notices {
  /**
   * Returns the rows of a notice. The caller adds these writes to the commit of what they
   * deliver, and then calls `poke`.
   */
  planNotice(notice: Notice): Promise<readonly Write[]>;
  /**
   * Returns the writes that end a notice's choices. Empty if there is no such notice, or if it
   * was never sent.
   */
  planChoicesEnd(endedNotice: EndedNotice): Promise<readonly Write[]>;
  /** Signals that planned rows are durable. Never waits. */
  poke(): void;
  /** Called at each `poke`. */
  onPoke(listener: () => void): void;
}

export const createNotices = ({
  world,
  store,
}: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
}): Notices => {
  const { clock, ids } = world;
  const pokes = createListeners<void>();

  const idOf = ({ channel, conversation, idParts }: Pick<Notice, "channel" | "conversation" | "idParts">) =>
    ids.derive("out", "notice", channel, conversation, ...idParts);

  return {
    async planNotice({ channel, conversation, text, replyTo, choices, idParts }) {
      const id = idOf({ channel, conversation, idParts });
      const fields = { id, channel, conversation, body: text, room: null, event: null, piece: 0 };
      const row = newRow({ ...fields, replyTo: replyTo ?? null, choices, now: clock.now() });
      return (await withoutExisting(store, [row])).map(toInsert);
    },

    async planChoicesEnd({ channel, conversation, idParts, text }) {
      const noticeId = idOf({ channel, conversation, idParts });
      const [notice] = await store.select({ table: "outbox", where: { id: noticeId } });
      if (notice === undefined || notice.state === "refused") return [];
      // Two ends may be planned at the same time. The message then shows the later one.
      const fields = { id: ids.fresh("out"), channel, conversation, body: text, room: null, event: null, piece: 0 };
      const row = newRow({ ...fields, replyTo: null, ends: noticeId, now: clock.now() });
      const endRow: OutboxRow = { ...row, place: Math.max(row.place, notice.place + 1) };
      const clearChoices = (state: DeliveryState): Write => ({
        kind: "update",
        table: "outbox",
        where: { id: noticeId, state },
        set: { choices: null },
      });
      return [clearChoices("queued"), clearChoices("unknown"), toInsert(endRow)];
    },

    poke: pokes.notify,
    onPoke: pokes.add,
  };
};
