/** One thing that was found: what it says, where it stands, who wrote it, and why it was found. */
import type { AgentRecord, RecalledFact } from "@hearth/protocol";
import { useId, useState } from "react";
import { Link } from "wouter";
import { Button } from "../design/button.tsx";
import { PlainText } from "../text/plain-text.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { placeOf, tellParts, tellScore } from "./memory-words.ts";
import { pathOfFile } from "./place.ts";

export interface MemoryHitProps {
  readonly agent: AgentRecord;
  readonly fact: RecalledFact;
  readonly onForget: (source: string) => void;
}

export const MemoryHit = ({ agent, fact, onForget }: MemoryHitProps) => {
  const { path, headings, text, date, label, score } = fact;
  const [isOpen, setOpen] = useState(false);
  const why = useId();
  const place = placeOf(fact);
  const about = [headings.join(" › "), date].filter((part) => part !== undefined && part !== "");
  return (
    <article className={styles.fact} aria-label={visible(place)}>
      <p className={styles.name}>
        <Link href={pathOfFile(agent.handle, path)}>
          <bdi>{visible(place)}</bdi>
        </Link>
      </p>
      {about.length === 0 ? undefined : <p className={styles.quiet}>{visible(about.join(" · "))}</p>}
      {label.integrity === "untrusted" ? (
        <p className={styles.warning}>
          Others wrote this: {visible(label.sources.length === 0 ? "it is not known who" : label.sources.join(", "))}
        </p>
      ) : undefined}
      <p>
        <PlainText text={text} />
      </p>
      <div className={styles.buttons}>
        <Button
          kind="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? why : undefined}
          aria-label={`${isOpen ? "Hide why" : "Why it was found"}: ${visible(place)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide why" : "Why it was found"}
        </Button>
        <Button kind="quiet" size="small" aria-label={`Forget it: ${visible(place)}`} onClick={() => onForget(place)}>
          Forget it
        </Button>
      </div>
      {isOpen ? (
        <table id={why} className={styles.table} aria-label={`What spoke for ${visible(place)}`}>
          <tbody>
            {tellParts(fact.parts).map(({ title, value }) => (
              <tr key={title}>
                <th scope="row">{visible(title)}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <td>{tellScore(score)}</td>
            </tr>
          </tfoot>
        </table>
      ) : undefined}
    </article>
  );
};
