/** Places of the UI that lead to each other. */
export const APPROVALS = "/approvals";
/** The decision about a house that was restored from a copy. */
export const RESTORE = "/restore";

export const roomPath = (handle: string): string => `/rooms/${encodeURIComponent(handle)}`;

/** Where the files of an agent are: what it is, remembers and obeys. */
export const brainPath = (handle: string, part?: "history" | "memory" | "proposals" | "prompt"): string =>
  `/brain/${encodeURIComponent(handle)}${part === undefined ? "" : `/${part}`}`;

/** What agents do by themselves: one of them, or all. */
export const jobsPath = (handle?: string): string =>
  handle === undefined ? "/jobs" : `/jobs/${encodeURIComponent(handle)}`;

export const approvalPath = (id: string): string => `${APPROVALS}/${id}`;
