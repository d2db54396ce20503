/**
 * Searches everything that the caller may read. Each kind of result is checked by the rule of the
 * operation that shows such an item.
 */
import type { Principal } from "../../people/index.ts";
import {
  type AgentRecord,
  type Attachment,
  type Excerpt,
  type FoundFile,
  type FoundWorkspaceFile,
  isHearthError,
  MAX_RECALLED,
  type RoomId,
  type RoomRecord,
  type SearchAnswer,
  type SearchKind,
  type StoredMessage,
} from "@hearth/protocol";
import { MAX_FOUND_WORKSPACE_FILES } from "@hearth/protocol/api";
import { memoryOperations, searchOperations, streamOperations, workspaceOperations } from "@hearth/protocol/operations";
import { checkNeeds } from "../needs.ts";
import { fold, selectHits } from "./memory-hits.ts";
import { type App, bind, type OperationRequest, type RouteOptions } from "./route.ts";

type Query = OperationRequest<typeof searchOperations.find>["query"];

/** Maximum number of agents whose memory one search reads. Each one opens an index. */
const MAX_MEMORIES = 20;
/** Maximum number of agents and of rooms in one answer. */
const MAX_NAME_HITS = 20;

/** A message that was found by its text, or by a file. */
interface FoundHit {
  readonly message: StoredMessage;
  readonly excerpt: Excerpt;
  readonly position: string;
  readonly file?: Attachment;
  readonly place?: string;
}

interface FoundHits {
  readonly hits: readonly FoundHit[];
  readonly next: string | undefined;
  readonly isComplete: boolean;
}

const NO_MESSAGES: FoundHits = { hits: [], next: undefined, isComplete: true };

export const searchRoutes = (app: App, options: RouteOptions): void => {
  const findMessages = createMessageSearch(options);
  const { findFiles, findInWorkspaces } = createFileSearch(options);
  const { findAgents, findRooms } = createNameSearch(options);

  bind(app, options, searchOperations, {
    find: async ({ principal, request, query }) => {
      const { q } = query;
      const wants = kindsOf(query);
      return toAnswer({
        messages: wants.has("message") ? await findMessages(principal, query) : NO_MESSAGES,
        files: wants.has("file") ? await findFiles(principal, query, request.signal) : [],
        workspaceFiles: wants.has("workspace") ? await findInWorkspaces(principal, query) : [],
        agents: wants.has("agent") ? await findAgents(principal, q) : [],
        rooms: wants.has("room") ? await findRooms(principal, q) : [],
      });
    },
  });
};

/** Searches the texts of messages and of their files. */
const createMessageSearch = ({ access, areas }: RouteOptions) => {
  const { records, messageSearch } = areas.people;
  const { passages } = areas.agents;

  const mayRead = (principal: Principal, room: RoomId): Promise<boolean> =>
    isAllowed(checkNeeds(access, streamOperations.room.needs, { principal, param: () => room, body: noBody }));

  /** Returns the rooms that the caller may read, or undefined for all rooms, which need no filter. */
  const readableRooms = async (principal: Principal): Promise<readonly RoomId[] | undefined> => {
    const rooms = await access.readableRooms(principal);
    return rooms.length === (await records.list("room")).length ? undefined : rooms;
  };

  return async (principal: Principal, query: Query): Promise<FoundHits> => {
    const { q, from, room, since, until, cursor, limit } = query;
    const author = from === undefined ? undefined : (await access.find(principal, "agent", from)).id;
    const roomId = room === undefined ? undefined : (await access.find(principal, "room", room)).id;
    const rooms = roomId === undefined ? await readableRooms(principal) : [roomId];
    const searchQuery = { text: q, rooms, author, since, until, cursor, limit };
    const [inTexts, inFiles] = await Promise.all([messageSearch.find(searchQuery), passages.find(searchQuery)]);
    const merged = mergePages(inTexts, inFiles, limit);
    // Removed rooms still have messages, and a level may have changed since the rooms were listed.
    const isReadable = new Map<RoomId, boolean>();
    for (const { message } of merged.hits)
      if (!isReadable.has(message.room)) isReadable.set(message.room, await mayRead(principal, message.room));
    return { ...merged, hits: merged.hits.filter(({ message }) => isReadable.get(message.room) === true) };
  };
};

/** Searches the memories and the workspaces of agents. */
const createFileSearch = ({ access, areas }: RouteOptions) => {
  const { records } = areas.people;
  const { brains, memories } = areas.agents;

  const mayRecall = (principal: Principal, { id }: AgentRecord): Promise<boolean> =>
    isAllowed(checkNeeds(access, memoryOperations.recall.needs, { principal, param: () => id, body: noBody }));
  const mayList = (principal: Principal, { id }: AgentRecord): Promise<boolean> =>
    isAllowed(checkNeeds(access, workspaceOperations.list.needs, { principal, param: () => id, body: noBody }));

  const findFiles = async (principal: Principal, { q, from }: Query, signal: AbortSignal): Promise<FoundFile[]> => {
    const agents = from === undefined ? await records.list("agent") : [await access.find(principal, "agent", from)];
    const foundFiles: (FoundFile & { readonly score: number })[] = [];
    let searchedCount = 0;
    for (const agent of agents) {
      const { kind, runs } = agent.content;
      if (searchedCount === MAX_MEMORIES) break;
      if (kind !== "bot" || runs === "elsewhere" || !(await mayRecall(principal, agent))) continue;
      searchedCount += 1;
      const recalled = await memories.recall({ agent, audience: "private", query: q, signal });
      for (const { path, lines, headings, text, score } of selectHits(q, recalled.found))
        foundFiles.push({ agent: agent.id, path, lines: [...lines], headings: [...headings], text, score });
    }
    return foundFiles
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_RECALLED)
      .map(({ score: _, ...file }) => file);
  };

  const findInWorkspaces = async (principal: Principal, { q, from }: Query): Promise<FoundWorkspaceFile[]> => {
    const agents = from === undefined ? await records.list("agent") : [await access.find(principal, "agent", from)];
    const foundFiles: FoundWorkspaceFile[] = [];
    let searchedCount = 0;
    for (const agent of agents) {
      const { kind, runs } = agent.content;
      const remainingCount = MAX_FOUND_WORKSPACE_FILES - foundFiles.length;
      if (searchedCount === MAX_MEMORIES || remainingCount === 0) break;
      if (kind !== "bot" || runs === "elsewhere" || !(await mayList(principal, agent))) continue;
      searchedCount += 1;
      for (const { path, found: place } of await (await brains.open(agent)).workspace.search(q, remainingCount))
        foundFiles.push({ agent: agent.id, path, ...place });
    }
    return foundFiles;
  };

  return { findFiles, findInWorkspaces };
};

/** Searches agents and rooms by their names. */
const createNameSearch = ({ access, areas }: RouteOptions) => {
  const { records } = areas.people;

  const findAgents = async (principal: Principal, q: string): Promise<readonly AgentRecord[]> =>
    (await access.filterVisible(principal, (await records.list("agent")).filter(matchesName(q)))).slice(
      0,
      MAX_NAME_HITS,
    );
  const findRooms = async (principal: Principal, q: string): Promise<readonly RoomRecord[]> =>
    (await access.filterVisible(principal, (await records.list("room")).filter(matchesName(q)))).slice(
      0,
      MAX_NAME_HITS,
    );

  return { findAgents, findRooms };
};

/**
 * Merges two pages, newest first. The page ends where the first of both ends, because the rest of the
 * other one may be older than results that were not read.
 */
const mergePages = (a: FoundHits, b: FoundHits, limit: number): FoundHits => {
  const ends = [a.next, b.next].flatMap((next) => (next === undefined ? [] : [BigInt(next)]));
  const end = ends.reduce((greatest, next) => (next > greatest ? next : greatest), -1n);
  const hits = [...a.hits, ...b.hits]
    .filter(({ position }) => BigInt(position) >= end)
    .toSorted((hitA, hitB) => compare(BigInt(hitB.position), BigInt(hitA.position)));
  const positions = [...new Set(hits.map(({ position }) => position))];
  const lastShown = positions[limit - 1];
  const isComplete = a.isComplete && b.isComplete;
  if (positions.length <= limit || lastShown === undefined)
    return { hits, next: ends.length === 0 ? undefined : String(end), isComplete };
  return { hits: hits.filter(({ position }) => BigInt(position) >= BigInt(lastShown)), next: lastShown, isComplete };
};

const compare = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** Returns the kinds that the filters leave: only messages have a room and an instant. */
const kindsOf = ({ kind, from, room, since, until, cursor }: Query): ReadonlySet<SearchKind> => {
  const hasMessageFilter = [room, since, until, cursor].some((filter) => filter !== undefined);
  const kinds: readonly SearchKind[] = [
    "message",
    ...(hasMessageFilter ? [] : (["file", "workspace"] as const)),
    ...(hasMessageFilter || from !== undefined ? [] : (["agent", "room"] as const)),
  ];
  return new Set(kinds.filter((candidate) => kind === undefined || kind.split(",").includes(candidate)));
};

interface Results {
  readonly messages: FoundHits;
  readonly files: FoundFile[];
  readonly workspaceFiles: FoundWorkspaceFile[];
  readonly agents: readonly AgentRecord[];
  readonly rooms: readonly RoomRecord[];
}

const toAnswer = ({ messages, files, workspaceFiles, agents, rooms }: Results): SearchAnswer => ({
  messages: messages.hits.map(({ message, excerpt, file, place = "" }) => ({
    room: message.room,
    id: message.id,
    offset: message.offset,
    author: message.author,
    at: message.at,
    excerpt,
    ...(file === undefined ? {} : { file: { id: file.id, name: file.name, ...(place === "" ? {} : { place }) } }),
  })),
  files,
  workspaceFiles,
  agents: agents.map(({ id, handle, content }) => ({ id, handle, name: content.name, kind: content.kind })),
  rooms: rooms.map(({ id, handle, content }) => ({ id, handle, name: content.title ?? content.name })),
  ...(messages.next === undefined ? {} : { next: messages.next }),
  isComplete: messages.isComplete,
});

const noBody = (): Promise<Readonly<Record<string, unknown>>> => Promise.resolve({});

/** Whether the check passes. It fails if the caller lacks the level, or does not see the record. */
const isAllowed = async (check: Promise<unknown>): Promise<boolean> => {
  try {
    await check;
    return true;
  } catch (error) {
    if (isHearthError(error, "auth.denied") || isHearthError(error, "record.not-found")) return false;
    throw error;
  }
};

/** Whether each typed word begins a word of the name, the title or the handle. */
const matchesName = (typed: string): ((record: AgentRecord | RoomRecord) => boolean) => {
  const typedWords = fold(typed).match(/[\p{L}\p{N}]+/gu) ?? [];
  return ({ handle, content }) => {
    const title = "title" in content ? (content.title ?? "") : "";
    const words = fold(`${content.name} ${title} ${handle}`).split(/[^\p{L}\p{N}]+/u);
    return typedWords.length > 0 && typedWords.every((word) => words.some((textWord) => textWord.startsWith(word)));
  };
};
