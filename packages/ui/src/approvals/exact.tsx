/**
 * The exact call, and for tools that write files also the changed lines. Plain text, never
 * shortened.
 */
import type { Approval } from "@hearth/protocol";
import { classes } from "../design/classes.ts";
import { Hidden } from "../design/hidden.tsx";
import { visible, VisibleText } from "../text/visible.tsx";
import { type Change, changeOf } from "./change-lines.ts";
import type { ChangeLine } from "./diff-lines.ts";
import styles from "./approvals.module.css";
import * as texts from "./text.ts";

export const Exact = ({ approval: { what, display } }: { readonly approval: Pick<Approval, "what" | "display"> }) => {
  const change = what.kind === "tool" ? changeOf(what.name, display) : undefined;
  return (
    <>
      <pre dir="ltr" className={styles.exact}>
        <code>
          <VisibleText text={display} />
        </code>
      </pre>
      {change === undefined ? undefined : <ChangeLines title={change.title} lines={change.lines} />}
    </>
  );
};

/** Added and removed lines under the name of the file. */
export const ChangeLines = ({ title, lines }: Change) => (
  <figure className={styles.change}>
    <figcaption>{visible(title)}</figcaption>
    <div dir="ltr" className={styles.lines}>
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  </figure>
);

const signs = { added: "+", removed: "−", same: " ", heading: " " } as const;
const words = { added: texts.added, removed: texts.removed, same: undefined, heading: undefined } as const;

const Line = ({ line: { kind, text } }: { readonly line: ChangeLine }) => (
  <div className={classes(styles.line, styles[kind])}>
    <span aria-hidden="true">{signs[kind]}</span>
    {words[kind] === undefined ? undefined : <Hidden>{words[kind]}</Hidden>}
    <code>
      <VisibleText text={text} />
    </code>
  </div>
);
