/** Keeps a scrolled box at its end for as long as its reader is there. The rule is in follow-end.ts. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { AT_END, distanceFromEnd, followsEnd, type ScrollPlace } from "./follow-end.ts";
import type { Row } from "./rows.ts";

export interface FollowedEnd {
  readonly isFollowing: boolean;
  /** Where the box stood when it was last looked at. */
  readonly place: RefObject<ScrollPlace>;
  readonly onScroll: () => void;
  /** Something in the box, or the box, has another size. */
  readonly onResize: () => void;
  /** Goes to the end and stays there. */
  readonly follow: () => void;
}

/** What tells where the person looks. */
export interface Attention {
  /** The last message that was written here: who writes wants to see it. */
  readonly written: string | undefined;
  /** How much was unfolded: who unfolds something wants to read it from its beginning. */
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
    if (following.current) element.scrollTop = element.scrollHeight;
    place.current = lookAt(element);
  }, [scroller]);
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

  const onResize = useCallback(() => {
    settle();
    // What was unfolded may fit.
    if (distanceFromEnd(place.current) <= AT_END) change(true);
  }, [settle, change]);

  const before = useRef<Attention>({ written, unfolded });
  useLayoutEffect(() => {
    if (unfolded > before.current.unfolded) change(false);
    if (written !== undefined && written !== before.current.written) change(true);
    before.current = { written, unfolded };
  }, [written, unfolded, change]);
  useLayoutEffect(settle, [settle, rows]);
  return { isFollowing, place, onScroll, onResize, follow };
};

const lookAt = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollPlace => ({
  offset: scrollTop,
  viewport: clientHeight,
  size: scrollHeight,
});
