/** Plain text with its line breaks and visible special characters. */
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { formatNumber } from "../language/locale.ts";
import { limits } from "./lex.ts";
import styles from "./plain-text.module.css";
import * as texts from "./text.ts";
import { VisibleText } from "./visible.tsx";

/** Number of characters that are shown before the user asks for the rest. */
const FIRST_LENGTH = 4000;

export const PlainText = ({ text }: { readonly text: string }) => {
  const [isWhole, setWhole] = useState(false);
  const lines = text.replace(/\r\n?/g, "\n");
  const isShort = isWhole || lines.length <= limits.textLength;
  return (
    <span dir="auto" className={styles.plain}>
      <VisibleText text={isShort ? lines : lines.slice(0, FIRST_LENGTH).replace(/[\uD800-\uDBFF]$/, "")} />
      {!isShort && (
        <>
          {"…\n"}
          <Button size="small" onClick={() => setWhole(true)}>
            {texts.showAllCharacters(formatNumber(lines.length))}
          </Button>
        </>
      )}
    </span>
  );
};
