/** Added and removed lines under the name of a file, as plain text. */
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { formatNumber } from "../../language/locale.ts";
import { DiffLine } from "./diff-line.tsx";
import type { ChangeLine } from "./diff-lines.ts";
import styles from "./diff.module.css";
import { SplitDiff } from "./split-diff.tsx";
import * as texts from "./text.ts";
import { toVisible } from "../visible.tsx";

export interface DiffProps {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
  /** Number of lines that are shown before the user asks for all. Absent: all are shown. */
  readonly maxLines?: number;
  /** Shows the text before and after the change side by side. */
  readonly isSplit?: boolean;
}

export const Diff = ({ title, lines, maxLines = lines.length, isSplit = false }: DiffProps) => {
  const [isWhole, setWhole] = useState(false);
  const shownLines = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <>
      <figure className={styles.change}>
        <figcaption>{toVisible(title)}</figcaption>
        {isSplit ? (
          <SplitDiff lines={shownLines} />
        ) : (
          <div dir="ltr" className={styles.lines}>
            {shownLines.map((line, index) => (
              <DiffLine key={index} line={line} />
            ))}
          </div>
        )}
      </figure>
      {shownLines.length === lines.length ? undefined : (
        <p>
          <Button size="small" onClick={() => setWhole(true)}>
            {texts.showAllLines(formatNumber(lines.length))}
          </Button>
        </p>
      )}
    </>
  );
};
