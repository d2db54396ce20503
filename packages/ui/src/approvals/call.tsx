/** The call that needs approval, and for tools that write files the changed lines. Never shortened. */
import type { Approval } from "@hearth/protocol";
import { Fragment } from "react";
import { classes } from "../design/classes.ts";
import { VisuallyHidden } from "../design/hidden.tsx";
import { toVisible, VisibleText } from "../text/visible.tsx";
import { type Change, changeOf } from "./change-lines.ts";
import { summaryOf } from "./call-summary.ts";
import type { ChangeLine } from "./diff-lines.ts";
import styles from "./approvals.module.css";
import * as texts from "./text.ts";

export type ShownCall = Pick<Approval, "what" | "display" | "asks">;

/** The command or target first, then its folder, its risk and its other fields. */
export const Call = ({ approval }: { readonly approval: ShownCall }) => {
  const { what, display, asks } = approval;
  const summary = what.kind === "tool" ? summaryOf(what.name, display) : undefined;
  const change = what.kind === "tool" ? changeOf(what.name, display) : undefined;
  return (
    <>
      <Verbatim text={summary?.target ?? display} />
      {change === undefined ? undefined : <ChangeLines title={change.title} lines={change.lines} />}
      <dl className={styles.facts}>
        {summary?.facts.map(({ title, text }) => (
          <Fragment key={title}>
            <dt>{toVisible(title)}</dt>
            <dd>
              <VisibleText text={text} />
            </dd>
          </Fragment>
        ))}
        <dt>{texts.risk}</dt>
        {asks.map(({ text }, index) => (
          <dd key={index}>{toVisible(text)}</dd>
        ))}
      </dl>
      {summary?.warning === undefined ? undefined : <p className={styles.note}>{toVisible(summary.warning)}</p>}
      {summary === undefined ? undefined : (
        <details className={styles.details}>
          <summary>{texts.exactCall}</summary>
          <Verbatim text={display} />
        </details>
      )}
    </>
  );
};

const Verbatim = ({ text }: { readonly text: string }) => (
  <pre dir="ltr" className={styles.exact}>
    <code>
      <VisibleText text={text} />
    </code>
  </pre>
);

/** Added and removed lines under the name of the file. */
export const ChangeLines = ({ title, lines }: Change) => (
  <figure className={styles.change}>
    <figcaption>{toVisible(title)}</figcaption>
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
    {words[kind] === undefined ? undefined : <VisuallyHidden>{words[kind]}</VisuallyHidden>}
    <code>
      <VisibleText text={text} />
    </code>
  </div>
);
