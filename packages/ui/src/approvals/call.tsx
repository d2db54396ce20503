/** The call that needs approval, and for tools that write files the changed lines. Never shortened. */
import type { Approval } from "@hearth/protocol";
import { Fragment } from "react";
import { Diff } from "../text/diff/diff.tsx";
import { toVisible, VisibleText } from "../text/visible.tsx";
import { changeOfDisplay } from "./change-lines.ts";
import { summaryOf } from "./call-summary.ts";
import styles from "./approvals.module.css";
import * as texts from "./text.ts";

export type ShownCall = Pick<Approval, "what" | "display" | "asks">;

/** The command or target first, then its folder, its risk and its other fields. */
export const Call = ({ approval }: { readonly approval: ShownCall }) => {
  const { what, display, asks } = approval;
  const summary = what.kind === "tool" ? summaryOf(what.name, display) : undefined;
  const change = what.kind === "tool" ? changeOfDisplay(what.name, display) : undefined;
  return (
    <>
      <Verbatim text={summary?.target ?? display} />
      {change === undefined ? undefined : <Diff title={change.title} lines={change.lines} />}
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
