/** An excerpt in which the words that match the search are marked. */
import type { Excerpt } from "@hearth/protocol";
import type { ReactNode } from "react";
import { visible } from "../text/visible.tsx";

export const ExcerptText = ({ text, marks }: Excerpt) => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(visible(text.slice(at, from)), <mark key={from}>{visible(text.slice(from, to))}</mark>);
    at = to;
  }
  return (
    <span dir="auto">
      {parts}
      {visible(text.slice(at))}
    </span>
  );
};
