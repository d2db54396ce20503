/**
 * Converts an ended turn to its line in the daily log and a label, or to undefined if the turn did
 * nothing that is logged.
 */
import { createRoomName, type Records, type StandingOf, type Rooms } from "../../../people/index.ts";
import {
  readLabel,
  replyIdOf,
  type Journal,
  type Store,
  type Row,
  type DurableStreams,
} from "../../../kernel/index.ts";
import { cleanName } from "../../../policy/index.ts";
import {
  type ActivationEnded,
  type AgentRecord,
  type EventId,
  joinLabels,
  type Label,
  type MessageEvent,
  OWNER_LABEL,
  readableText,
  type RoomId,
  wallTime,
  type World,
} from "@hearth/protocol";
import { labelOf } from "../labelled-values.ts";
import { logEntry } from "./log-entry.ts";

export interface LoggedTurnsOptions {
  readonly world: Pick<World, "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "find">;
  readonly records: Pick<Records, "find">;
  readonly rooms: Pick<Rooms, "isRemoved">;
  readonly journal: Pick<Journal, "rows">;
  readonly standingOf: StandingOf;
  /** Redacts secrets in a text. */
  readonly redact: (text: string) => string;
}

interface LoggedLine {
  readonly line: string;
  readonly label: Label;
}

export type ReadTurn = (turn: ActivationEnded, agent: AgentRecord, zone: string) => Promise<LoggedLine | undefined>;

export const createLoggedTurns = (options: LoggedTurnsOptions): ReadTurn => {
  const { world, store, streams, records, rooms, journal, standingOf, redact } = options;
  const roomName = createRoomName(options);

  const readMessage = async (room: RoomId, id: EventId): Promise<MessageEvent | undefined> => {
    const event = await streams.find(`room:${room}`, id);
    // A deleted message has no text left.
    return event?.type === "message" && readableText(event) !== "" ? event : undefined;
  };

  return async (turn, agent, zone) => {
    const [row] = await store.select({ table: "activations", where: { id: turn.activation } });
    if (row === undefined || turn.mergedInto !== undefined) return undefined;
    const cause = row.cause;
    const isChild = row.parent !== null;
    const steps = (await journal.rows(turn.activation)).filter(({ kind }) => kind === "tool");
    const tools = steps.filter(
      ({ effect, state, refused_by: by }) => effect !== "pure" && state !== "started" && by === null,
    );
    const reply =
      isChild || turn.state !== "replied" ? undefined : await readMessage(turn.room, replyIdOf(world.ids, row.id));
    if (reply === undefined && tools.length === 0) return undefined;
    const question =
      isChild || (await rooms.isRemoved(turn.room, cause)) ? undefined : await readMessage(turn.room, cause);
    const author = await records.find("agent", question?.author ?? row.person);
    if (author?.content.kind !== "human" && tools.length === 0) return undefined;
    const name = cleanName(author?.content.name ?? "someone");
    const line = logEntry({
      activation: turn.activation,
      time: timeOf(turn.at, zone),
      who: `${isChild ? "another agent" : name}${await roomSuffix(row)}`,
      ...(reply === undefined ? {} : { answer: reply.body.text }),
      tools: tools.map((step) => step.name),
    });
    const standing = author === undefined ? labelOf() : labelOf(await standingOf(author.id, agent), name);
    const labels = [question?.label, reply?.label, ...steps.map((step) => readLabel(step.labels))];
    // Untrusted input may have caused the agent's text, so the text carries the turn's label.
    return {
      line: redact(line),
      label: labels.reduce<Label>(
        (joined, label) => joinLabels(joined, label ?? OWNER_LABEL),
        joinLabels(labelOf("trusted"), standing),
      ),
    };
  };

  async function roomSuffix({ room, parent }: Row<"activations">): Promise<string> {
    const record = await records.find("room", room);
    return parent !== null || record?.content.kind !== "group" ? "" : ` in ${cleanName(await roomName(record))}`;
  }
};

/** "14:05". */
const timeOf = (at: number, zone: string): string => {
  const { hour, minute } = wallTime(at, zone);
  return `${hour}:${minute}`;
};
