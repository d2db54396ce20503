/** The parts of the prompt of one model call, with their tokens. Loaded when a person opens them. */
import type { StepPrompt, StepPromptPart } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { useUi } from "../house/ui.tsx";
import { formatNumber } from "../language/locale.ts";
import { toVisible } from "../text/visible.tsx";
import styles from "./run.module.css";
import type { Step } from "./timeline.ts";
import * as texts from "./text.ts";

export const RunPrompt = ({ step: { activation, step, state } }: { readonly step: Step }) => {
  const { client } = useUi();
  const [isOpen, setOpen] = useState(false);
  const load = useCallback(
    () => client.activations.prompt(activation, step),
    // The provider reports the cached tokens when the call ends.
    // oxlint-disable-next-line react/exhaustive-deps
    [client, activation, step, state],
  );
  const request = useRequest(isOpen ? load : undefined);
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.promptParts}</summary>
      {isOpen ? <RequestView request={request}>{(prompt) => <PromptParts prompt={prompt} />}</RequestView> : undefined}
    </details>
  );
};

export const PromptParts = ({ prompt }: { readonly prompt: StepPrompt }) => {
  const { parts, tokens, usage, erased } = prompt;
  if (erased === true) return <p className={styles.quiet}>{texts.promptErased}</p>;
  const countedTokens = usage === undefined ? 0 : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const hasCached = parts.some(({ cachedTokens }) => cachedTokens !== undefined);
  return (
    <div className={styles.prompt}>
      <p className={styles.quiet}>
        {texts.promptTokens(formatNumber(tokens))}
        {countedTokens === 0 || usage?.estimated === true
          ? undefined
          : ` ${texts.countedTokens(formatNumber(countedTokens), formatNumber(usage?.cacheReadTokens ?? 0))}`}
      </p>
      <table className={styles.parts} aria-label={texts.promptParts}>
        <thead>
          <tr>
            <th scope="col">{texts.part}</th>
            <th scope="col">{texts.tokens}</th>
            <th scope="col">{texts.share}</th>
            {hasCached ? <th scope="col">{texts.cached}</th> : undefined}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <PartRow key={keyOf(part)} part={part} total={tokens} hasCached={hasCached} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const keyOf = ({ kind, name = "", erased = false }: StepPromptPart): string => `${kind} ${erased} ${name}`;

/** Returns the title of a part, for example "SOUL.md" or "Conversation (12)". */
export const titleOfPart = ({ kind, name, count }: StepPromptPart): string => {
  const title = name === undefined ? texts.partKinds[kind] : titleOfNamed(kind, name);
  return toVisible(count === 1 ? title : texts.titleWithCount(title, formatNumber(count)));
};

const titleOfNamed = (kind: StepPromptPart["kind"], name: string): string => {
  if (kind === "attachment") return texts.attachment(name);
  if (kind === "result") return name === "recall" ? texts.memoryFound : texts.resultsOf(name);
  return name;
};

interface PartRowProps {
  readonly part: StepPromptPart;
  readonly total: number;
  readonly hasCached: boolean;
}

const PartRow = ({ part, total, hasCached }: PartRowProps) => {
  const { kind, tokens, erased } = part;
  const isKnown = erased !== true;
  return (
    <tr>
      <th scope="row" dir="auto">
        {titleOfPart(part)}
        {isKnown ? undefined : (
          <span className={styles.quiet}> · {kind === "hidden" ? texts.hiddenPart : texts.erasedPart}</span>
        )}
      </th>
      <td>{isKnown ? formatNumber(tokens) : texts.unknown}</td>
      <td>{isKnown ? shareOf(tokens, total) : texts.unknown}</td>
      {hasCached ? <td>{isKnown ? describeCached(part) : texts.unknown}</td> : undefined}
    </tr>
  );
};

const describeCached = ({ cachedTokens = 0, tokens }: StepPromptPart): string => {
  if (cachedTokens === 0) return texts.notCached;
  return cachedTokens < tokens ? texts.partlyCached : texts.isCached;
};

/** Returns the share in percent, rounded; "under 1 %" for a small part. */
const shareOf = (tokens: number, total: number): string => {
  const percent = total === 0 ? 0 : Math.round((100 * tokens) / total);
  return percent === 0 && tokens > 0 ? texts.underOnePercent : texts.percent(percent);
};
