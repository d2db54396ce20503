/** Code, commands and program output: unchanged text in a scrollable box. */
import { classes } from "../design/classes.ts";
import { CopyButton } from "../house/copy-button.tsx";
import { createLazyPart } from "../house/lazy-part.tsx";
import styles from "./code-text.module.css";
import type { HighlightedProps } from "./highlighted.tsx";
import { Scroller } from "./scroller.tsx";
import * as texts from "./text.ts";
import { toVisible, VisibleText } from "./visible.tsx";

const Plain = ({ text }: HighlightedProps) => <VisibleText text={text} />;

/** Code with colours. It has no colours until the highlighter is loaded, or if it cannot be loaded. */
const Highlighted = createLazyPart<HighlightedProps>({
  load: async () => (await import("./highlighted.tsx")).Highlighted,
  Fallback: Plain,
  Wrapper: Plain,
});

/** Input or output of a tool, with limited height. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <div dir="ltr" className={styles.code}>
    <Box text={text} label={texts.code} className={styles.bounded} />
  </div>
);

export interface CodeBlockProps {
  readonly text: string;
  readonly language: string | undefined;
}

/** A code block in a message, with full height and its language as title. */
export const CodeBlock = ({ text, language = "" }: CodeBlockProps) =>
  language === "" ? (
    <div dir="ltr" className={styles.code}>
      <Box text={text} label={texts.code} />
    </div>
  ) : (
    <div dir="ltr" className={classes(styles.code, styles.headed)}>
      <p className={styles.language}>
        <bdi>
          <VisibleText text={language} />
        </bdi>
      </p>
      <Box text={text} label={texts.codeIn(toVisible(language))} language={language} />
    </div>
  );

interface BoxProps {
  readonly text: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly language?: string;
}

/** The copy button overlaps the corner, so that single lines keep their height. */
const Box = ({ text, label, className, language }: BoxProps) => {
  const code = text.replace(/\r\n?/g, "\n");
  return (
    <>
      <Scroller label={label} className={classes(styles.box, className)}>
        <pre>
          <code>
            {language === undefined ? <VisibleText text={code} /> : <Highlighted text={code} language={language} />}
          </code>
        </pre>
      </Scroller>
      <div className={styles.copy}>
        <CopyButton text={text} label={texts.copy} />
      </div>
    </>
  );
};
