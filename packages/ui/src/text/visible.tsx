/** Renders text with invisible characters as styled code points. */
import { nameRun, splitHidden } from "../design/visible.ts";
import * as texts from "./text.ts";
import styles from "./visible.module.css";

export { hasHidden, toVisible } from "../design/visible.ts";

export const VisibleText = ({ text }: { readonly text: string }) =>
  splitHidden(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} dir="ltr" className={styles.mark} title={texts.invisibleCharacters}>
        {nameRun(part)}
      </span>
    ),
  );
