/** A line diff as plain text. Long diffs show their first lines and a button for the rest. */
import type { BrainDiff } from "@hearth/protocol";
import { useState } from "react";
import type { ChangeLine } from "../../approvals/diff-lines.ts";
import { ChangeLines } from "../../approvals/call.tsx";
import { Button } from "../../design/button.tsx";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import * as texts from "../text.ts";
import { parseUnifiedDiff, reverseDiff } from "./unified.ts";

/** Number of lines that are shown before the user asks for all. */
const MAX_LINES = 300;

export interface DiffLinesProps {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

export const DiffLines = ({ title, lines }: DiffLinesProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, MAX_LINES);
  return (
    <>
      <ChangeLines title={title} lines={shown} />
      {shown.length === lines.length ? undefined : (
        <p>
          <Button size="small" onClick={() => setWhole(true)}>
            {texts.showAllLines(formatNumber(lines.length))}
          </Button>
        </p>
      )}
    </>
  );
};

export interface DiffViewProps {
  readonly diffs: readonly BrainDiff[];
  /** Shows the diff that undoes the change. */
  readonly isReversed?: boolean;
}

export const DiffView = ({ diffs, isReversed = false }: DiffViewProps) =>
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
      <DiffLines key={path} title={path} lines={isReversed ? reverseDiff(lines) : lines} />
    );
  });
