/** What stands behind `/v1/stream/`: which paths agents may take for streams of their own. */
import { HearthError } from "@hearth/protocol";

export const STREAM_ROOT = "/v1/stream";

/** Longest path of a stream. */
const MAX_LENGTH = 500;
/** Segments that say something of their own. */
const TAKEN: ReadonlySet<string> = new Set(["rooms", "activations", "agents", "houses"]);
const CONTROL = "__ds";

/** The path of a stream of somebody's own. Throws `request.invalid`, or `auth.denied` for what is only read. */
export const ownPath = (path: string): string => {
  const segments = path.split("/");
  if (TAKEN.has(segments[0] ?? "") || path === "log") {
    throw new HearthError("auth.denied", "What is here is written by what happens in the house, and only read.", {
      hint: "Choose a path that does not begin with rooms, activations, agents or houses, and is not log.",
    });
  }
  const isOdd = (segment: string): boolean =>
    segment === "" || segment === "." || segment === ".." || segment === CONTROL || /[\p{Cc}\p{Cs}]/u.test(segment);
  if (path.length > MAX_LENGTH || segments.some(isOdd)) {
    throw new HearthError("request.invalid", "This is no path of a stream.", {
      hint: `At most ${MAX_LENGTH} characters, in segments that are neither empty nor ".", ".." or "${CONTROL}".`,
    });
  }
  return path;
};

/** The path of a stream of the same house, as a header names it: from the root, or from the house on. */
export const pathInHouse = (text: string, house: string): string => {
  let path: string;
  try {
    path = decodeURIComponent(text.startsWith(`${STREAM_ROOT}/`) ? text.slice(STREAM_ROOT.length + 1) : text);
  } catch {
    throw new HearthError("request.invalid", "Stream-Forked-From is not a path.");
  }
  const own = `houses/${house}/`;
  return ownPath(path.startsWith(own) ? path.slice(own.length) : path);
};
