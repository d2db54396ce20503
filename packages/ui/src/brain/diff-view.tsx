/** What differs between two texts, line by line. Text alone; of very much of it the first lines until one asks for the rest. */
import type { BrainDiff } from "@hearth/protocol";
import { useState } from "react";
import type { ChangeLine } from "../approvals/diff-lines.ts";
import { ChangeLines } from "../approvals/exact.tsx";
import { Button } from "../design/button.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { linesOfDiff, takenBack } from "./unified.ts";

/** What a page draws at once. */
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
            Show all {lines.length.toLocaleString()} lines
          </Button>
        </p>
      )}
    </>
  );
};

export interface DiffViewProps {
  readonly diffs: readonly BrainDiff[];
  /** What taking it back would change instead. */
  readonly isBack?: boolean;
}

export const DiffView = ({ diffs, isBack = false }: DiffViewProps) =>
  diffs.map(({ path, diff }) => {
    if (diff === undefined)
      return (
        <p key={path} className={styles.quiet}>
          {visible(path)} is no text, and so its lines cannot be shown.
        </p>
      );
    const lines = diff === "" ? [] : linesOfDiff(diff);
    return lines.length === 0 ? (
      <p key={path} className={styles.quiet}>
        {visible(path)} has no line that is another one.
      </p>
    ) : (
      <DiffLines key={path} title={path} lines={isBack ? takenBack(lines) : lines} />
    );
  });
