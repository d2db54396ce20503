/** Validates paths under `/v1/stream/`: which paths callers may use for their own streams. */
import { HearthError } from "@hearth/protocol";

export const STREAM_ROOT = "/v1/stream";

/** Maximum length of a stream's path. */
const MAX_LENGTH = 500;
/** First segments that the house reserves. */
const RESERVED_SEGMENTS: ReadonlySet<string> = new Set(["rooms", "activations", "agents", "houses"]);
const CONTROL = "__ds";

/**
 * Returns the path of a caller's own stream. Throws `request.invalid`, or `auth.denied` for a
 * read-only path.
 */
export const checkOwnPath = (path: string): string => {
  const segments = path.split("/");
  if (RESERVED_SEGMENTS.has(segments[0] ?? "") || path === "log") {
    throw new HearthError("auth.denied", "The house writes the streams at this path. They are read-only.", {
      hint: "Choose a path that does not begin with rooms, activations, agents or houses, and is not log.",
    });
  }
  const isOdd = (segment: string): boolean =>
    segment === "" || segment === "." || segment === ".." || segment === CONTROL || /[\p{Cc}\p{Cs}]/u.test(segment);
  if (path.length > MAX_LENGTH || segments.some(isOdd)) {
    throw new HearthError("request.invalid", "This is not a valid path of a stream.", {
      hint: `Use at most ${MAX_LENGTH} characters, in segments that are neither empty nor ".", ".." or "${CONTROL}".`,
    });
  }
  return path;
};

/**
 * Resolves a path in a header to a stream of the same house: from the root, or relative to the
 * house.
 */
export const pathInHouse = (text: string, house: string): string => {
  let path: string;
  try {
    path = decodeURIComponent(text.startsWith(`${STREAM_ROOT}/`) ? text.slice(STREAM_ROOT.length + 1) : text);
  } catch {
    throw new HearthError("request.invalid", "Stream-Forked-From is not a valid path.");
  }
  const housePath = `houses/${house}/`;
  return checkOwnPath(path.startsWith(housePath) ? path.slice(housePath.length) : path);
};
