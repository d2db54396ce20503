/**
 * Remarks about a file that its text field cannot show: invisible characters, line endings and
 * untrusted lines.
 */
import type { BrainSpan, BrainText } from "@hearth/protocol";
import { useMemo } from "react";
import { formatNumber } from "../../language/locale.ts";
import { hasHidden, toVisible, VisibleText } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { lineEndingOf } from "./line-ends.ts";
import * as texts from "../text.ts";

/** Maximum number of lines shown. */
const MAX_LINES = 20;
/** Maximum number of characters shown of a line. */
const MAX_LINE_LENGTH = 300;

export interface FileRemarksProps {
  /** The text in the editor, which may be unsaved. */
  readonly text: string;
  readonly file: BrainText | undefined;
}

export const FileRemarks = ({ text, file }: FileRemarksProps) => {
  const hiddenLines = useMemo(() => findHiddenLines(text), [text]);
  const spans = file?.spans ?? [];
  return (
    <>
      {hiddenLines.length === 0 ? undefined : (
        <section className={styles.remark} aria-label={texts.invisibleCharacters}>
          <p>
            {hiddenLines.length === 1
              ? texts.oneLineWithHidden
              : texts.linesWithHidden(formatNumber(hiddenLines.length))}
          </p>
          <ul>
            {hiddenLines.slice(0, MAX_LINES).map(({ number, line }) => (
              <li key={number}>
                {texts.line(formatNumber(number))}: <VisibleText text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {lineEndingOf(file?.text ?? "") === "mixed" ? (
        <p className={styles.quiet}>{texts.mixedLineEndings}</p>
      ) : undefined}
      {spans.length === 0 ? undefined : (
        <details className={styles.remark}>
          <summary>
            {spans.length === 1
              ? texts.linesFromAnotherSource
              : texts.linesFromOtherSources(formatNumber(spans.length))}
          </summary>
          <ul>
            {spans.map((span) => (
              <li key={`${span.from} ${span.to}`}>{toVisible(describeSpan(span))}</li>
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
        const lineText = line.replace(/\r$/, "");
        return hasHidden(lineText) ? [{ number: index + 1, line: shorten(lineText) }] : [];
      })
    : [];

const shorten = (line: string): string =>
  line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;

const trustWords = {
  owner: texts.trusted,
  trusted: texts.byMembers,
  untrusted: texts.untrusted,
};

/** Returns a text such as "Lines 3–5: https://example.org (untrusted)". */
export const describeSpan = ({ from, to, label: { integrity, sources } }: BrainSpan): string => {
  const lineNumbers = from === to ? texts.line(String(from)) : texts.lines(from, to);
  const trust = trustWords[integrity];
  return sources.length === 0 ? `${lineNumbers}: ${trust}` : `${lineNumbers}: ${sources.join(", ")} (${trust})`;
};
