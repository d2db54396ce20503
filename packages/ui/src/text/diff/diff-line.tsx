/** One line of a diff, with a sign and a word for screen readers. */
import { classes } from "../../design/classes.ts";
import { VisuallyHidden } from "../../design/hidden.tsx";
import type { ChangeLine } from "./diff-lines.ts";
import styles from "./diff.module.css";
import * as texts from "./text.ts";
import { VisibleText } from "../visible.tsx";

const signs = { added: "+", removed: "−", same: " ", heading: " " } as const;
const words = { added: texts.added, removed: texts.removed, same: undefined, heading: undefined } as const;

export const DiffLine = ({ line: { kind, text } }: { readonly line: ChangeLine }) => (
  <div className={classes(styles.line, styles[kind])}>
    <span aria-hidden="true">{signs[kind]}</span>
    {words[kind] === undefined ? undefined : <VisuallyHidden>{words[kind]}</VisuallyHidden>}
    <code>
      <VisibleText text={text} />
    </code>
  </div>
);
