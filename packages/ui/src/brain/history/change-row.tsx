/** One change: title, author and time; expanded, its run, its diff and its revert buttons. */
import type { ActivationId, AgentRecord, BrainChange, BrainDiff, UndoBrain } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { roomPath } from "../../house/paths.ts";
import { formatFull, Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { describeChange, describeAuthor } from "./change-words.ts";
import { LayoutChoice, useDiffLayout } from "./diff-layout.tsx";
import { DiffView } from "./diff-view.tsx";
import * as texts from "../text.ts";
import { isFirstState } from "./undo-effects.ts";
import { useNames } from "../use-names.ts";

export interface ChangeRowProps {
  readonly agent: AgentRecord;
  readonly change: BrainChange;
  readonly onUndo: (undo: UndoBrain) => void;
}

export const ChangeRow = ({ agent, change, onUndo }: ChangeRowProps) => {
  const nameOf = useNames();
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const facts = [
    describeAuthor(change, nameOf),
    change.activation === undefined ? undefined : texts.inARun,
    change.note,
  ];
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailId : undefined}
        className={styles.row}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.about}>
          <span className={styles.name}>{describeChange(change)}</span>
          <span className={styles.quiet}>{toVisible(facts.filter((fact) => fact !== undefined).join(" · "))}</span>
        </span>
        <span className={styles.quiet}>
          <Time at={change.at} style="relative" />
        </span>
        <span className={classes(styles.chevron, isOpen && styles.unfolded)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <div id={detailId} className={styles.detail}>
          <ChangeDetail agent={agent} change={change} onUndo={onUndo} />
        </div>
      ) : undefined}
    </>
  );
};

export const ChangeDetail = ({ agent, change, onUndo }: ChangeRowProps) => {
  const { client } = useUi();
  const { id, activation, at, versions } = change;
  const request = useRequest(
    useCallback(async () => (await client.brains()).diff(agent.id, id), [client, agent.id, id]),
  );
  return (
    <>
      <p className={styles.quiet}>{formatFull(at)}</p>
      {activation === undefined ? undefined : <Run activation={activation} />}
      {versions.some(({ isErased }) => isErased) ? <p className={styles.quiet}>{texts.contentErased}</p> : undefined}
      <RequestView request={request}>{(diffs) => <Changes diffs={diffs} />}</RequestView>
      {isFirstState(change) ? (
        <p className={styles.quiet}>{texts.initialContent}</p>
      ) : (
        <div className={styles.buttons}>
          <Button size="small" onClick={() => onUndo({ change: id })}>
            {texts.revertThisChange}
          </Button>
          {activation === undefined ? undefined : (
            <Button size="small" onClick={() => onUndo({ activation })}>
              {texts.revertTheWholeRun}
            </Button>
          )}
          <Button size="small" onClick={() => onUndo({ since: at })}>
            {texts.restoreToBefore}
          </Button>
        </div>
      )}
      <details className={styles.quiet}>
        <summary>{texts.details}</summary>
        <p>
          {texts.changeId} <code>{id}</code>
        </p>
        {activation === undefined ? undefined : (
          <p>
            {texts.runId} <code>{activation}</code>
          </p>
        )}
      </details>
    </>
  );
};

const Changes = ({ diffs }: { readonly diffs: readonly BrainDiff[] }) => {
  const layout = useDiffLayout();
  return (
    <>
      {diffs.length === 0 ? undefined : <LayoutChoice layout={layout} />}
      <div className={classes(styles.changes, layout.isSplit && styles.wide)}>
        <DiffView diffs={diffs} isSplit={layout.isSplit} />
      </div>
    </>
  );
};

/** The run that made the change: its message and room. Runs older than a month are deleted. */
const Run = ({ activation }: { readonly activation: ActivationId }) => {
  const { client } = useUi();
  const { rooms, me } = useHouse();
  const nameOf = useNames();
  const { value } = useRequest(useCallback(() => client.activations.get(activation), [client, activation]));
  const room = rooms.find((entry) => entry.room.id === value?.room)?.room;
  const { message } = value ?? {};
  return (
    <>
      {message === undefined ? undefined : (
        <p>
          {toVisible(
            message.author === me?.agent.id
              ? texts.afterYourMessage(message.text)
              : texts.afterMessageOf(nameOf(message.author), message.text),
          )}
        </p>
      )}
      {room === undefined ? undefined : (
        <p>
          {texts.room}{" "}
          <Link href={roomPath(room.handle)}>
            <bdi>{toVisible(room.content.name)}</bdi>
          </Link>
        </p>
      )}
    </>
  );
};
