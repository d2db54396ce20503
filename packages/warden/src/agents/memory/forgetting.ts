/**
 * Forgetting what came from a source, and what was made of it: lines of the brain's files and of every version of them, what turns were given and what
 * their calls said, summaries, what the agent itself said of it, and the index. A message that is the source goes from its room; what people said
 * otherwise is theirs: they take it back there. What the agent said in a turn that had read it, and that has nothing of it, stays and is named.
 */
import type { Records } from "../../people/index.ts";
import { readLabel, type Store, type DurableStreams } from "../../kernel/index.ts";
import {
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type BrainErased,
  type ChangeId,
  type EventId,
  HearthError,
  type KeptFile,
  type SourceForgotten,
  type StoredMessage,
} from "@hearth/protocol";
import type { Brain, By, LabelledLine } from "../brains/brain.ts";
import { factIn, PLACE, says, squash } from "./fact-text.ts";
import { type ForgetTarget, saysAnyOf, type Traces } from "./forget-target.ts";
import type { Memory } from "./memory.ts";
import { isReplaced, unstrike } from "./replaced.ts";
import { isShortFact, numbersIn, saysShortly } from "./distinctive-words.ts";

export interface ForgetOptions {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "find" | "read" | "head">;
  readonly records: Pick<Records, "list">;
  readonly memory: Pick<Memory, "purge">;
  readonly traces: Traces;
}

export interface ToForget {
  readonly agent: AgentRecord;
  readonly brain: Brain;
  /**
   * A place in a file, as `MEMORY.md:12` or `MEMORY.md:12-14`; a file, by its path; the id of a message or an activation, for what was kept in its
   * turn; a URL or a host, for what was made of its pages; or any other name of a source, as lines have it.
   */
  readonly source: string;
  readonly by: By;
  /** Whose word it is: in their name a message is taken back. */
  readonly person: AgentId;
  /** Takes back what was said in turns that had read it, whatever it says. */
  readonly replies?: boolean;
}

/** Throws `memory.nothing` where there is nothing of it. */
export type Forget = (what: ToForget) => Promise<SourceForgotten>;

/** Lines of one erasure. */
const BATCH = 1000;
/** Events of a room that are looked through at once. */
const PAGE = 1000;

/** What the brain lost, and what else is meant. */
interface Found {
  readonly erased: readonly BrainErased[];
  readonly meant: Partial<Omit<ForgetTarget, "agent" | "by" | "files">>;
}

export const createForget = ({ store, streams, records, memory, traces }: ForgetOptions): Forget => {
  const erase = async ({ brain, by }: ToForget, lines: readonly string[]): Promise<readonly BrainErased[]> => {
    const said = [...new Set(lines)].filter((line) => line.trim() !== "");
    const erased: BrainErased[] = [];
    for (let from = 0; from < said.length; from += BATCH)
      erased.push(await brain.erase({ lines: said.slice(from, from + BATCH) }, by));
    return erased;
  };

  /** And lines that tell how it was said, or that a day's log has of these turns. */
  const eraseFacts = async (
    what: ToForget,
    lines: readonly string[],
    isTold: (line: string) => boolean = () => false,
  ): Promise<readonly BrainErased[]> => {
    // Older versions have it as it was before it was replaced.
    const before = lines.map(unstrike);
    const facts = factsIn(before);
    const isShort = saysShortly(facts);
    // What a day's log tells, the agent said: there a number alone tells what it is of.
    const isSaidIn = saysAnyOf(facts, facts);
    const told = (await allLines(what.brain)).filter(
      (line) =>
        isTold(line) ||
        isShort(unstrike(line)) ||
        facts.some((fact) => says(unstrike(line), fact)) ||
        (LOGGED.test(line) && isSaidIn(line)),
    );
    return erase(what, [...lines, ...before, ...told, ...told.map(unstrike)]);
  };

  /** By the names that lines have of where they came from. */
  const eraseSources = async (what: ToForget): Promise<Found> => {
    const isSource = isFrom(what.source);
    const all = await labelledLines(what.brain);
    const said = all.filter(({ label }) => label.sources.some(isSource)).map(({ text }) => text);
    const rows = await store.select({ table: "brain_lines", where: { agent: what.agent.id } });
    const names = new Set(rows.flatMap(({ labels }) => readLabel(labels)?.sources ?? []).filter(isSource));
    const erased: BrainErased[] = [];
    for (const source of names) erased.push(await what.brain.erase({ source }, what.by));
    return { erased, meant: { isSource, said: said.filter(isNoted), isSaidIn: toldIn(said) } };
  };

  const messageOf = async ({ agent, source }: ToForget): Promise<StoredMessage | undefined> => {
    for (const room of await records.list("room", agent.house)) {
      const event = await streams.find(`room:${room.id}`, source as EventId);
      if (event?.type === "message") return event;
    }
    return undefined;
  };

  /** As it was said, and as it was said otherwise later. */
  const wordsOf = async ({ id, room, offset, body }: StoredMessage): Promise<readonly string[]> => {
    const texts = [body.text];
    for (let after = offset; after < (await streams.head(`room:${room}`)); after += PAGE)
      for (const event of await streams.read(`room:${room}`, after, PAGE))
        if (event.type === "message-edited" && event.message === id) texts.push(event.body.text);
    return texts;
  };

  /** Turns that it woke, and those that took it in and answered for them. */
  const turnsOf = async ({ agent, source }: ToForget): Promise<ReadonlySet<string>> => {
    const where = source.startsWith("evt_") ? { agent: agent.id, cause: source } : { agent: agent.id, id: source };
    const turns = new Set<string>();
    for (let rows = await store.select({ table: "activations", where }); rows.length > 0;) {
      for (const { id } of rows) turns.add(id);
      const hosts = rows.flatMap(({ merged_into: host }) => (host === null || turns.has(host) ? [] : [host]));
      rows = await store.select({ table: "activations", and: [{ column: "id", is: "in", value: hosts }] });
    }
    return turns;
  };

  /** What was noted of a talk when it became too long: of which message a note was made, nobody knows. */
  const notedOf = async (agent: AgentRecord, { room, offset }: StoredMessage): Promise<readonly ChangeId[]> =>
    (await store.select({ table: "compactions", where: { agent: agent.id, room } }))
      .filter(({ after, through }) => after < offset && offset <= through)
      .flatMap(({ files }) => (JSON.parse(files) as readonly KeptFile[]).map(({ change }) => change as ChangeId));

  const eraseTurns = async (what: ToForget, message: StoredMessage | undefined): Promise<Found> => {
    const { agent, brain } = what;
    const turns = await turnsOf(what);
    const changes = new Set(message === undefined ? [] : await notedOf(agent, message));
    for (const id of turns)
      for (const change of await brain.log({ activation: id as ActivationId, limit: BATCH })) changes.add(change.id);
    const lines: string[] = [];
    for (const change of changes) lines.push(...(await addedBy(brain, change)));
    // Turns of a day are written down together, under the name of one of them.
    const isOwn = (line: string): boolean => turns.has(LOGGED.exec(line)?.[1] ?? "");
    const own = lines.filter((line) => !LOGGED.test(line) || isOwn(line));
    const said = message === undefined ? [] : await wordsOf(message);
    const heard = said
      .flatMap((text) => [text, ...text.split("\n")])
      .filter((text) => isTelling(text) || isShort(text));
    const erased = await eraseFacts(what, [...own, ...heard], isOwn);
    const facts = factsIn([...own.filter(isNoted), ...heard]);
    const isSaidIn = saysAnyOf(facts, facts);
    return { erased, meant: { turns, said: facts, isSaidIn, ...(message === undefined ? {} : { message }) } };
  };

  const eraseFrom = async (what: ToForget): Promise<Found> => {
    const { brain, source, by } = what;
    const [, path = "", first = "", last = first] = PLACE.exec(source) ?? [];
    if (path !== "" && !/^https?:/i.test(source)) {
      const found = ((await brain.readLabelled(path)) ?? []).slice(Number(first) - 1, Number(last));
      const lines = found.map(({ text }) => text);
      const said = factsIn(lines.map(unstrike));
      const erased = await eraseFacts(what, lines);
      return { erased, meant: { said: said.filter(isNoted), isReadAnywhere: true, isSaidIn: saysAnyOf(said, said) } };
    }
    if (/^(evt|act)_/.test(source))
      return eraseTurns(what, source.startsWith("evt_") ? await messageOf(what) : undefined);
    const { files } = await brain.list();
    if (files.some((file) => file.path === source)) {
      const said = ((await brain.readLabelled(source)) ?? []).map(({ text }) => unstrike(text));
      const erased = [await brain.erase({ path: source }, by)];
      return { erased, meant: { said: said.filter(isNoted), isReadAnywhere: true, isSaidIn: toldIn(said) } };
    }
    return eraseSources(what);
  };

  const eraseAll = async (what: ToForget): Promise<SourceForgotten> => {
    const { agent, person: by, replies: takesReplies = false } = what;
    const { erased, meant } = await eraseFrom(what);
    const changed = erased.flatMap(({ files, change }) => [
      ...files,
      ...(change?.versions.map(({ path }) => path) ?? []),
    ]);
    const files = new Set(changed);
    const { kept, ...gone } = await traces.erase({ ...NOTHING, ...meant, agent, by, files, takesReplies });
    return {
      files: [...new Set(erased.flatMap((one) => one.files))].sort(),
      versions: erased.reduce((sum, { versions }) => sum + versions, 0),
      ...gone,
      kept: [...kept],
    };
  };

  return async (what) => {
    const forgotten = await what.brain.inTurn(() => eraseAll(what));
    const { files, versions, steps, messages, summaries, keptCount } = forgotten;
    if (files.length + versions + steps + messages + summaries + keptCount === 0)
      throw new HearthError("memory.nothing", `Nothing is kept of ${JSON.stringify(what.source)}.`, {
        hint: "Name a place as recall shows it, a file, a message's id, a URL or a host.",
      });
    await memory.purge(what.agent.id);
    await traces.scrub();
    return forgotten;
  };
};

const NOTHING: Pick<ForgetTarget, "isSource" | "isSaidIn" | "isReadAnywhere" | "said" | "turns"> = {
  isSource: () => false,
  isSaidIn: () => false,
  isReadAnywhere: false,
  said: [],
  turns: new Set(),
};

/** A line of a day's log ends with the turn that it tells of. */
const LOGGED = /\((act_\w+)\)\s*$/;
/** What a day's log quotes was said in its turn, and is nothing that another one could have read from it. */
const isNoted = (line: string): boolean => !LOGGED.test(line);
/** What is shorter may be said of anything. */
const MIN_TELLING = 20;
const isTelling = (text: string): boolean => squash(text).length >= MIN_TELLING;

const isShort = (text: string): boolean => isShortFact(squash(text));

/** Of many lines: those that are long enough to be known, and short ones with a number that is theirs. */
const toldIn = (lines: readonly string[]): ForgetTarget["isSaidIn"] => {
  const facts = factsIn(lines);
  const numbered = facts.filter((fact) => !isTelling(fact) && numbersIn(fact).size > 0);
  return saysAnyOf([...facts.filter(isTelling), ...numbered], numbered);
};

const factsIn = (lines: readonly string[]): readonly string[] => lines.map(factIn).filter((fact) => fact !== "");

const labelledLines = async (brain: Brain): Promise<readonly LabelledLine[]> => {
  const { files } = await brain.list();
  return (await Promise.all(files.map(async ({ path }) => (await brain.readLabelled(path)) ?? []))).flat();
};

const allLines = async (brain: Brain): Promise<readonly string[]> =>
  (await labelledLines(brain)).map(({ text }) => text);

/** Lines that a change brought. One that it struck is somebody else's. */
const addedBy = async (brain: Brain, change: ChangeId): Promise<readonly string[]> =>
  (await brain.diff(change))
    .flatMap(({ diff = "" }) => diff.split("\n"))
    .flatMap((line) => (line.startsWith("+") && !line.startsWith("+++") ? [line.slice(1)] : []))
    .filter((line) => !isReplaced(line));

/** A source as it is named, a page of it, or any page of a host. */
const isFrom =
  (source: string) =>
  (name: string): boolean => {
    if (name === source) return true;
    const url = URL.parse(name);
    return url !== null && (url.host === source || url.hostname === source || URL.parse(source)?.href === url.href);
  };
