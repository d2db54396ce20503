/** What is said about the connection, if anything. */
import type { SocketState } from "@hearth/client";
import { describeError } from "../design/error-words.ts";

export interface ConnectionWords {
  readonly text: string;
  /** What there is to do about it. */
  readonly offer?: "try" | "reload";
}

export interface ConnectionFacts {
  readonly isOnline: boolean;
  /** It has been down for longer than a blip. */
  readonly isLong: boolean;
  /** The house came back with another UI than this one. */
  readonly isOutdated: boolean;
}

export const connectionWords = (
  connection: SocketState,
  { isOnline, isLong, isOutdated }: ConnectionFacts,
): ConnectionWords | undefined => {
  if (!isOnline) return { text: "You are offline. What you send is kept and goes out when you are back." };
  if (connection.kind === "refused") return { text: describeError(connection.error).title, offer: "try" };
  if (isDown(connection)) return isLong ? { text: "Not connected. Trying again…", offer: "try" } : undefined;
  return isOutdated
    ? { text: "Hearth was updated. What you write is kept when you reload.", offer: "reload" }
    : undefined;
};

export const isDown = ({ kind }: SocketState): boolean => kind === "lost" || kind === "connecting";
