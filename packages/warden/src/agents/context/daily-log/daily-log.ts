/**
 * Writes agents' daily logs: one line in `memory/YYYY-MM-DD.md` for each turn that did something.
 * It reads the durable activation logs a few seconds later and in batches, so that no turn waits
 * for it. After a crash it continues from its stored offset.
 */
import type { AudienceOf, Records } from "../../../people/index.ts";
import type { Log, Store, DurableStreams } from "../../../kernel/index.ts";
import {
  type ActivationEnded,
  type AgentId,
  type AgentRecord,
  type Label,
  type RoomId,
  type Stored,
  type StreamName,
  type World,
  isTainted,
  joinLabels,
  wallDay,
  idOfStream,
} from "@hearth/protocol";
import type { Brain } from "../../brains/brain.ts";
import type { Brains } from "../../brains/brains.ts";
import { logFolder } from "../../brains/audience-files.ts";
import { labelOf } from "../labelled-values.ts";
import { createLoggedTurns, type LoggedTurnsOptions } from "./logged-turns.ts";

export interface DailyLogOptions extends LoggedTurnsOptions {
  readonly world: World;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly brains: Pick<Brains, "open">;
  readonly audienceOf: AudienceOf;
}

export interface DailyLog {
  /**
   * Logs the turns of every agent since its stored offset, then follows the logs until `signal`
   * aborts.
   */
  run(signal: AbortSignal): Promise<void>;
}

export const READER = "daily-log";
/** Time over which turns are batched. Daily logs are read later, so the delay does no harm. */
const BATCH_DELAY_MS = 3000;
const EVENTS_PER_READ = 200;
/**
 * Maximum length of a day's log, in UTF-16 code units. A prompt shows at most half of it. The
 * activation log has the rest.
 */
export const MAX_DAY_LENGTH = 40_000;
const FULL_LINE = "- More was done this day than is written down here: `hearth activation list` has it all.";

interface Entry {
  readonly path: string;
  readonly line: string;
  readonly label: Label;
  readonly turn: ActivationEnded["activation"];
}

/** A day's log during a write. A turn ends once, so only the stored text can contain its line. */
interface Day {
  readonly stored: string;
  /** Includes the lines that are being added. */
  readonly length: number;
  readonly isFull: boolean;
}

const toDay = (stored: string): Day => ({ stored, length: stored.length, isFull: stored.includes(FULL_LINE) });

export const createDailyLog = (options: DailyLogOptions): DailyLog => {
  const { world, log, store, streams, records, brains, audienceOf } = options;
  const readTurn = createLoggedTurns(options);
  /** The read offset of each log. An offset is not stored if there was nothing to write. */
  const readOffsets = new Map<StreamName, number>();

  const storedOffset = async (stream: StreamName): Promise<number> => {
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    return row?.offset ?? 0;
  };

  const readLog = async (agent: AgentRecord): Promise<void> => {
    const stream: StreamName = `agent:${agent.id}`;
    const { content } = await records.get("house", agent.house);
    const brain = await brains.open(agent);
    for (;;) {
      const after = readOffsets.get(stream) ?? (await storedOffset(stream));
      const events = await streams.read(stream, after, EVENTS_PER_READ);
      const lastEvent = events.at(-1);
      if (lastEvent === undefined) return;
      const endedTurns = events.filter((event) => event.type === "activation-ended");
      // If a person makes the agent forget a text meanwhile, the text is either erased after this
      // write, or already absent from the log.
      if (await brain.serialize(() => write(brain, agent, endedTurns, content.timezone)))
        await storeOffset(stream, lastEvent.offset);
      readOffsets.set(stream, lastEvent.offset);
      if (events.length < EVENTS_PER_READ) return;
    }
  };

  const storeOffset = async (stream: StreamName, offset: number): Promise<void> => {
    await store.commit({ writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset } }] });
  };

  /** Returns whether the log had anything to write. */
  const write = async (
    brain: Brain,
    agent: AgentRecord,
    turns: readonly Stored<ActivationEnded>[],
    zone: string,
  ): Promise<boolean> => {
    const folders = new Map<RoomId, string>();
    const days = new Map<string, Day>();
    const entries: Entry[] = [];
    for (const turn of turns) {
      const folder = folders.get(turn.room) ?? (await folderOf(agent, turn.room));
      folders.set(turn.room, folder);
      const path = `${folder}/${wallDay(turn.at, zone)}.md`;
      const day = days.get(path) ?? toDay((await brain.read(path)) ?? "");
      days.set(path, day);
      // A crash after the write can prevent the store of the offset.
      if (day.isFull || day.stored.includes(turn.activation)) continue;
      const logged = await readTurn(turn, agent, zone);
      if (logged === undefined) continue;
      const fits = day.length + logged.line.length <= MAX_DAY_LENGTH;
      const { line, label } = fits ? logged : { line: FULL_LINE, label: labelOf("trusted") };
      days.set(path, { ...day, length: day.length + 1 + line.length, isFull: !fits });
      entries.push({ path, line, label, turn: turn.activation });
    }
    for (const { path, line, label, turn } of joinEntries(entries))
      await brain.append(path, line, { agent: agent.id, activation: turn, label });
    return turns.length > 0;
  };

  const folderOf = async (agent: AgentRecord, id: RoomId): Promise<string> => {
    const room = await records.find("room", id);
    // A deleted room has no readers left.
    return logFolder(room === undefined ? `room:${id}` : await audienceOf(agent, room));
  };

  const readAgent = async (id: AgentId): Promise<void> => {
    try {
      const agent = await records.find("agent", id);
      if (agent?.content.kind === "bot") await readLog(agent);
    } catch (error) {
      log.write("error", "cannot write an agent's daily log; trying again after its next turn", {
        agent: id,
        error,
      });
    }
  };

  return {
    async run(signal) {
      const grownStreams = streams.watch(["agent"], signal);
      await world.clock.sleep(BATCH_DELAY_MS, signal);
      for (const { id } of await findAgentsBehind()) if (!signal.aborted) await readAgent(id);
      for await (const names of grownStreams) {
        await world.clock.sleep(BATCH_DELAY_MS, signal);
        for (const name of names) if (!signal.aborted) await readAgent(idOfStream(name));
      }
    },
  };

  /** Returns the agents whose logs have grown since the last read. */
  async function findAgentsBehind(): Promise<readonly AgentRecord[]> {
    const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
    const [heads, rows] = await Promise.all([
      streams.heads(bots.map(({ id }): StreamName => `agent:${id}`)),
      store.select({ table: "readers", where: { reader: READER } }),
    ]);
    const offsets = new Map(rows.map(({ stream, offset }) => [stream, offset]));
    return bots.filter(({ id }) => (heads.get(`agent:${id}`)?.offset ?? 0) > (offsets.get(`agent:${id}`) ?? 0));
  }
};

/**
 * Joins consecutive entries of one file into one write. Entries from untrusted turns stay separate,
 * because a write has one label.
 */
const joinEntries = (entries: readonly Entry[]): readonly Entry[] => {
  const writes: Entry[] = [];
  for (const entry of entries) {
    const lastWrite = writes.at(-1);
    if (lastWrite?.path === entry.path && isTainted(lastWrite.label) === isTainted(entry.label)) {
      const line = `${lastWrite.line}\n${entry.line}`;
      writes[writes.length - 1] = { ...lastWrite, line, label: joinLabels(lastWrite.label, entry.label) };
    } else writes.push(entry);
  }
  return writes;
};
