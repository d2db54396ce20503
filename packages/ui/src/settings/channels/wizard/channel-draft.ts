/** The draft of a new channel, and its conversion to a request. The draft never leaves the page. */
import type { Admission, CreateChannel } from "@hearth/protocol";
import { findPlatform, freeName } from "./platforms.ts";

export interface ChannelDraft {
  readonly kind: string;
  readonly token: string;
  /** The handle of the agent that answers. */
  readonly agent: string;
  readonly mode: NonNullable<Admission["mode"]>;
  /** The platform's ids of the admitted senders, separated by commas or spaces. */
  readonly allow: string;
  readonly directOnly: boolean;
  readonly mentionRequired: boolean;
}

/** Whether the token has the form of the platform's tokens. */
export const isToken = ({ kind, token }: Pick<ChannelDraft, "kind" | "token">): boolean =>
  findPlatform(kind)?.token.test(token.trim()) === true;

export const parseSenders = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((sender) => sender !== "");

/** Whether the draft has the values that the access step requires. */
export const isComplete = ({ agent, mode, allow }: ChannelDraft): boolean =>
  agent !== "" && (mode !== "allow" || parseSenders(allow).length > 0);

export const toRequest = (draft: ChannelDraft, takenNames: readonly string[]): CreateChannel => {
  const { kind, token, agent, mode, allow, directOnly, mentionRequired } = draft;
  const admission: Admission = {
    ...(mode === "pairing" ? {} : { mode }),
    ...(mode === "allow" ? { allow: [...parseSenders(allow)] } : {}),
    ...(directOnly ? { directOnly } : {}),
    ...(mentionRequired && !directOnly ? { mentionRequired } : {}),
  };
  return {
    name: freeName(kind, takenNames),
    kind,
    agent,
    token: token.trim(),
    ...(Object.keys(admission).length === 0 ? {} : { admission }),
  };
};
