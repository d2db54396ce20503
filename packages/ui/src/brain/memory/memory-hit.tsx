/** One memory search result: text, location, sources and ranking. */
import type { AgentRecord, RecalledFact } from "@hearth/protocol";
import { useId, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../design/button.tsx";
import { PlainText } from "../../text/plain-text.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { locationOf, describeParts, formatScore } from "./memory-words.ts";
import { pathOfFile } from "../place.ts";
import * as texts from "../text.ts";

export interface MemoryHitProps {
  readonly agent: AgentRecord;
  readonly fact: RecalledFact;
  readonly onForget: (source: string) => void;
}

export const MemoryHit = ({ agent, fact, onForget }: MemoryHitProps) => {
  const { path, headings, text, date, label, score } = fact;
  const [isOpen, setOpen] = useState(false);
  const tableId = useId();
  const location = locationOf(fact);
  const details = [headings.join(" › "), date].filter((part) => part !== undefined && part !== "");
  return (
    <article className={styles.fact} aria-label={toVisible(location)}>
      <p className={styles.name}>
        <Link href={pathOfFile(agent.handle, path)}>
          <bdi>{toVisible(location)}</bdi>
        </Link>
      </p>
      {details.length === 0 ? undefined : <p className={styles.quiet}>{toVisible(details.join(" · "))}</p>}
      {label.integrity === "untrusted" ? (
        <p className={styles.warning}>
          {texts.untrustedSources} {toVisible(label.sources.length === 0 ? texts.unknown : label.sources.join(", "))}
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
          aria-controls={isOpen ? tableId : undefined}
          aria-label={`${isOpen ? texts.hideRanking : texts.showRanking}: ${toVisible(location)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.hideRanking : texts.showRanking}
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={texts.deleteMemory(toVisible(location))}
          onClick={() => onForget(location)}
        >
          {texts.deletion}
        </Button>
      </div>
      {isOpen ? (
        <table id={tableId} className={styles.table} aria-label={texts.rankingOf(toVisible(location))}>
          <tbody>
            {describeParts(fact.parts).map(({ title, value }) => (
              <tr key={title}>
                <th scope="row">{toVisible(title)}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{texts.total}</th>
              <td>{formatScore(score)}</td>
            </tr>
          </tfoot>
        </table>
      ) : undefined}
    </article>
  );
};
