/** Added and removed lines under the name of a file, as plain text. */
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { VisuallyHidden } from "../design/hidden.tsx";
import { formatNumber } from "../language/locale.ts";
import type { ChangeLine } from "./diff-lines.ts";
import styles from "./diff.module.css";
import * as texts from "./text.ts";
import { toVisible, VisibleText } from "./visible.tsx";

export interface DiffProps {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
  /** Number of lines that are shown before the user asks for all. Absent: all are shown. */
  readonly maxLines?: number;
}

export const Diff = ({ title, lines, maxLines = lines.length }: DiffProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <>
      <figure className={styles.change}>
        <figcaption>{toVisible(title)}</figcaption>
        <div dir="ltr" className={styles.lines}>
          {shown.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </div>
      </figure>
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

const signs = { added: "+", removed: "−", same: " ", heading: " " } as const;
const words = { added: texts.added, removed: texts.removed, same: undefined, heading: undefined } as const;

const Line = ({ line: { kind, text } }: { readonly line: ChangeLine }) => (
  <div className={classes(styles.line, styles[kind])}>
    <span aria-hidden="true">{signs[kind]}</span>
    {words[kind] === undefined ? undefined : <VisuallyHidden>{words[kind]}</VisuallyHidden>}
    <code>
      <VisibleText text={text} />
    </code>
  </div>
);
