/** Draws formulas with KaTeX, as MathML for screen readers and as HTML. Loaded with the first formula. */
import katex from "katex";
import { useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../design/classes.ts";
import styles from "../math.module.css";
import { VisibleText } from "../visible.tsx";
import * as texts from "./text.ts";

export interface DrawnFormulaProps {
  readonly tex: string;
  /** The formula as it was written. */
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Styles and fonts of the library. They are not part of the page's styles, because few messages need them. */
const STYLES_URL = "/ui/katex.css";

/** The formula was written by a model or a stranger: no links, images, classes or large sizes, and few macros. */
const LIMITS = {
  trust: false,
  maxExpand: 200,
  maxSize: 10,
  strict: "ignore",
  throwOnError: true,
  errorColor: "var(--danger)",
} as const;

export const DrawnFormula = ({ tex, source, isDisplay }: DrawnFormulaProps) => {
  const container = useRef<HTMLSpanElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    loadStyles(element.ownerDocument);
    try {
      // The library builds elements. It sets no HTML text.
      katex.render(tex, element, { ...LIMITS, displayMode: isDisplay, output: "htmlAndMathml" });
    } catch {
      setFailed(true);
    }
  }, [tex, isDisplay]);
  return hasFailed ? (
    <code dir="ltr" className={classes(styles.source, styles.error)} title={texts.formulaError}>
      <VisibleText text={source} />
    </code>
  ) : (
    <span ref={container} dir="ltr" className={classes(styles.formula, isDisplay && styles.block)} />
  );
};

const loadStyles = (document: Document): void => {
  if (document.querySelector(`link[href="${STYLES_URL}"]`) !== null) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = STYLES_URL;
  document.head.append(link);
};
