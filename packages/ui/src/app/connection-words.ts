/** Texts about the connection. Pure. */
import type { SocketState } from "@hearth/client";
import { describeError } from "../design/error-words.ts";
import * as texts from "./text.ts";

export interface ConnectionWords {
  readonly text: string;
  /** The action that the line offers. */
  readonly offer?: "try" | "reload";
}

export interface ConnectionFacts {
  readonly isOnline: boolean;
  /** Whether the connection has been lost long enough to be shown. */
  readonly isLong: boolean;
  /** Whether the house serves a newer UI than this page. */
  readonly isOutdated: boolean;
}

export const connectionWords = (
  connection: SocketState,
  { isOnline, isLong, isOutdated }: ConnectionFacts,
): ConnectionWords | undefined => {
  if (!isOnline) return { text: texts.youAreOffline };
  if (connection.kind === "refused") return { text: describeError(connection.error).title, offer: "try" };
  if (isDown(connection)) return isLong ? { text: texts.reconnecting, offer: "try" } : undefined;
  return isOutdated ? { text: texts.hearthWasUpdated, offer: "reload" } : undefined;
};

export const isDown = ({ kind }: SocketState): boolean => kind === "lost" || kind === "connecting";
