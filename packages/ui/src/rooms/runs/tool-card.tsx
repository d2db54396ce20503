/** One tool call: title and state, expandable to its complete input and output. */
import type { ActivationId, AgentId } from "@hearth/protocol";
import { classes } from "../../design/classes.ts";
import { VisuallyHidden } from "../../design/hidden.tsx";
import { Icon } from "../../design/icon.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { useExpanded } from "../room-view.tsx";
import type { ToolDetailProps } from "./detail/tool-detail.tsx";
import styles from "./tool-card.module.css";
import { argumentOf, formatDuration, nameState, type ToolPart, verbOf } from "./tool-words.ts";
import * as texts from "../text.ts";

const ToolDetail = createLazyPart<ToolDetailProps>({
  load: async () => (await import("./detail/tool-detail.tsx")).ToolDetail,
});

export interface ToolCardProps {
  readonly part: ToolPart;
  readonly activation: ActivationId;
  readonly agent: AgentId;
}

export const ToolCard = ({ part, activation, agent }: ToolCardProps) => {
  const [isOpen, toggle] = useExpanded(`${activation}/${part.call}`);
  const argument = argumentOf(part);
  const { state } = part;
  const hasFailed = state === "failed" || state === "unknown";
  return (
    <div className={styles.card}>
      <button type="button" aria-expanded={isOpen} className={styles.head} onClick={toggle}>
        <Mark part={part} />
        <span className={styles.words}>
          {verbOf(part)} {argument === undefined ? undefined : <code dir="auto">{argument}</code>}
        </span>
        <span className={styles.state}>
          {part.durationMs === undefined ? undefined : formatDuration(part.durationMs)}
          {hasFailed && part.durationMs !== undefined ? " · " : undefined}
          {hasFailed ? <span className={styles.failed}>{texts.failedCallStates[state]}</span> : undefined}
        </span>
        <span className={classes(styles.chevron, isOpen && styles.open)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? <ToolDetail part={part} activation={activation} agent={agent} /> : undefined}
    </div>
  );
};

/** An icon. The state of a call that did not end well is in the text beside it. */
const Mark = ({ part: { state } }: { readonly part: ToolPart }) => {
  if (state === "running")
    return (
      <span className={styles.mark}>
        <Spinner label={nameState({ state })} />
      </span>
    );
  return (
    <span className={classes(styles.mark, state === "done" ? styles.done : styles.failed)}>
      <Icon name={state === "done" ? "check" : "warning"} />
      {state === "done" ? <VisuallyHidden>{nameState({ state })}: </VisuallyHidden> : undefined}
    </span>
  );
};
