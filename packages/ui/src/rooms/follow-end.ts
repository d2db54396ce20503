/** Whether a list stays at its end as it grows: the rule, apart from any scrolling. Pure. */

/** Where a scrolled box stands, in pixels. */
export interface ScrollPlace {
  readonly offset: number;
  readonly viewport: number;
  readonly size: number;
}

export const distanceFromEnd = ({ offset, viewport, size }: ScrollPlace): number =>
  Math.max(0, size - viewport - offset);

/** Fractions of pixels, and what rounding makes of them. */
export const AT_END = 2;
/** Whoever scrolls down to here wants the end. */
const NEAR_END = 48;

/**
 * Whether the end is followed after a scroll from `before` to `after`. Moving up lets go of it at once, however little: a person who
 * wants to read must not be pulled down by the next word. Coming near it again takes it up. Growth alone changes nothing.
 */
export const followsEnd = (isFollowing: boolean, before: ScrollPlace, after: ScrollPlace): boolean => {
  const distance = distanceFromEnd(after);
  if (distance <= AT_END) return true;
  const moved = after.offset - before.offset;
  // What shrinks or grows above moves the offset too, and the distance from the end stays.
  if (moved < 0 && distance > distanceFromEnd(before)) return false;
  if (moved > 0 && distance <= NEAR_END) return true;
  return isFollowing;
};

/** Whether the page before is to be fetched: long before the top is seen. */
export const wantsOlder = ({ offset, viewport }: ScrollPlace): boolean => offset < viewport * 2;
