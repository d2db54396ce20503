/** Creates a room and opens it. */
import { observe } from "@hearth/client";
import { type AgentId, type AgentRecord, isHearthError, MAX_NAME_LENGTH } from "@hearth/protocol";
import { type SubmitEvent, useId, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Checkbox, Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "./new-room-dialog.module.css";
import { type NewRoom, createRoomContent } from "./new-room.ts";
import { roomPath } from "../../house/paths.ts";
import * as texts from "./text.ts";

const EMPTY: NewRoom = { name: "", excludedIds: new Set() };

export interface NewRoomDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Typed text survives closing the dialog. */
export const NewRoomDialog = ({ isOpen, onClose }: NewRoomDialogProps) => {
  const { client } = useUi();
  const { me, house, agents } = useHouse();
  const [, navigate] = useLocation();
  const formId = useId();
  const [draft, setDraft] = useState(EMPTY);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const houseAgents = [...agents.values()].filter((agent) => agent.house === house?.id);

  const create = async (): Promise<void> => {
    if (me === undefined || house === undefined || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      const room = await client.rooms.create(createRoomContent(draft, me.agent.id, houseAgents), { house: house.id });
      setDraft(EMPTY);
      onClose();
      navigate(roomPath(room.handle));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    observe(create());
  };

  const nameError = nameErrorOf(error);
  return (
    <Dialog
      title={texts.newRoom}
      isOpen={isOpen}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={isBusy}>
            {texts.createRoom}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <Field label={texts.name} error={nameError}>
          {(ids) => (
            <TextInput
              {...ids}
              required
              maxLength={MAX_NAME_LENGTH}
              value={draft.name}
              onChange={(event) => setDraft({ ...draft, name: event.target.value })}
            />
          )}
        </Field>
        <Participants
          agents={houseAgents}
          excludedIds={draft.excludedIds}
          onChange={(excludedIds) => setDraft({ ...draft, excludedIds })}
        />
        {error === undefined || nameError !== undefined ? undefined : <ErrorNotice error={error} />}
      </form>
    </Dialog>
  );
};

interface ParticipantsProps extends Pick<NewRoom, "excludedIds"> {
  /** All members of the house. */
  readonly agents: readonly AgentRecord[];
  readonly onChange: (excludedIds: NewRoom["excludedIds"]) => void;
}

/** Checkboxes for the members of the house. All of them are checked at first. */
const Participants = ({ agents, excludedIds, onChange }: ParticipantsProps) => {
  const { me } = useHouse();
  const bot = agents.find(({ content }) => content.kind === "bot");
  const choose = (agent: AgentId, isIn: boolean): void => {
    const newExcludedIds = new Set(excludedIds);
    if (isIn) newExcludedIds.delete(agent);
    else newExcludedIds.add(agent);
    onChange(newExcludedIds);
  };
  return (
    <fieldset>
      <legend>{texts.participants}</legend>
      <p className={styles.hint}>{describeHint(bot?.handle)}</p>
      {agents
        .filter(({ id }) => id !== me?.agent.id)
        .map(({ id, handle, content }) => (
          <Checkbox
            key={id}
            label={toVisible(content.name)}
            detail={`@${handle}`}
            checked={!excludedIds.has(id)}
            onChange={(event) => choose(id, event.target.checked)}
          />
        ))}
    </fieldset>
  );
};

const describeHint = (agent: string | undefined): string =>
  agent === undefined ? texts.youAreIncluded : texts.youAndAgentsAreIncluded(agent);

/** Returns the error of the name field. */
export const nameErrorOf = (error: unknown): string | undefined => {
  if (isHearthError(error, "record.handle-taken")) return texts.nameIsTaken;
  return isHearthError(error, "record.invalid") ? plainWords(error.message) : undefined;
};
