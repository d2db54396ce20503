/** One change: title, author and time; expanded, its run, its diff and its revert buttons. */
import type { ActivationId, AgentRecord, BrainChange, UndoBrain } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { Link } from "wouter";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Icon } from "../design/icon.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { roomPath } from "../house/paths.ts";
import { formatFull, Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { tellChange, tellWho } from "./change-words.ts";
import { DiffView } from "./diff-view.tsx";
import { isFirst } from "./undo-effects.ts";
import { useNames } from "./use-names.ts";

export interface ChangeRowProps {
  readonly agent: AgentRecord;
  readonly change: BrainChange;
  readonly onUndo: (what: UndoBrain) => void;
}

export const ChangeRow = ({ agent, change, onUndo }: ChangeRowProps) => {
  const nameOf = useNames();
  const [isOpen, setOpen] = useState(false);
  const detail = useId();
  const facts = [tellWho(change, nameOf), change.activation === undefined ? undefined : "in a run", change.note];
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detail : undefined}
        className={styles.row}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.about}>
          <span className={styles.name}>{tellChange(change)}</span>
          <span className={styles.quiet}>{visible(facts.filter((fact) => fact !== undefined).join(" · "))}</span>
        </span>
        <span className={styles.quiet}>
          <Time at={change.at} style="relative" />
        </span>
        <span className={classes(styles.chevron, isOpen && styles.unfolded)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <div id={detail} className={styles.detail}>
          <ChangeDetail agent={agent} change={change} onUndo={onUndo} />
        </div>
      ) : undefined}
    </>
  );
};

export const ChangeDetail = ({ agent, change, onUndo }: ChangeRowProps) => {
  const { client } = useUi();
  const { id, activation, at, versions } = change;
  const answer = useAnswer(useCallback(async () => (await client.brains()).diff(agent.id, id), [client, agent.id, id]));
  return (
    <>
      <p className={styles.quiet}>
        {formatFull(at)} · <code>{id}</code>
      </p>
      {activation === undefined ? undefined : <Turn activation={activation} />}
      {versions.some(({ isErased }) => isErased) ? (
        <p className={styles.quiet}>Some content was erased permanently since. A revert cannot restore it.</p>
      ) : undefined}
      <AnswerView answer={answer}>{(diffs) => <DiffView diffs={diffs} />}</AnswerView>
      {isFirst(change) ? (
        <p className={styles.quiet}>This was the content when Hearth first saw the brain.</p>
      ) : (
        <div className={styles.buttons}>
          <Button size="small" onClick={() => onUndo({ change: id })}>
            Revert this change
          </Button>
          {activation === undefined ? undefined : (
            <Button size="small" onClick={() => onUndo({ activation })}>
              Revert the whole run
            </Button>
          )}
          <Button size="small" onClick={() => onUndo({ since: at })}>
            Restore to before this change
          </Button>
        </div>
      )}
    </>
  );
};

/** The run that made the change: its message and room. Runs older than a month are deleted. */
const Turn = ({ activation }: { readonly activation: ActivationId }) => {
  const { client } = useUi();
  const { rooms, me } = useHouse();
  const nameOf = useNames();
  const { value } = useAnswer(useCallback(() => client.activations.get(activation), [client, activation]));
  const room = rooms.find((entry) => entry.room.id === value?.room)?.room;
  const { message } = value ?? {};
  return (
    <p>
      {message === undefined
        ? "In the run "
        : visible(
            `After ${message.author === me?.agent.id ? "your message" : `a message of ${nameOf(message.author)}`}: ${message.text} `,
          )}
      <code className={styles.quiet}>{activation}</code>
      {room === undefined ? undefined : (
        <>
          {" "}
          in{" "}
          <Link href={roomPath(room.handle)}>
            <bdi>{visible(room.content.name)}</bdi>
          </Link>
        </>
      )}
    </p>
  );
};
