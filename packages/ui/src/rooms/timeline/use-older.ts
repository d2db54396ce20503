/**
 * Loads older messages before the user reaches the top. After a failure it waits for a manual
 * retry.
 */
import { observe, type RoomReader, type RoomSnapshot } from "@hearth/client";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type ScrollPlace, shouldLoadOlder } from "./follow-end.ts";

export interface Older {
  readonly failure: unknown;
  /** Loads the previous page if the scroll position requires it. */
  readonly loadIfNeeded: () => void;
  readonly retry: () => void;
}

export const useOlder = (
  reader: RoomReader,
  { messages, hasOlder, isLoadingOlder }: RoomSnapshot,
  place: RefObject<ScrollPlace>,
): Older => {
  const [failure, setFailure] = useState<unknown>();
  const isLoading = useRef(false);
  const load = useCallback(async () => {
    if (isLoading.current) return;
    isLoading.current = true;
    try {
      await reader.loadOlder();
    } catch (error) {
      setFailure(error);
    } finally {
      isLoading.current = false;
    }
  }, [reader]);
  const isWanted = hasOlder && !isLoadingOlder && failure === undefined;
  const loadIfNeeded = useCallback(() => {
    // A container without a height has not been laid out yet.
    if (isWanted && place.current.viewport > 0 && shouldLoadOlder(place.current)) observe(load());
  }, [isWanted, place, load]);
  // Looks again after each page, because the page may be too short to scroll.
  useEffect(loadIfNeeded, [loadIfNeeded, messages]);
  const retry = useCallback(() => {
    setFailure(undefined);
    observe(load());
  }, [load]);
  return { failure, loadIfNeeded: loadIfNeeded, retry };
};
