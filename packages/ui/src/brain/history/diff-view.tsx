/** The line diffs of one change. Long diffs show their first lines and a button for the rest. */
import type { BrainDiff } from "@hearth/protocol";
import { Diff } from "../../text/diff/diff.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import * as texts from "../text.ts";
import { parseUnifiedDiff, reverseDiff } from "./unified.ts";

/** Number of lines that are shown before the user asks for all. */
export const MAX_LINES = 300;

export interface DiffViewProps {
  readonly diffs: readonly BrainDiff[];
  /** Shows the diff that undoes the change. */
  readonly isReversed?: boolean;
  /** Shows the text before and after the change side by side. */
  readonly isSplit?: boolean;
}

export const DiffView = ({ diffs, isReversed = false, isSplit = false }: DiffViewProps) =>
  diffs.map(({ path, diff }) => {
    if (diff === undefined)
      return (
        <p key={path} className={styles.quiet}>
          {texts.notATextFile(toVisible(path))}
        </p>
      );
    const lines = diff === "" ? [] : parseUnifiedDiff(diff);
    return lines.length === 0 ? (
      <p key={path} className={styles.quiet}>
        {texts.noChangedLines(toVisible(path))}
      </p>
    ) : (
      <Diff
        key={path}
        title={path}
        lines={isReversed ? reverseDiff(lines) : lines}
        maxLines={MAX_LINES}
        isSplit={isSplit}
      />
    );
  });
