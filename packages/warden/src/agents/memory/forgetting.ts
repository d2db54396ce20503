/**
 * Forgets a source and what derives from it: lines of brain files and their versions, turn inputs,
 * call results, summaries, the agent's messages about it, and index entries. If the source is a
 * message, it is deleted from its room. Other messages of people stay, because people delete those
 * themselves. An agent's message without a match from a turn that read the source stays and is
 * reported.
 */
import { readJson, readLabel, type Store, type DurableStreams } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import {
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type BrainErased,
  type ChangeId,
  type EventId,
  HearthError,
  readableText,
  type SourceForgotten,
  type StoredMessage,
} from "@hearth/protocol";
import type { Brain, ChangeAuthor, LabelledLine } from "../brains/brain.ts";
import { extractFact, LINE_REFERENCE, containsFact, collapseSpaces } from "./fact-text.ts";
import { type ForgetTarget, containsAnyFact, type Traces } from "./forget-target.ts";
import type { Memory } from "./house-memory.ts";
import { isReplaced, unstrike } from "./replaced.ts";
import { isShortFact, numbersIn, containsShortFact } from "./distinctive-words.ts";

export interface ForgetOptions {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "find" | "read" | "head">;
  readonly records: Pick<Records, "list">;
  readonly memory: Pick<Memory, "purge">;
  readonly traces: Traces;
}

export interface ForgetRequest {
  readonly agent: AgentRecord;
  readonly brain: Brain;
  /**
   * One of these: a place in a file, as `MEMORY.md:12` or `MEMORY.md:12-14`; a file's path; the
   * id of a message or an activation, for the facts of its turn; a URL or host, for the facts
   * from its pages; any other source name in a line's label.
   */
  readonly source: string;
  readonly by: ChangeAuthor;
  /** The person who decides. Messages are deleted in this person's name. */
  readonly person: AgentId;
  /** Whether to delete all messages of the turns that read the source. */
  readonly replies?: boolean;
}

/** Throws `memory.nothing` if no text of the source is stored. */
export type Forget = (what: ForgetRequest) => Promise<SourceForgotten>;

/** Maximum number of lines per erasure. */
const LINES_PER_ERASURE = 1000;
/** Maximum number of events in one read of a room. */
const EVENTS_PER_READ = 1000;

/** The changes of the brain by the erasure, and the source for other parts. */
interface ErasedSource {
  readonly erased: readonly BrainErased[];
  readonly target: Partial<Omit<ForgetTarget, "agent" | "by" | "files">>;
}

export const createForget = ({ store, streams, records, memory, traces }: ForgetOptions): Forget => {
  const erase = async ({ brain, by }: ForgetRequest, lines: readonly string[]): Promise<readonly BrainErased[]> => {
    const nonEmptyLines = [...new Set(lines)].filter((line) => line.trim() !== "");
    const erased: BrainErased[] = [];
    for (let from = 0; from < nonEmptyLines.length; from += LINES_PER_ERASURE)
      erased.push(await brain.erase({ lines: nonEmptyLines.slice(from, from + LINES_PER_ERASURE) }, by));
    return erased;
  };

  /** Erases facts, the lines that quote them, and the daily log lines of these turns. */
  const eraseFacts = async (
    request: ForgetRequest,
    lines: readonly string[],
    shouldErase: (line: string) => boolean = () => false,
  ): Promise<readonly BrainErased[]> => {
    // Older versions contain the line without its strikethrough.
    const unstruck = lines.map(unstrike);
    const facts = factsIn(unstruck);
    const isShort = containsShortFact(facts);
    // Daily logs quote the agent, so a number alone identifies the fact there.
    const occursIn = containsAnyFact(facts, facts);
    const matchingLines = (await allLines(request.brain)).filter(
      (line) =>
        shouldErase(line) ||
        isShort(unstrike(line)) ||
        facts.some((fact) => containsFact(unstrike(line), fact)) ||
        (LOG_LINE_END.test(line) && occursIn(line)),
    );
    return erase(request, [...lines, ...unstruck, ...matchingLines, ...matchingLines.map(unstrike)]);
  };

  /** Erases lines by the source names in their labels. */
  const eraseSources = async (request: ForgetRequest): Promise<ErasedSource> => {
    const isSource = matchesSource(request.source);
    const allLabelledLines = await labelledLines(request.brain);
    const texts = allLabelledLines.filter(({ label }) => label.sources.some(isSource)).map(({ text }) => text);
    const rows = await store.select({ table: "brain_lines", where: { agent: request.agent.id } });
    const names = new Set(rows.flatMap(({ labels }) => readLabel(labels)?.sources ?? []).filter(isSource));
    const erased: BrainErased[] = [];
    for (const source of names) erased.push(await request.brain.erase({ source }, request.by));
    return { erased, target: { isSource, texts: texts.filter(isNoLogLine), occursIn: createSourceMatch(texts) } };
  };

  const messageOf = async ({ agent, source }: ForgetRequest): Promise<StoredMessage | undefined> => {
    for (const room of await records.list("room", agent.house)) {
      const event = await streams.find(`room:${room.id}`, source as EventId);
      if (event?.type === "message") return event;
    }
    return undefined;
  };

  /** Returns the original text of a message and the texts of its edits. */
  const textsOfMessage = async (message: StoredMessage): Promise<readonly string[]> => {
    const { id, room, offset } = message;
    const texts = [readableText(message)];
    for (let after = offset; after < (await streams.head(`room:${room}`)); after += EVENTS_PER_READ)
      for (const event of await streams.read(`room:${room}`, after, EVENTS_PER_READ))
        if (event.type === "message-edited" && event.message === id) texts.push(event.body.text);
    return texts;
  };

  /** Returns the turns that the message woke or that read it while they ran. */
  const turnsOf = async ({ agent, source }: ForgetRequest): Promise<ReadonlySet<ActivationId>> => {
    const where = source.startsWith("evt_") ? { agent: agent.id, cause: source } : { agent: agent.id, id: source };
    const turns = new Set<ActivationId>();
    for (let rows = await store.select({ table: "activations", where }); rows.length > 0;) {
      for (const { id } of rows) turns.add(id);
      const hosts = rows.flatMap(({ merged_into: host }) => (host === null || turns.has(host) ? [] : [host]));
      rows = await store.select({ table: "activations", and: [{ column: "id", is: "in", value: hosts }] });
    }
    return turns;
  };

  /**
   * Returns the facts that were noted when a conversation was compacted. The single messages from
   * which they came are unknown.
   */
  const compactionNotes = async (agent: AgentRecord, { room, offset }: StoredMessage): Promise<readonly ChangeId[]> =>
    (await store.select({ table: "compactions", where: { agent: agent.id, room } }))
      .filter(({ after, through }) => after < offset && offset <= through)
      .flatMap(({ files }) => readJson(files).map(({ change }) => change as ChangeId));

  const eraseTurns = async (request: ForgetRequest, message: StoredMessage | undefined): Promise<ErasedSource> => {
    const { agent, brain } = request;
    const turns = await turnsOf(request);
    const changes = new Set(message === undefined ? [] : await compactionNotes(agent, message));
    for (const id of turns)
      for (const change of await brain.log({ activation: id, limit: LINES_PER_ERASURE })) changes.add(change.id);
    const lines: string[] = [];
    for (const change of changes) lines.push(...(await linesAddedBy(brain, change)));
    // One line may log several turns of a day, under the activation of one of them.
    const isLogOfTurns = (line: string): boolean => turns.has((LOG_LINE_END.exec(line)?.[1] ?? "") as ActivationId);
    const ownLines = lines.filter((line) => !LOG_LINE_END.test(line) || isLogOfTurns(line));
    const messageTexts = message === undefined ? [] : await textsOfMessage(message);
    const messageLines = messageTexts
      .flatMap((text) => [text, ...text.split("\n")])
      .filter((text) => isSpecific(text) || isShort(text));
    const erased = await eraseFacts(request, [...ownLines, ...messageLines], isLogOfTurns);
    const facts = factsIn([...ownLines.filter(isNoLogLine), ...messageLines]);
    const occursIn = containsAnyFact(facts, facts);
    return { erased, target: { turns, texts: facts, occursIn, ...(message === undefined ? {} : { message }) } };
  };

  const eraseFromBrain = async (request: ForgetRequest): Promise<ErasedSource> => {
    const { brain, source, by } = request;
    const [, path = "", first = "", last = first] = LINE_REFERENCE.exec(source) ?? [];
    // A host with a port looks like a place in a file.
    const linesInFile = path === "" || /^https?:/i.test(source) ? undefined : await brain.readLabelled(path);
    if (linesInFile !== undefined) {
      const sourceLines = linesInFile.slice(Number(first) - 1, Number(last));
      const lines = sourceLines.map(({ text }) => text);
      const texts = factsIn(lines.map(unstrike));
      const erased = await eraseFacts(request, lines);
      return {
        erased,
        target: { texts: texts.filter(isNoLogLine), isReadAnywhere: true, occursIn: containsAnyFact(texts, texts) },
      };
    }
    if (/^(evt|act)_/.test(source))
      return eraseTurns(request, source.startsWith("evt_") ? await messageOf(request) : undefined);
    const { files } = await brain.list();
    if (files.some((file) => file.path === source)) {
      const texts = ((await brain.readLabelled(source)) ?? []).map(({ text }) => unstrike(text));
      const erased = [await brain.erase({ path: source }, by)];
      return {
        erased,
        target: { texts: texts.filter(isNoLogLine), isReadAnywhere: true, occursIn: createSourceMatch(texts) },
      };
    }
    return eraseSources(request);
  };

  const eraseAll = async (request: ForgetRequest): Promise<SourceForgotten> => {
    const { agent, person: by, replies: deletesReplies = false } = request;
    const { erased, target } = await eraseFromBrain(request);
    const changedPaths = erased.flatMap(({ files, change }) => [
      ...files,
      ...(change?.versions.map(({ path }) => path) ?? []),
    ]);
    const files = new Set(changedPaths);
    const { kept, ...counts } = await traces.erase({ ...EMPTY_TARGET, ...target, agent, by, files, deletesReplies });
    return {
      files: [...new Set(erased.flatMap((erasure) => erasure.files))].sort(),
      versions: erased.reduce((sum, { versions }) => sum + versions, 0),
      ...counts,
      kept: [...kept],
    };
  };

  return async (request) => {
    const result = await request.brain.serialize(() => eraseAll(request));
    const { files, versions, steps, messages, summaries, keptCount } = result;
    if (files.length + versions + steps + messages + summaries + keptCount === 0)
      throw new HearthError("memory.nothing", `No memory comes from ${JSON.stringify(request.source)}.`, {
        hint: "Give a location that recall shows, a file, a message id, a URL or a host.",
      });
    await memory.purge(request.agent.id);
    await traces.scrub();
    return result;
  };
};

const EMPTY_TARGET: Pick<ForgetTarget, "isSource" | "occursIn" | "isReadAnywhere" | "texts" | "turns"> = {
  isSource: () => false,
  occursIn: () => false,
  isReadAnywhere: false,
  texts: [],
  turns: new Set(),
};

/** Matches the end of a daily log line: its turn's id. */
const LOG_LINE_END = /\((act_\w+)\)\s*$/;
/** A daily log line quotes its own turn, so another turn cannot have learned the source from it. */
const isNoLogLine = (line: string): boolean => !LOG_LINE_END.test(line);
/** Minimum length of a text that is specific enough. */
const MIN_SPECIFIC_LENGTH = 20;
const isSpecific = (text: string): boolean => collapseSpaces(text).length >= MIN_SPECIFIC_LENGTH;

const isShort = (text: string): boolean => isShortFact(collapseSpaces(text));

/**
 * Returns the predicate whether a text repeats one of many lines: lines that are long enough to be
 * specific, and short lines with a specific number.
 */
const createSourceMatch = (lines: readonly string[]): ForgetTarget["occursIn"] => {
  const facts = factsIn(lines);
  const numbered = facts.filter((fact) => !isSpecific(fact) && numbersIn(fact).size > 0);
  return containsAnyFact([...facts.filter(isSpecific), ...numbered], numbered);
};

const factsIn = (lines: readonly string[]): readonly string[] => lines.map(extractFact).filter((fact) => fact !== "");

const labelledLines = async (brain: Brain): Promise<readonly LabelledLine[]> => {
  const { files } = await brain.list();
  return (await Promise.all(files.map(async ({ path }) => (await brain.readLabelled(path)) ?? []))).flat();
};

const allLines = async (brain: Brain): Promise<readonly string[]> =>
  (await labelledLines(brain)).map(({ text }) => text);

/** Returns the lines that a change added. Lines that it struck through have other authors. */
const linesAddedBy = async (brain: Brain, change: ChangeId): Promise<readonly string[]> =>
  (await brain.diff(change))
    .flatMap(({ diff = "" }) => diff.split("\n"))
    .flatMap((line) => (line.startsWith("+") && !line.startsWith("+++") ? [line.slice(1)] : []))
    .filter((line) => !isReplaced(line));

/** Matches a source name, a URL, or any page of a host. */
const matchesSource =
  (source: string) =>
  (name: string): boolean => {
    if (name === source) return true;
    const url = URL.parse(name);
    return url !== null && (url.host === source || url.hostname === source || URL.parse(source)?.href === url.href);
  };
