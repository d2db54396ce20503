/** Plain text with its line breaks and visible special characters. */
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { formatNumber } from "../language/locale.ts";
import { limits } from "./lex.ts";
import styles from "./plain-text.module.css";
import * as texts from "./text.ts";
import { VisibleText } from "./visible.tsx";

/** Number of characters that are shown before the user asks for the rest. */
const PREVIEW_LENGTH = 4000;

export const PlainText = ({ text }: { readonly text: string }) => {
  const [isExpanded, setExpanded] = useState(false);
  const lines = text.replace(/\r\n?/g, "\n");
  const isComplete = isExpanded || lines.length <= limits.textLength;
  return (
    <span dir="auto" className={styles.plain}>
      <VisibleText text={isComplete ? lines : lines.slice(0, PREVIEW_LENGTH).replace(/[\uD800-\uDBFF]$/, "")} />
      {!isComplete && (
        <>
          {"…\n"}
          <Button size="small" onClick={() => setExpanded(true)}>
            {texts.showAllCharacters(formatNumber(lines.length))}
          </Button>
        </>
      )}
    </span>
  );
};
