/** Renders footnotes: marks in the text, and a numbered list after it. Each leads to the other. */
import { createContext, type ReactNode, type RefObject, useContext, useId, useMemo, useRef } from "react";
import type { Footnote } from "./lex-footnotes.ts";
import styles from "./markdown.module.css";
import * as texts from "./text.ts";
import { toVisible, VisibleText } from "./visible.tsx";

interface Notes {
  readonly id: string;
  /** The number of each footnote, by its label. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The mark that the reader pressed. */
  readonly pressedMark: RefObject<HTMLElement | null>;
}

const NotesContext = createContext<Notes | undefined>(undefined);

export interface FootnotesProps {
  readonly notes: readonly Footnote[];
  readonly render: (note: Footnote) => ReactNode;
  /** The text with the marks. */
  readonly children: ReactNode;
}

export const Footnotes = ({ notes, render, children }: FootnotesProps) => {
  const id = useId();
  const pressedMark = useRef<HTMLElement>(null);
  // A text that grows keeps its numbers, so that complete blocks do not render again.
  const labels = notes.map(({ label }) => label).join(" ");
  const value = useMemo((): Notes => {
    const numbers = new Map<string, number>();
    for (const [index, label] of labels.split(" ").entries())
      if (label !== "" && !numbers.has(label)) numbers.set(label, index + 1);
    return { id, numbers, pressedMark };
  }, [id, labels]);
  return (
    <NotesContext value={value}>
      {children}
      {notes.length === 0 ? undefined : (
        <section aria-label={texts.footnotes} className={styles.notes}>
          <ol>
            {notes.map((note, index) => (
              <li key={index} id={`${id}${index + 1}`} tabIndex={-1} dir="auto">
                {render(note)}
                {value.numbers.get(note.label) === index + 1 ? <BackButton number={index + 1} /> : undefined}
              </li>
            ))}
          </ol>
        </section>
      )}
    </NotesContext>
  );
};

interface FootnoteMarkProps {
  readonly label: string;
  readonly raw: string;
  readonly isInLink: boolean;
}

/** The number of a footnote. A mark without a footnote is text. */
export const FootnoteNumber = ({ label, raw, isInLink }: FootnoteMarkProps) => {
  const notes = useContext(NotesContext);
  const number = notes?.numbers.get(label);
  if (notes === undefined || number === undefined || isInLink) return <VisibleText text={raw} />;
  return (
    <sup className={styles.mark}>
      <button
        type="button"
        id={`${notes.id}${number}-mark`}
        aria-label={texts.footnote(number)}
        title={toVisible(label)}
        onClick={({ currentTarget }) => {
          notes.pressedMark.current = currentTarget;
          document.getElementById(`${notes.id}${number}`)?.focus();
        }}
      >
        {number}
      </button>
    </sup>
  );
};

/** Returns to the mark that the reader pressed, or to the first one. */
const BackButton = ({ number }: { readonly number: number }) => {
  const notes = useContext(NotesContext);
  const focusMark = (): void => {
    const pressedMark = notes?.pressedMark.current;
    const firstMark = document.getElementById(`${notes?.id}${number}-mark`);
    (pressedMark?.isConnected === true && pressedMark.id === firstMark?.id ? pressedMark : firstMark)?.focus();
  };
  return (
    <button type="button" aria-label={texts.backToText(number)} className={styles.back} onClick={focusMark}>
      ↩
    </button>
  );
};
