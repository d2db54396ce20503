/** What a text field cannot show of a file: characters that cannot be seen, ends of lines, and which lines others wrote. */
import type { BrainSpan, BrainText } from "@hearth/protocol";
import { useMemo } from "react";
import { hasHidden, visible, VisibleText } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { endsOf } from "./line-ends.ts";

/** Lines that are shown with what hides in them. */
const MAX_SHOWN = 20;
/** Of each of them, so many characters. */
const MAX_LENGTH = 300;

export interface FileRemarksProps {
  /** As it is in the field. */
  readonly text: string;
  readonly file: BrainText | undefined;
}

export const FileRemarks = ({ text, file }: FileRemarksProps) => {
  const hidden = useMemo(() => findHiddenLines(text), [text]);
  const spans = file?.spans ?? [];
  return (
    <>
      {hidden.length === 0 ? undefined : (
        <section className={styles.remark} aria-label="Characters that cannot be seen">
          <p>
            {hidden.length === 1 ? "One line has" : `${hidden.length.toLocaleString()} lines have`} characters in them
            that cannot be seen above:
          </p>
          <ul>
            {hidden.slice(0, MAX_SHOWN).map(({ number, line }) => (
              <li key={number}>
                Line {number.toLocaleString()}: <VisibleText text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {endsOf(file?.text ?? "") === "mixed" ? (
        <p className={styles.quiet}>Its lines end in more than one way. Saving makes them end alike.</p>
      ) : undefined}
      {spans.length === 0 ? undefined : (
        <details className={styles.remark}>
          <summary>
            {spans.length === 1 ? "Some lines" : `${spans.length.toLocaleString()} runs of lines`} came from elsewhere
          </summary>
          <ul>
            {spans.map((span) => (
              <li key={`${span.from} ${span.to}`}>{visible(tellSpan(span))}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

export const findHiddenLines = (text: string): readonly { readonly number: number; readonly line: string }[] =>
  hasHidden(text)
    ? text.split("\n").flatMap((line, index) => {
        const clear = line.replace(/\r$/, "");
        return hasHidden(clear) ? [{ number: index + 1, line: shorten(clear) }] : [];
      })
    : [];

const shorten = (line: string): string =>
  line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line;

const trustWords = {
  owner: "the house's own",
  trusted: "by somebody with a say here",
  untrusted: "anybody may have written it",
};

/** "Lines 3–5: https://example.org (anybody may have written it)". */
export const tellSpan = ({ from, to, label: { integrity, sources } }: BrainSpan): string => {
  const where = from === to ? `Line ${from}` : `Lines ${from}–${to}`;
  const trust = trustWords[integrity];
  return sources.length === 0 ? `${where}: ${trust}` : `${where}: ${sources.join(", ")} (${trust})`;
};
