/**
 * Shows the message that the address names (`?message=OFFSET`). Loads the messages up to it,
 * scrolls to it, and removes it from the address, so that a reload shows the end.
 */
import type { RoomReader, RoomSnapshot } from "@hearth/client";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import { useLocation, useSearch } from "wouter";
import type { Row } from "./rows.ts";

export interface FoundMessage {
  /** The key of the message's row, after it was shown. */
  readonly key: string | undefined;
  readonly failure: unknown;
  readonly retry: () => void;
}

export interface FoundMessageOptions {
  readonly reader: RoomReader;
  readonly snapshot: RoomSnapshot;
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<VirtualizerHandle | null>;
  readonly leaveEnd: () => void;
}

export const useFoundMessage = (options: FoundMessageOptions): FoundMessage => {
  const { reader, snapshot, rows, scroller, list, leaveEnd } = options;
  const [currentPath, navigate] = useLocation();
  const wantedOffset = readOffset(useSearch());
  /** Each visit sets a new object, even for the same message. */
  const [foundRow, setFoundRow] = useState<{ readonly key: string }>();
  const [failure, setFailure] = useState<unknown>();
  const { messages, hasOlder, isLoadingOlder } = snapshot;
  const firstOffset = messages[0]?.offset ?? 0;
  const isLoaded = wantedOffset !== undefined && (firstOffset <= wantedOffset || !hasOlder);
  useEffect(() => {
    if (wantedOffset === undefined || isLoaded || isLoadingOlder || failure !== undefined) return;
    reader.loadThrough(wantedOffset).catch(setFailure);
  }, [reader, wantedOffset, isLoaded, isLoadingOlder, failure]);
  useLayoutEffect(() => {
    if (!isLoaded) return;
    const row = rows.find((row) => row.kind === "message" && row.message.offset >= wantedOffset);
    if (row !== undefined) {
      leaveEnd();
      setFoundRow({ key: row.key });
    }
    navigate(currentPath, { replace: true });
  }, [isLoaded, wantedOffset, rows, leaveEnd, navigate, currentPath]);
  const shownRows = useRef(rows);
  useLayoutEffect(() => {
    shownRows.current = rows;
  }, [rows]);
  useEffect(() => {
    if (foundRow === undefined) return undefined;
    const { key } = foundRow;
    return showRow(scroller.current, list.current, () => [key, shownRows.current.findIndex((row) => row.key === key)]);
  }, [foundRow, scroller, list]);
  const retry = useCallback(() => setFailure(undefined), []);
  return { key: foundRow?.key, failure, retry };
};

/** Maximum number of attempts to show the row, one per frame. */
const MAX_FRAMES = 30;

/**
 * Scrolls to a row and focuses its message. It repeats this for some frames, because the list knows
 * the heights of rows only after rendering them. Returns a function that stops it.
 */
const showRow = (
  scroller: HTMLElement | null,
  list: VirtualizerHandle | null,
  findRow: () => readonly [string, number],
): (() => void) | undefined => {
  const view = scroller?.ownerDocument.defaultView;
  if (scroller === null || view === null || view === undefined) return undefined;
  let remainingFrames = MAX_FRAMES;
  let frame = 0;
  const scrollOnce = (): void => {
    const [key, index] = findRow();
    const row = [...scroller.querySelectorAll<HTMLElement>("[data-row]")].find(
      (element) => element.dataset["row"] === key,
    );
    const article = row?.querySelector("article");
    article?.focus({ preventScroll: true });
    remainingFrames -= 1;
    const isShown = article !== null && article === scroller.ownerDocument.activeElement && isWithin(scroller, article);
    if (isShown || remainingFrames === 0) return;
    list?.scrollToIndex(index, { align: "center" });
    frame = view.requestAnimationFrame(scrollOnce);
  };
  frame = view.requestAnimationFrame(scrollOnce);
  return () => view.cancelAnimationFrame(frame);
};

const isWithin = (scroller: HTMLElement, element: Element): boolean => {
  const [scrollerBox, elementBox] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  return elementBox.top >= scrollerBox.top && elementBox.top < scrollerBox.bottom;
};

const readOffset = (search: string): number | undefined => {
  const offset = Number(new URLSearchParams(search).get("message"));
  return Number.isInteger(offset) && offset > 0 ? offset : undefined;
};
