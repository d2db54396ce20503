/** Keeps a scroll container at its end while the user is there, by the rule in follow-end.ts. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { AT_END, distanceFromEnd, followsEnd, type ScrollPlace } from "./follow-end.ts";
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
  readonly written: string | undefined;
  /**
   * Number of expanded parts. When it grows, following stops, because the user reads the part from
   * its start.
   */
  readonly unfolded: number;
}

export const useFollowedEnd = (
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { written, unfolded }: Attention,
): FollowedEnd => {
  const [isFollowing, setFollowing] = useState(true);
  const following = useRef(true);
  const place = useRef<ScrollPlace>({ offset: 0, viewport: 0, size: 0 });

  const change = useCallback((next: boolean) => {
    following.current = next;
    setFollowing(next);
  }, []);
  const settle = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    // The browser reports a scroll one frame late. Rows that are rendered before that must not undo it.
    const now = lookAt(element);
    if (following.current && !followsEnd(true, place.current, now)) change(false);
    if (following.current) element.scrollTop = element.scrollHeight;
    place.current = lookAt(element);
  }, [scroller, change]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const next = lookAt(element);
    change(followsEnd(following.current, place.current, next));
    place.current = next;
  }, [scroller, change]);
  const follow = useCallback(() => {
    change(true);
    settle();
  }, [change, settle]);

  const leave = useCallback(() => change(false), [change]);

  const onResize = useCallback(() => {
    settle();
    // The expanded part may fit into the container completely.
    if (distanceFromEnd(place.current) <= AT_END) change(true);
  }, [settle, change]);

  const before = useRef<Attention>({ written, unfolded });
  useLayoutEffect(() => {
    if (unfolded > before.current.unfolded) change(false);
    if (written !== undefined && written !== before.current.written) change(true);
    before.current = { written, unfolded };
  }, [written, unfolded, change]);
  useLayoutEffect(settle, [settle, rows]);
  return { isFollowing, place, onScroll, onResize, follow, leave };
};

const lookAt = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollPlace => ({
  offset: scrollTop,
  viewport: clientHeight,
  size: scrollHeight,
});
