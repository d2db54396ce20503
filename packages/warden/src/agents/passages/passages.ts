/**
 * Finds attachments by the words of what they contain: captions, transcripts, and the text of
 * documents with its page. The store lists attachments whose words are missing or outdated. They are
 * indexed before a search, and by the retention sweep.
 */
import type { Documents } from "../../cells/index.ts";
import type { DurableStreams, Log, Store } from "../../kernel/index.ts";
import { type Passage, type PendingFile, readSearchTerms } from "../../kernel/lazy.ts";
import type { MessageQuery, MayCarry, Permissions, Records, Uploads } from "../../people/index.ts";
import { createCatchUp, toExcerpt, withoutMarks } from "../../people/lazy.ts";
import {
  type AgentRecord,
  type Attachment,
  type AttachmentText,
  type CitableFile,
  type Excerpt,
  includesLevel,
  inboxPath,
  isHearthError,
  joinLabels,
  type Label,
  MAX_ATTACHMENT_TEXT,
  MAX_READ_FILE_BYTES,
  OWNER_LABEL,
  type RoomId,
  type StoredMessage,
  toAddressPlace,
  type World,
} from "@hearth/protocol";
import type { AuthorsOf } from "../context/authors.ts";
import { labelMessages } from "../context/labelled-values.ts";
import { createFileTexts } from "./file-texts.ts";
import { fitsQuestion, termsOfQuestion } from "./question.ts";
import { piecesOf, type Section } from "./sections.ts";

export interface FileHit {
  readonly message: StoredMessage;
  readonly file: Attachment;
  /** The part of the file, such as "page 12". It is "" for a file without parts. */
  readonly place: string;
  readonly excerpt: Excerpt;
  /** The position of the file among all files and messages. Its hits share it. */
  readonly position: string;
}

export interface FoundInFiles {
  /** The newest files first, the passages of each in its order. */
  readonly hits: readonly FileHit[];
  /** The position after which the next page begins. */
  readonly next: string | undefined;
  /** Whether every attachment is indexed. */
  readonly isComplete: boolean;
}

/** A passage for an agent. */
export interface RecalledPassage {
  readonly message: StoredMessage;
  readonly name: string;
  readonly place: string;
  /** The file, if its text can be opened at the place. */
  readonly citable: CitableFile | undefined;
  /** The path of the file in the workspace, if the message is in the room of the turn. */
  readonly path: string | undefined;
  readonly text: string;
  /** The label of the message. */
  readonly label: Label;
}

/**
 * Contract, checked in passages.test.ts:
 * - a search finds each attachment whose commit has resolved, unless `isComplete` is false
 * - each document is converted once; a search does not repeat a failed conversion
 * - `recall` finds an attachment only if the agent may read its room, and all readers of the turn's
 *   room may read it too
 */
export interface Passages {
  /** Finds at most `limit` files. The caller checks that the results may be shown. */
  find(query: MessageQuery): Promise<FoundInFiles>;
  /** Finds passages for the question of an agent's turn in a room, best first. */
  recall(question: {
    readonly agent: AgentRecord;
    readonly room: RoomId;
    readonly query: string;
  }): Promise<{ readonly found: readonly RecalledPassage[]; readonly isComplete: boolean }>;
  /**
   * Returns a part of an attachment's text, by default the first. Throws `attachment.not-found`; a part
   * that the document does not have is the reason of a missing text.
   */
  show(room: RoomId, upload: string, place?: string): Promise<AttachmentText>;
  /** Indexes the attachments that are not indexed yet. Resolves early if `signal` aborts. */
  catchUp(signal?: AbortSignal): Promise<void>;
}

export interface PassagesOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly store: Store;
    readonly streams: DurableStreams;
    readonly signal: AbortSignal;
  };
  readonly people: {
    readonly uploads: Uploads;
    readonly records: Records;
    readonly permissions: Permissions;
    readonly mayCarry: MayCarry;
  };
  readonly documents: Pick<Documents, "convert" | "hasOcr">;
  readonly authorsOf: AuthorsOf;
}

/** Attachments per query of the list. */
const FILES_PER_QUERY = 50;
/** Maximum time that a search waits for the index. Conversions continue afterwards. */
const MAX_SEARCH_WAIT_MS = 500;
/** An agent waits longer, because it cannot repeat the search for free. */
const MAX_RECALL_WAIT_MS = 10_000;
const MAX_RECALLED_PASSAGES = 3;
/** Number of passages that are ranked for each returned passage. Passages with too few words are omitted. */
const RANKED_PER_RESULT = 10;

export const createPassages = ({ kernel, people, documents, authorsOf }: PassagesOptions): Passages => {
  const { world, log, store, streams } = kernel;
  const { clock } = world;
  const { uploads, records, permissions, mayCarry } = people;
  const texts = createFileTexts({ uploads, documents });

  const messageOf = async ({ room, event }: Pick<PendingFile, "room" | "event">) => {
    const message = await streams.find(`room:${room}`, event);
    return message?.type === "message" && message.damaged !== true ? message : undefined;
  };

  const documentOf = async (room: RoomId, upload: string): Promise<readonly Passage[]> => {
    try {
      const text = await texts.read(room, upload);
      if (text.kind === "none") return [];
      return text.sections.flatMap((section) => piecesOf(section.text).map((piece) => ({ ...section, text: piece })));
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return [];
      throw error;
    }
  };

  const passagesOf = async (message: StoredMessage, upload: string): Promise<readonly Passage[]> => {
    const caption = fileOf(message, upload)?.caption ?? "";
    const [transcript] = await store.select({ table: "transcripts", where: { upload } });
    const transcriptPieces = piecesOf(transcript?.text ?? "");
    return [
      ...(caption === "" ? [] : [{ place: CAPTION, text: caption }]),
      ...transcriptPieces.map((text) => ({ place: TRANSCRIPT, text })),
      ...(await documentOf(message.room, upload)),
    ].map(({ place, text }) => ({ place, text: withoutMarks(text) }));
  };

  const indexFile = async (pending: PendingFile): Promise<void> => {
    const message = await messageOf(pending);
    const passages = message === undefined ? [] : await passagesOf(message, pending.upload);
    const { author = "", at = 0 } = message ?? {};
    await store.passages.write({ pending, author, at, passages });
  };

  const index = async (mustStop: () => boolean): Promise<boolean> => {
    const indexedKeys = new Set<string>();
    for (;;) {
      // A file that changes during the loop is listed again, with another revision.
      const listedFiles = await store.passages.pending(FILES_PER_QUERY);
      const pendingFiles = listedFiles.filter((file) => !indexedKeys.has(keyOf(file)));
      for (const file of pendingFiles) {
        if (mustStop() || kernel.signal.aborted) return false;
        await indexFile(file);
        indexedKeys.add(keyOf(file));
        await clock.turn();
      }
      if (pendingFiles.length === 0) return true;
      await store.waitUntilIdle();
    }
  };
  const catchUp = createCatchUp({ clock, log, what: "attachments", index });

  /** Returns the rooms whose attachments the agent may use in this room. */
  const roomsFor = async (agent: AgentRecord, room: RoomId): Promise<readonly RoomId[]> => {
    const targetRoom = await records.find("room", room);
    if (targetRoom === undefined) return [];
    const allowedRooms: RoomId[] = [];
    for (const from of await store.passages.rooms()) {
      const isReadable = from === room || includesLevel(await permissions.levelOf({ agent: agent.id }, from), "r");
      if (isReadable && (await mayCarry(agent, from, targetRoom))) allowedRooms.push(from);
    }
    return allowedRooms;
  };

  const labelOf = async (message: StoredMessage, agent: AgentRecord): Promise<Label> => {
    const current = { messages: [message], removed: new Set<never>() };
    const authors = await authorsOf(current, agent);
    return labelMessages({ current, cause: message.offset, agent: agent.id, ...authors }).reduce<Label>(
      (joined, { label }) => joinLabels(joined, label),
      OWNER_LABEL,
    );
  };

  return {
    catchUp: catchUp.run,

    async find({ text, cursor, limit, ...filters }) {
      const isComplete = await catchUp.isDone(MAX_SEARCH_WAIT_MS);
      const terms = readSearchTerms(text);
      const rows = await store.passages.find({ ...filters, terms, before: cursor, limit: limit + 1 });
      const positions = [...new Set(rows.map(({ position }) => position))];
      const positionsOnPage = new Set(positions.slice(0, limit));
      const hits: FileHit[] = [];
      for (const { position, room, event, upload, place, excerpt } of rows) {
        const message = positionsOnPage.has(position) ? await messageOf({ room, event }) : undefined;
        const file = message === undefined ? undefined : fileOf(message, upload);
        if (message === undefined || file === undefined) continue;
        hits.push({ message, file, place, excerpt: toExcerpt(excerpt), position });
      }
      return { hits, next: positions.length > limit ? positions[limit - 1] : undefined, isComplete };
    },

    async recall({ agent, room, query }) {
      const terms = termsOfQuestion(query);
      if (terms.length === 0) return { found: [], isComplete: true };
      const isComplete = await catchUp.isDone(MAX_RECALL_WAIT_MS);
      const rooms = await roomsFor(agent, room);
      const ranked = await store.passages.rank({ terms, rooms, limit: MAX_RECALLED_PASSAGES * RANKED_PER_RESULT });
      const passages: RecalledPassage[] = [];
      for (const { room: from, event, upload, place, text } of ranked) {
        if (passages.length === MAX_RECALLED_PASSAGES) break;
        if (!fitsQuestion(text, terms)) continue;
        const message = await messageOf({ room: from, event });
        const file = message === undefined ? undefined : fileOf(message, upload);
        if (message === undefined || file === undefined) continue;
        const isInInbox = from === room && file.sizeBytes <= MAX_READ_FILE_BYTES;
        const path = isInInbox ? inboxPath(file) : undefined;
        const { id, name, hash } = file;
        const citable = isOfDocument(place) ? { room: from, file: id, name, hash } : undefined;
        passages.push({ message, name, place, citable, path, text, label: await labelOf(message, agent) });
      }
      return { found: passages, isComplete };
    },

    async show(room, upload, place) {
      const text = await texts.read(room, upload);
      if (text.kind === "none") return { isCut: false, why: text.why };
      const { sections, isCut } = text;
      const sectionIndex = place === undefined ? 0 : indexOfPlace(sections, place);
      const section = sections[sectionIndex];
      if (section === undefined)
        return {
          isCut: false,
          why: sections.length === 0 ? "The file has no text." : `The document has no part ${JSON.stringify(place)}.`,
          ...(sections[0] === undefined ? {} : { next: sections[0].place }),
        };
      const previous = sections[sectionIndex - 1]?.place;
      const next = sections[sectionIndex + 1]?.place;
      const visibleText = section.text.slice(0, MAX_ATTACHMENT_TEXT).toWellFormed();
      return {
        text: visibleText,
        place: section.place,
        ...(previous === undefined ? {} : { previous }),
        ...(next === undefined ? {} : { next }),
        isCut: visibleText.length < section.text.length || (isCut && next === undefined),
      };
    },
  };
};

/** The places of texts that are not a part of the file. */
const CAPTION = "caption";
const TRANSCRIPT = "transcript";

/** Whether the place is in the document itself, so that `show` finds it. */
const isOfDocument = (place: string): boolean => place !== CAPTION && place !== TRANSCRIPT;

/** Finds a part by its name, or by the form of its name in addresses. Returns -1 for an unknown place. */
const indexOfPlace = (sections: readonly Section[], place: string): number => {
  const exact = sections.findIndex((section) => section.place === place);
  const addressPlace = toAddressPlace(place);
  return exact >= 0 ? exact : sections.findIndex((section) => toAddressPlace(section.place) === addressPlace);
};

const fileOf = ({ attachments = [] }: StoredMessage, upload: string): Attachment | undefined =>
  attachments.find(({ id }) => id === upload);

const keyOf = ({ room, upload, event, revision }: PendingFile): string => `${room} ${upload} ${event} ${revision}`;
