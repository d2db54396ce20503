/** An excerpt in which the words that match the search are marked. */
import type { Excerpt } from "@hearth/protocol";
import type { ReactNode } from "react";
import { toVisible } from "../text/visible.tsx";
import styles from "./excerpt.module.css";

export const ExcerptText = ({ text, marks }: Excerpt) => {
  const parts: ReactNode[] = [];
  let position = 0;
  for (const [from, to] of marks) {
    parts.push(
      toVisible(text.slice(position, from)),
      <mark key={from} className={styles.mark}>
        {toVisible(text.slice(from, to))}
      </mark>,
    );
    position = to;
  }
  return (
    <span dir="auto">
      {parts}
      {toVisible(text.slice(position))}
    </span>
  );
};
