/**
 * Requests the results of a search. Names and messages are requested after a short pause in typing.
 * Memory is requested after a longer pause, because it may call an embedding model.
 */
import { observe } from "@hearth/client";
import type { FoundMessage, SearchAnswer } from "@hearth/protocol";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useRequest } from "../house/request.ts";
import { useUi } from "../house/ui.tsx";

export interface Filters {
  readonly kind: "" | "message" | "file" | "workspace" | "agent" | "room";
  /** Handles of the author and the room. "" selects all. */
  readonly from: string;
  readonly room: string;
  /** Days, such as 2026-01-31. "" sets no limit. */
  readonly since: string;
  readonly until: string;
}

export const NO_FILTERS: Filters = { kind: "", from: "", room: "", since: "", until: "" };

export interface Results extends Pick<
  SearchAnswer,
  "messages" | "files" | "workspaceFiles" | "agents" | "rooms" | "isComplete"
> {
  readonly hasMore: boolean;
}

export interface Search {
  /** The last results. They stay while new ones are requested. Undefined without a search. */
  readonly results: Results | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly showMore: () => void;
}

const TYPING_PAUSE_MS = 120;
const FILE_SEARCH_PAUSE_MS = 600;
/** Pause before the search is repeated because some messages were not indexed yet. */
const INDEXING_RETRY_MS = 1000;
/**
 * Three half days after the start of a day it is about noon of the next day, even if a day has 23
 * or 25 hours.
 */
const HALF_DAY_MS = 12 * 60 * 60 * 1000;

export const useResults = (typed: string, filters: Filters): Search => {
  const query = useMemo(() => toQuery(typed, filters), [typed, filters]);
  const mainPart = usePart(query, "message,agent,room", TYPING_PAUSE_MS);
  const filePart = usePart(query, "file", FILE_SEARCH_PAUSE_MS);
  const workspacePart = usePart(query, "workspace", FILE_SEARCH_PAUSE_MS);
  const { client } = useUi();
  const [older, setOlder] = useState<Older>();
  const olderPart = older !== undefined && older.first === mainPart.value ? older : undefined;
  const next = olderPart === undefined ? mainPart.value?.next : olderPart.next;
  const showMore = useCallback((): void => {
    if (query === undefined || next === undefined) return;
    const first = mainPart.value;
    const load = async (): Promise<void> => {
      const { find } = await client.search();
      const page = await find({ ...query, kind: "message", cursor: next });
      setOlder({ first, messages: [...(olderPart?.messages ?? []), ...page.messages], next: page.next });
    };
    load().catch((error: unknown) => setOlder({ first, messages: olderPart?.messages ?? [], next, error }));
  }, [client, query, next, mainPart.value, olderPart]);
  const retry = useCallback(() => {
    mainPart.reload();
    filePart.reload();
    workspacePart.reload();
  }, [mainPart.reload, filePart.reload, workspacePart.reload]);
  const { value } = mainPart;
  const results = useMemo<Results | undefined>(
    () =>
      query === undefined || value === undefined
        ? undefined
        : {
            ...value,
            messages: [...value.messages, ...(olderPart?.messages ?? [])],
            files: filePart.value?.files ?? [],
            workspaceFiles: workspacePart.value?.workspaceFiles ?? [],
            hasMore: next !== undefined,
          },
    [query, value, olderPart, filePart.value, workspacePart.value, next],
  );
  return {
    results,
    isLoading: query !== undefined && (mainPart.isLoading || filePart.isLoading || workspacePart.isLoading),
    error:
      query === undefined ? undefined : (mainPart.error ?? filePart.error ?? workspacePart.error ?? olderPart?.error),
    retry,
    showMore,
  };
};

/** Further pages of messages, after the first one. */
interface Older {
  readonly first: SearchAnswer | undefined;
  readonly messages: readonly FoundMessage[];
  readonly next: string | undefined;
  readonly error?: unknown;
}

type Query = NonNullable<ReturnType<typeof toQuery>>;

const toQuery = (typed: string, { kind, from, room, since, until }: Filters) => {
  const q = typed.trimStart();
  if (!/[\p{L}\p{N}]/u.test(q)) return undefined;
  return {
    q,
    kind,
    ...(from === "" ? {} : { from }),
    ...(room === "" ? {} : { room }),
    ...(since === "" ? {} : { since: startOf(since) }),
    // The limit is the end of the day.
    ...(until === "" ? {} : { until: startOf(nextDay(until)) }),
  };
};

const startOf = (day: string): number => new Date(`${day}T00:00`).getTime();

const nextDay = (day: string): string => {
  const noon = new Date(startOf(day) + 3 * HALF_DAY_MS);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${noon.getFullYear()}-${two(noon.getMonth() + 1)}-${two(noon.getDate())}`;
};

const NOTHING: SearchAnswer = {
  messages: [],
  files: [],
  workspaceFiles: [],
  agents: [],
  rooms: [],
  isComplete: true,
};

/** Requests the results of some kinds after a pause in typing. */
const usePart = (query: Query | undefined, kinds: string, pauseMs: number) => {
  const { client, clock } = useUi();
  const [settled, setSettled] = useState<Query>();
  useEffect(() => {
    if (query === undefined) return undefined;
    const stop = new AbortController();
    observe(
      clock.sleep(pauseMs, stop.signal).then(() => {
        if (!stop.signal.aborted) setSettled(query);
      }),
    );
    return () => stop.abort();
  }, [query, clock, pauseMs]);
  const question = useMemo(() => {
    if (settled === undefined) return undefined;
    const kind = settled.kind === "" ? kinds : settled.kind;
    if (!kinds.split(",").some((wanted) => kind.split(",").includes(wanted))) return () => Promise.resolve(NOTHING);
    return async () => (await client.search()).find({ ...settled, kind });
  }, [client, settled, kinds]);
  const request = useRequest(question);
  const [last, setLast] = useState<SearchAnswer>();
  useEffect(() => {
    if (request.value !== undefined) setLast(request.value);
  }, [request.value]);
  const { value, reload } = request;
  const isIndexing = value?.isComplete === false;
  useEffect(() => {
    if (!isIndexing) return undefined;
    const stop = new AbortController();
    observe(
      clock.sleep(INDEXING_RETRY_MS, stop.signal).then(() => {
        if (!stop.signal.aborted) reload();
      }),
    );
    return () => stop.abort();
  }, [isIndexing, value, clock, reload]);
  return {
    value: value ?? last,
    error: request.error,
    isLoading: request.isLoading || isIndexing || settled !== query,
    reload,
  };
};
