/** Who may wake agents in a room, as a form knows it and as the record does. Pure. */
import type { AgentId, RoomAdmission } from "@hearth/protocol";

export interface AdmissionDraft {
  /** Whoever may write, or only those on a list. */
  readonly who: "open" | "allow";
  readonly allow: ReadonlySet<string>;
  readonly block: ReadonlySet<string>;
  readonly wake: ReadonlySet<string>;
  readonly needsMention: boolean;
}

export const toAdmissionDraft = (admission: RoomAdmission = {}): AdmissionDraft => ({
  who: admission.mode ?? "open",
  allow: new Set(admission.allow),
  block: new Set(admission.block),
  wake: new Set(admission.wake),
  needsMention: admission.mentionRequired === true,
});

/** As a patch takes it: `null` where nothing is said that is not so anyway. What the form does not know stays. */
export const fromAdmissionDraft = (
  draft: AdmissionDraft,
  before: RoomAdmission = {},
): { readonly [field: string]: string | boolean | string[] } | null => {
  const admission = {
    ...(before.directOnly === true ? { directOnly: true } : {}),
    ...(draft.who === "allow" ? { mode: "allow", allow: [...draft.allow] } : {}),
    ...(draft.block.size === 0 ? {} : { block: [...draft.block] }),
    ...(draft.needsMention ? { mentionRequired: true } : {}),
    ...(draft.wake.size === 0 ? {} : { wake: [...draft.wake] }),
  };
  return Object.keys(admission).length === 0 ? null : admission;
};

/** One sentence for each thing that is so. */
export const tellAdmission = (
  admission: RoomAdmission | undefined,
  nameOf: (id: AgentId) => string,
): readonly string[] => {
  const { mode = "open", allow = [], block = [], wake = [], mentionRequired, directOnly } = admission ?? {};
  const names = (ids: readonly string[]): string => ids.map((id) => nameOf(id as AgentId)).join(", ");
  return [
    mode === "open"
      ? "Whoever may write here may wake agents."
      : allow.length === 0
        ? "Nobody may wake agents here."
        : `Only these may wake agents here: ${names(allow)}.`,
    ...(block.length === 0 ? [] : [`Never: ${names(block)}.`]),
    ...(mentionRequired === true ? ["A message wakes an agent only when it calls it with @."] : []),
    ...(directOnly === true ? ["Agents wake only in rooms of two."] : []),
    ...(wake.length === 0 ? [] : [`Every message of these wakes all agents here: ${names(wake)}.`]),
  ];
};
