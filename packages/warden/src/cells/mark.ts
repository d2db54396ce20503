/**
 * A mark that a process cannot take off: a hard limit that nobody is asked for, of a value that no other cell has. All that a process starts has it
 * too, whatever leaves its group, its session and its environment, and the filter keeps everybody in a cell among the host's from lowering it.
 */

/** RLIMIT_RTTIME: how long a process of the realtime classes may go without a pause. In a cell there is none. */
export const MARKED_LIMIT = 15;
/** From here up it means nothing but itself: a hundred years and more, in microseconds. */
export const FIRST_MARK = 2 ** 52;
