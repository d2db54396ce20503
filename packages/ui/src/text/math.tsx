/** A formula. Until the library is loaded, or if the formula has an error, its source is shown. */
import { createLazyPart } from "../house/lazy-part.tsx";
import type { DrawnFormulaProps } from "./drawn/drawn-formula.tsx";
import { Scroller } from "./scroller.tsx";
import styles from "./math.module.css";
import * as texts from "./text.ts";
import { VisibleText } from "./visible.tsx";

const Source = ({ source }: DrawnFormulaProps) => (
  <code dir="ltr" className={styles.source}>
    <VisibleText text={source} />
  </code>
);

const DrawnFormula = createLazyPart<DrawnFormulaProps>({
  load: async () => (await import("./drawn/drawn-formula.tsx")).DrawnFormula,
  Fallback: Source,
  Wrapper: Source,
});

export const Formula = ({ tex, source, isDisplay }: DrawnFormulaProps) =>
  isDisplay ? (
    <Scroller label={texts.formula} className={styles.display}>
      <DrawnFormula tex={tex} source={source} isDisplay />
    </Scroller>
  ) : (
    <DrawnFormula tex={tex} source={source} isDisplay={false} />
  );
