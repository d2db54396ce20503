/** Selects the inbox messages for a prompt: notes that other agents left, or a child's task. */
import { readJson, readLabel } from "../../kernel/index.ts";
import type { MayCarry, Records, RoomName } from "../../people/index.ts";
import { cleanName } from "../../policy/index.ts";
import {
  type AgentRecord,
  InboxId,
  joinLabels,
  type Label,
  OWNER_LABEL,
  type RoomRecord,
  type UserMessage,
} from "@hearth/protocol";
import { z } from "zod";
import type { Inbox, InboxRow } from "../inbox/inbox.ts";
import { Limits } from "../inbox/rows.ts";
import { labelOf } from "./labelled-values.ts";
import type { Stamp } from "./stamps.ts";

/**
 * A message that the agent was shown. The text stays in the inbox, and the house's note on it is
 * stored here.
 */
export const ShownMessage = z.object({ id: InboxId, note: z.string() });
export type ShownMessage = z.infer<typeof ShownMessage>;

export interface Question {
  readonly shown: ShownMessage;
  /** Name of the asker. */
  readonly asker: string;
  /** The limits of a delegation. */
  readonly limits: Limits | undefined;
}

export interface InboxPart {
  /**
   * Returns waiting messages that may be shown in this room, oldest first, up to the limits. The
   * others wait for a later prompt, or for a room whose readers can all read the room of origin.
   */
  gather(agent: AgentRecord, room: RoomRecord, when: Stamp): Promise<readonly ShownMessage[]>;
  /** Returns the messages that may still be shown in this room. Its members may have changed. */
  filterVisible(agent: AgentRecord, room: RoomRecord, shown: readonly ShownMessage[]): Promise<readonly ShownMessage[]>;
  /** Returns a child's task. */
  question(id: InboxId, when: Stamp): Promise<Question>;
  /** Formats messages for the model, identically after a restart. */
  toMessages(shown: readonly ShownMessage[]): Promise<readonly LabelledMessage[]>;
}

/** A message as the model reads it, with the label of its text. */
export interface LabelledMessage {
  readonly message: UserMessage;
  readonly label: Label;
}

/**
 * Most messages in one prompt, and their total text in UTF-16 code units. The first is shown
 * whatever its length.
 */
const MAX_SHOWN = 20;
const MAX_TOTAL_LENGTH = 20_000;
/** Longest quote of a question that is answered late, enough to recognise it. */
const MAX_QUOTE_LENGTH = 120;

export const createInboxPart = ({
  inbox,
  records,
  roomName,
  mayCarry,
}: {
  readonly inbox: Inbox;
  readonly records: Records;
  readonly roomName: RoomName;
  readonly mayCarry: MayCarry;
}): InboxPart => {
  const nameOf = async (id: string): Promise<string> => {
    const agent = await records.find("agent", id);
    return agent === undefined ? "someone who left" : `${cleanName(agent.content.name)} (@${agent.handle})`;
  };

  const noteOn = async (row: InboxRow, when: Stamp): Promise<string> => {
    const [who, room] = await Promise.all([nameOf(row.sender), records.find("room", row.room)]);
    const where = room === undefined ? "" : `, in "${cleanName(await roomName(room))}"`;
    const description = row.type === "answer" ? await describeAnswered(row) : "left in your inbox";
    return `${description} by ${who}${where}, ${when(row.at)}: for you to know`;
  };

  const describeAnswered = async ({ reply_to: question }: InboxRow): Promise<string> => {
    const [askedRow] = question === null ? [] : await inbox.rows([question]);
    const text = askedRow?.text.replace(/\s+/gu, " ").slice(0, MAX_QUOTE_LENGTH).toWellFormed() ?? "";
    return `your earlier question ${JSON.stringify(text)}, answered`;
  };

  const filterReadable = async (
    agent: AgentRecord,
    room: RoomRecord,
    rows: readonly InboxRow[],
  ): Promise<readonly InboxRow[]> => {
    const isReadableHere = new Map<string, boolean>();
    for (const { room: from } of rows)
      if (!isReadableHere.has(from)) isReadableHere.set(from, await mayCarry(agent, from, room));
    return rows.filter(({ room: from }) => isReadableHere.get(from) === true);
  };

  return {
    async gather(agent, room, when) {
      const waitingRows = await filterReadable(agent, room, await inbox.pending(agent.id));
      const rows = firstThatFit(waitingRows);
      const waitingCount = waitingRows.length - rows.length;
      const notes = await Promise.all(rows.map((row) => noteOn(row, when)));
      return rows.map(({ id }, index) => {
        const note = notes[index] ?? "";
        return {
          id,
          note: waitingCount > 0 && index === rows.length - 1 ? `${note}; ${waitingCount} more wait` : note,
        };
      });
    },

    async filterVisible(agent, room, shown) {
      const rows = await filterReadable(agent, room, await inbox.rows(shown.map(({ id }) => id)));
      return shown.filter(({ id }) => rows.some((row) => row.id === id));
    },

    async question(id, when) {
      const [row] = await inbox.rows([id]);
      if (row === undefined) throw new Error(`there is no question ${id}`);
      const request = row.type === "delegation" ? "gives you this to do" : "asks you";
      const who =
        row.sender === row.recipient
          ? "you gave yourself this to do"
          : `${await nameOf(row.sender)}, another agent, ${request}`;
      const asker = await records.find("agent", row.sender);
      return {
        shown: { id, note: `${who}, ${when(row.at)}` },
        asker: asker?.content.name ?? "someone who left",
        limits: row.limits === null ? undefined : Limits.parse(readJson(row.limits)),
      };
    },

    async toMessages(shown) {
      const rows = await inbox.rows(shown.map(({ id }) => id));
      return rows.map(({ id, text, labels }) => ({
        message: { role: "user", text, note: shown.find((message) => message.id === id)?.note ?? "" },
        // Another agent wrote it, so it is at most trusted.
        label: joinLabels(labelOf("trusted"), readLabel(labels) ?? OWNER_LABEL),
      }));
    },
  };
};

const firstThatFit = (rows: readonly InboxRow[]): readonly InboxRow[] => {
  let length = 0;
  const end = rows.findIndex(({ text }, index) => {
    length += text.length;
    return index > 0 && (index >= MAX_SHOWN || length > MAX_TOTAL_LENGTH);
  });
  return end < 0 ? rows : rows.slice(0, end);
};
