/** Decides whether a growing list stays scrolled to its end. Pure. */

/** A scroll position, in pixels. */
export interface ScrollPlace {
  readonly offset: number;
  readonly viewport: number;
  readonly size: number;
}

export const measureDistanceFromEnd = ({ offset, viewport, size }: ScrollPlace): number =>
  Math.max(0, size - viewport - offset);

/** Tolerance for fractional pixels. */
export const AT_END = 2;
/** Scrolling down to this distance resumes following. */
const NEAR_END = 48;

/**
 * Whether the list follows its end after a scroll from `before` to `after`. An upward scroll stops
 * following, so that new text never moves the text that the user reads. A scroll to near the end
 * resumes following. Growth of the list changes nothing.
 */
export const followsEnd = (isFollowing: boolean, before: ScrollPlace, after: ScrollPlace): boolean => {
  const distance = measureDistanceFromEnd(after);
  if (distance <= AT_END) return true;
  const movement = after.offset - before.offset;
  // A change of size above also moves the offset, but the distance from the end stays the same.
  if (movement < 0 && distance > measureDistanceFromEnd(before)) return false;
  if (movement > 0 && distance <= NEAR_END) return true;
  return isFollowing;
};

/** Whether to load the previous page. It loads well before the top is visible. */
export const shouldLoadOlder = ({ offset, viewport }: ScrollPlace): boolean => offset < viewport * 2;
