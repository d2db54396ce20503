/** Keeps a scroll container at its end while the user is there, by the rule in follow-end.ts. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { AT_END, measureDistanceFromEnd, followsEnd, type ScrollPlace } from "./follow-end.ts";
import type { Row } from "./rows.ts";

export interface FollowedEnd {
  readonly isFollowing: boolean;
  /** The scroll position at the last measurement. */
  readonly place: RefObject<ScrollPlace>;
  readonly onScroll: () => void;
  /** Called when the container or its content changed its size. */
  readonly onResize: () => void;
  /** Scrolls to the end and follows it. */
  readonly follow: () => void;
  /** Stops following, so that the position stays. */
  readonly leave: () => void;
}

/** Actions of the user that show what the user looks at. */
export interface Attention {
  /** Key of the last message that the user wrote here. The list scrolls to it. */
  readonly lastWrittenKey: string | undefined;
  /**
   * Number of expanded parts. When it grows, following stops, because the user reads the part from
   * its start.
   */
  readonly expandedCount: number;
}

export const useFollowedEnd = (
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { lastWrittenKey, expandedCount }: Attention,
): FollowedEnd => {
  const [isFollowing, setFollowing] = useState(true);
  const followingRef = useRef(true);
  const place = useRef<ScrollPlace>({ offset: 0, viewport: 0, size: 0 });

  const setFollowState = useCallback((isAtEnd: boolean) => {
    followingRef.current = isAtEnd;
    setFollowing(isAtEnd);
  }, []);
  const restoreEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    // The browser reports a scroll one frame late. Rows that are rendered before that must not undo it.
    const measuredPlace = measure(element);
    if (followingRef.current && !followsEnd(true, place.current, measuredPlace)) setFollowState(false);
    if (followingRef.current) element.scrollTop = element.scrollHeight;
    place.current = measure(element);
  }, [scroller, setFollowState]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const measuredPlace = measure(element);
    setFollowState(followsEnd(followingRef.current, place.current, measuredPlace));
    place.current = measuredPlace;
  }, [scroller, setFollowState]);
  const follow = useCallback(() => {
    setFollowState(true);
    restoreEnd();
  }, [setFollowState, restoreEnd]);

  const leave = useCallback(() => setFollowState(false), [setFollowState]);

  const onResize = useCallback(() => {
    restoreEnd();
    // The expanded part may fit into the container completely.
    if (measureDistanceFromEnd(place.current) <= AT_END) setFollowState(true);
  }, [restoreEnd, setFollowState]);

  const lastAttention = useRef<Attention>({ lastWrittenKey, expandedCount });
  useLayoutEffect(() => {
    if (expandedCount > lastAttention.current.expandedCount) setFollowState(false);
    if (lastWrittenKey !== undefined && lastWrittenKey !== lastAttention.current.lastWrittenKey) setFollowState(true);
    lastAttention.current = { lastWrittenKey, expandedCount };
  }, [lastWrittenKey, expandedCount, setFollowState]);
  useLayoutEffect(restoreEnd, [restoreEnd, rows]);
  return { isFollowing, place, onScroll, onResize, follow, leave };
};

const measure = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollPlace => ({
  offset: scrollTop,
  viewport: clientHeight,
  size: scrollHeight,
});
