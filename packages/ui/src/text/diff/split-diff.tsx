/** A diff with the lines before the change on the left, and those after it on the right. */
import { classes } from "../../design/classes.ts";
import type { ChangeLine } from "./diff-lines.ts";
import { DiffLine } from "./diff-line.tsx";
import styles from "./diff.module.css";
import { splitRows } from "./split-rows.ts";
import * as texts from "./text.ts";
import { VisibleText } from "../visible.tsx";

export const SplitDiff = ({ lines }: { readonly lines: readonly ChangeLine[] }) => (
  <table dir="ltr" className={styles.split}>
    <thead>
      <tr>
        <th scope="col">{texts.before}</th>
        <th scope="col">{texts.after}</th>
      </tr>
    </thead>
    <tbody>
      {splitRows(lines).map((row, index) =>
        row.kind === "heading" ? (
          <tr key={index}>
            <td colSpan={2} className={classes(styles.line, styles.heading)}>
              <code>
                <VisibleText text={row.text} />
              </code>
            </td>
          </tr>
        ) : (
          <tr key={index}>
            <Side line={row.before} />
            <Side line={row.after} />
          </tr>
        ),
      )}
    </tbody>
  </table>
);

const Side = ({ line }: { readonly line: ChangeLine | undefined }) => (
  <td className={line === undefined ? styles.absent : styles[line.kind]}>
    {line === undefined ? undefined : <DiffLine line={line} />}
  </td>
);
