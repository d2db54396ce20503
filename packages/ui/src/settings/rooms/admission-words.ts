/** Rules about who may wake agents in a room: form draft, record patch and sentences. Pure. */
import type { AgentId, RoomAdmission } from "@hearth/protocol";
import * as texts from "./text.ts";

export interface AdmissionDraft {
  /** Everyone with write access, or only listed members. */
  readonly mode: "open" | "allow";
  readonly allow: ReadonlySet<string>;
  readonly block: ReadonlySet<string>;
  readonly wake: ReadonlySet<string>;
  readonly isMentionRequired: boolean;
}

export const toAdmissionDraft = (admission: RoomAdmission = {}): AdmissionDraft => ({
  mode: admission.mode ?? "open",
  allow: new Set(admission.allow),
  block: new Set(admission.block),
  wake: new Set(admission.wake),
  isMentionRequired: admission.mentionRequired === true,
});

/**
 * Returns the rules as a patch, which is `null` if all of them are the default. Keeps fields that
 * the form does not show.
 */
export const fromAdmissionDraft = (
  draft: AdmissionDraft,
  savedAdmission: RoomAdmission = {},
): { readonly [field: string]: string | boolean | string[] } | null => {
  const admission = {
    ...(savedAdmission.directOnly === true ? { directOnly: true } : {}),
    ...(draft.mode === "allow" ? { mode: "allow", allow: [...draft.allow] } : {}),
    ...(draft.block.size === 0 ? {} : { block: [...draft.block] }),
    ...(draft.isMentionRequired ? { mentionRequired: true } : {}),
    ...(draft.wake.size === 0 ? {} : { wake: [...draft.wake] }),
  };
  return Object.keys(admission).length === 0 ? null : admission;
};

/** Describes the rules, with one sentence per rule. */
export const describeAdmission = (
  admission: RoomAdmission | undefined,
  nameOf: (id: AgentId) => string,
): readonly string[] => {
  const { mode = "open", allow = [], block = [], wake = [], mentionRequired, directOnly } = admission ?? {};
  const names = (ids: readonly string[]): string => ids.map((id) => nameOf(id as AgentId)).join(", ");
  return [
    mode === "open"
      ? texts.everyoneCanWake
      : allow.length === 0
        ? texts.noMemberCanWake
        : texts.onlyTheseCanWake(names(allow)),
    ...(block.length === 0 ? [] : [texts.blockedMembers(names(block))]),
    ...(mentionRequired === true ? [texts.onlyWhenMentioned] : []),
    ...(directOnly === true ? [texts.onlyInDirectRooms] : []),
    ...(wake.length === 0 ? [] : [texts.membersWhoAlwaysWake(names(wake))]),
  ];
};
