/** The expanded part of a tool call: its change or input, its output, and its undo. */
import { toolWords } from "../../../language/text.ts";
import { changeOfInput } from "../../../approvals/change-lines.ts";
import { CodeText } from "../../../text/code-text.tsx";
import { Diff } from "../../../text/diff/diff.tsx";
import styles from "../tool-card.module.css";
import { inputOf } from "../tool-words.ts";
import * as texts from "./text.ts";
import { ToolUndo, type ToolUndoProps } from "./tool-undo.tsx";

export type ToolDetailProps = ToolUndoProps;

/** Number of lines of a change that are shown before the user asks for all. */
const MAX_LINES = 60;

export const ToolDetail = ({ part, activation, agent }: ToolDetailProps) => {
  const change = changeOfInput(part.name, part.input);
  return (
    <div className={styles.detail}>
      {change === undefined ? undefined : <Diff title={change.title} lines={change.lines} maxLines={MAX_LINES} />}
      <dl>
        {change === undefined ? (
          <>
            <dt>{toolWords(part.name)?.command === undefined ? texts.input : texts.command}</dt>
            <dd>
              <CodeText text={inputOf(part)} />
            </dd>
          </>
        ) : undefined}
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
      <ToolUndo part={part} activation={activation} agent={agent} />
    </div>
  );
};
