/** Describes why a call needs an approval. The warden's reasons are in English; known ones are translated. Pure. */
import type { ApprovalAsk } from "@hearth/protocol";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

/** Reasons, as `policy/modes.ts` and `policy/taint/provenance.ts` write them after the name of the tool. */
const AFTER_READING = String.raw`(?:, after reading (?<sources>[^]*))?`;
const REASONS: readonly (readonly [RegExp, (sources: string | undefined) => string])[] = [
  [/^\w+ does more than read, and this agent asks before such calls\.$/, () => texts.asksBeforeChanges],
  [/^\w+ is destructive: it cannot be undone\.$/, () => texts.cannotBeUndone],
  [
    new RegExp(String.raw`^\w+ contains a link that you did not write${AFTER_READING}\.$`),
    (sources) => texts.foreignLink(sources),
  ],
  [
    new RegExp(String.raw`^\w+ has a destination that you did not write${AFTER_READING}\.$`),
    (sources) => texts.foreignDestination(sources),
  ],
  [/^\w+ does not say where it sends data, and this turn has read untrusted text\.$/, () => texts.unknownDestination],
];

export const describeAsk = ({ text }: Pick<ApprovalAsk, "text">): string => {
  for (const [pattern, describe] of REASONS) {
    const match = pattern.exec(text);
    if (match !== null) return toVisible(describe(match.groups?.["sources"]));
  }
  return toVisible(text);
};
