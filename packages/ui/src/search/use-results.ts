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

export const useResults = (text: string, filters: Filters): Search => {
  const query = useMemo(() => toQuery(text, filters), [text, filters]);
  const mainPart = usePart(query, "message,agent,room", TYPING_PAUSE_MS);
  const filePart = usePart(query, "file", FILE_SEARCH_PAUSE_MS);
  const workspacePart = usePart(query, "workspace", FILE_SEARCH_PAUSE_MS);
  const { client } = useUi();
  const [olderPages, setOlderPages] = useState<OlderPages>();
  const olderPart = olderPages !== undefined && olderPages.firstPage === mainPart.value ? olderPages : undefined;
  const nextCursor = olderPart === undefined ? mainPart.value?.next : olderPart.next;
  const showMore = useCallback((): void => {
    if (query === undefined || nextCursor === undefined) return;
    const firstPage = mainPart.value;
    const load = async (): Promise<void> => {
      const { find } = await client.search();
      const page = await find({ ...query, kind: "message", cursor: nextCursor });
      setOlderPages({ firstPage, messages: [...(olderPart?.messages ?? []), ...page.messages], next: page.next });
    };
    load().catch((error: unknown) =>
      setOlderPages({ firstPage, messages: olderPart?.messages ?? [], next: nextCursor, error }),
    );
  }, [client, query, nextCursor, mainPart.value, olderPart]);
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
            hasMore: nextCursor !== undefined,
          },
    [query, value, olderPart, filePart.value, workspacePart.value, nextCursor],
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
interface OlderPages {
  readonly firstPage: SearchAnswer | undefined;
  readonly messages: readonly FoundMessage[];
  readonly next: string | undefined;
  readonly error?: unknown;
}

type Query = NonNullable<ReturnType<typeof toQuery>>;

const toQuery = (text: string, { kind, from, room, since, until }: Filters) => {
  const q = text.trimStart();
  if (!/[\p{L}\p{N}]/u.test(q)) return undefined;
  return {
    q,
    kind,
    ...(from === "" ? {} : { from }),
    ...(room === "" ? {} : { room }),
    ...(since === "" ? {} : { since: startOf(since) }),
    // The limit is the end of the day.
    ...(until === "" ? {} : { until: startOf(toNextDay(until)) }),
  };
};

const startOf = (day: string): number => new Date(`${day}T00:00`).getTime();

const toNextDay = (day: string): string => {
  const noon = new Date(startOf(day) + 3 * HALF_DAY_MS);
  const padTwo = (value: number): string => String(value).padStart(2, "0");
  return `${noon.getFullYear()}-${padTwo(noon.getMonth() + 1)}-${padTwo(noon.getDate())}`;
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
  const [settledQuery, setSettledQuery] = useState<Query>();
  useEffect(() => {
    if (query === undefined) return undefined;
    const controller = new AbortController();
    observe(
      clock.sleep(pauseMs, controller.signal).then(() => {
        if (!controller.signal.aborted) setSettledQuery(query);
      }),
    );
    return () => controller.abort();
  }, [query, clock, pauseMs]);
  const loadPart = useMemo(() => {
    if (settledQuery === undefined) return undefined;
    const kind = settledQuery.kind === "" ? kinds : settledQuery.kind;
    if (!kinds.split(",").some((candidate) => kind.split(",").includes(candidate)))
      return () => Promise.resolve(NOTHING);
    return async () => (await client.search()).find({ ...settledQuery, kind });
  }, [client, settledQuery, kinds]);
  const request = useRequest(loadPart);
  const [lastAnswer, setLastAnswer] = useState<SearchAnswer>();
  useEffect(() => {
    if (request.value !== undefined) setLastAnswer(request.value);
  }, [request.value]);
  const { value, reload } = request;
  const isIndexing = value?.isComplete === false;
  useEffect(() => {
    if (!isIndexing) return undefined;
    const controller = new AbortController();
    observe(
      clock.sleep(INDEXING_RETRY_MS, controller.signal).then(() => {
        if (!controller.signal.aborted) reload();
      }),
    );
    return () => controller.abort();
  }, [isIndexing, value, clock, reload]);
  return {
    value: value ?? lastAnswer,
    error: request.error,
    isLoading: request.isLoading || isIndexing || settledQuery !== query,
    reload,
  };
};
