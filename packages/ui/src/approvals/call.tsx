/** The call that needs approval, and for tools that write files the changed lines. Never shortened. */
import type { Approval } from "@hearth/protocol";
import { Fragment } from "react";
import { Diff } from "../text/diff/diff.tsx";
import { toVisible, VisibleText } from "../text/visible.tsx";
import { describeAsk } from "./ask-words.ts";
import { changeOfDisplay } from "./change-lines.ts";
import { summaryOf } from "./call-summary.ts";
import styles from "./approvals.module.css";
import { risksOf } from "./tool-texts.ts";
import * as texts from "./text.ts";

export type ShownCall = Pick<Approval, "what" | "display" | "asks" | "offers">;

/** The command or target first, then its folder and its other fields, its risk, and why the agent asks. */
export const Call = ({ approval }: { readonly approval: ShownCall }) => {
  const { what, display, asks, offers } = approval;
  const risks = what.kind === "tool" ? risksOf(what.name) : [];
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
        {risks.length === 0 ? undefined : (
          <>
            <dt>{texts.risk}</dt>
            <dd>{risks.join(" · ")}</dd>
          </>
        )}
        <dt>{texts.why}</dt>
        {asks.map((ask, index) => (
          <dd key={index}>{describeAsk(ask)}</dd>
        ))}
      </dl>
      {summary?.warning === undefined ? undefined : <p className={styles.note}>{toVisible(summary.warning)}</p>}
      {summary === undefined ? undefined : (
        <details className={styles.details}>
          <summary>{texts.exactCall}</summary>
          <Verbatim text={display} />
          {offers.map(({ scope, text }) =>
            // The warden's text of a wider answer states its scope with all values.
            scope === "once" ? undefined : (
              <p key={scope} className={styles.quiet}>
                {toVisible(text)}
              </p>
            ),
          )}
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
