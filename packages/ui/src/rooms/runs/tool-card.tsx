/** One tool call: title and state, expandable to its complete input and output. */
import { classes } from "../../design/classes.ts";
import { VisuallyHidden } from "../../design/hidden.tsx";
import { Icon } from "../../design/icon.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { toolWords } from "../../language/text.ts";
import { CodeText } from "../../text/code-text.tsx";
import { useExpanded } from "../room-view.tsx";
import styles from "./tool-card.module.css";
import { argumentOf, inputOf, nameCall, formatDuration, nameState, type ToolPart } from "./tool-words.ts";
import * as texts from "../text.ts";

export interface ToolCardProps {
  readonly part: ToolPart;
  /** The key under which the expanded state is stored. */
  readonly openKey: string;
}

export const ToolCard = ({ part, openKey }: ToolCardProps) => {
  const [isOpen, toggle] = useExpanded(openKey);
  const argument = argumentOf(part);
  return (
    <div className={styles.card}>
      <button type="button" aria-expanded={isOpen} className={styles.head} onClick={toggle}>
        <Mark part={part} />
        <span className={styles.words}>
          {nameCall(part)} {argument === undefined ? undefined : <code dir="auto">{argument}</code>}
        </span>
        {part.durationMs === undefined ? undefined : (
          <span className={styles.duration}>{formatDuration(part.durationMs)}</span>
        )}
        <span className={classes(styles.chevron, isOpen && styles.open)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <dl className={styles.detail}>
          <dt>{toolWords(part.name)?.command === undefined ? texts.input : texts.command}</dt>
          <dd>
            <CodeText text={inputOf(part)} />
          </dd>
          {part.output === undefined ? undefined : (
            <>
              <dt>{part.state === "failed" ? texts.error : texts.output}</dt>
              <dd>
                {part.output === "" ? (
                  <span className={styles.nothing}>{texts.empty}</span>
                ) : (
                  <CodeText text={part.output} />
                )}
              </dd>
            </>
          )}
        </dl>
      ) : undefined}
    </div>
  );
};

const icons = { done: "check", failed: "warning", unknown: "warning" } as const;

/** An icon with a text for screen readers. */
const Mark = ({ part }: { readonly part: ToolPart }) =>
  part.state === "running" ? (
    <span className={styles.mark}>
      <Spinner label={nameState(part)} />
    </span>
  ) : (
    <span className={classes(styles.mark, styles[part.state])} title={nameState(part)}>
      <Icon name={icons[part.state]} />
      <VisuallyHidden>{nameState(part)}: </VisuallyHidden>
    </span>
  );
