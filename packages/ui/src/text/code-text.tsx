/** Code, commands and whatever programs say: every character as it is, in a box that scrolls. */
import { classes } from "../design/classes.ts";
import { CopyButton } from "../house/copy-button.tsx";
import styles from "./code-text.module.css";
import { Scroller } from "./scroller.tsx";
import { visible, VisibleText } from "./visible.tsx";

/** What a tool was given or gave: never taller than a part of the page. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <div dir="ltr" className={styles.code}>
    <Box text={text} label="Code" className={styles.bounded} />
  </div>
);

export interface CodeBlockProps {
  readonly text: string;
  readonly language: string | undefined;
}

/** Code within a message: as tall as it is, under the name of its language. */
export const CodeBlock = ({ text, language = "" }: CodeBlockProps) =>
  language === "" ? (
    <div dir="ltr" className={styles.code}>
      <Box text={text} label="Code" />
    </div>
  ) : (
    <div dir="ltr" className={classes(styles.code, styles.headed)}>
      <p className={styles.language}>
        <bdi>
          <VisibleText text={language} />
        </bdi>
      </p>
      <Box text={text} label={`Code, ${visible(language)}`} />
    </div>
  );

interface BoxProps {
  readonly text: string;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** The copy button lies over the corner: a single line stays one line high. */
const Box = ({ text, label, className }: BoxProps) => (
  <>
    <Scroller label={label} className={classes(styles.box, className)}>
      <pre>
        <code>
          <VisibleText text={text.replace(/\r\n?/g, "\n")} />
        </code>
      </pre>
    </Scroller>
    <div className={styles.copy}>
      <CopyButton text={text} label="Copy" />
    </div>
  </>
);
