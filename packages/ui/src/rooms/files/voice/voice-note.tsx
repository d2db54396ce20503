/** Plays attached audio, with its transcript below. Its sender can correct the transcript. */
import { observe } from "@hearth/client";
import { type AgentId, type AttachedTranscript, type Attachment, includesLevel } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { Button, IconButton } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useRequest } from "../../../house/request.ts";
import { useHouse, useRoom, useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { PlainText } from "../../../text/plain-text.tsx";
import { toVisible } from "../../../text/visible.tsx";
import { useRoomView } from "../../room-view.tsx";
import * as texts from "./text.ts";
import styles from "../voice-note.module.css";

export interface VoiceNoteProps {
  readonly attachment: Attachment;
  readonly author: AgentId;
}

export const VoiceNote = ({ attachment: { id, name }, author }: VoiceNoteProps) => {
  const { room, me, level } = useRoomView();
  const [transcript, setTranscript] = useTranscript(id);
  return (
    <div className={styles.note}>
      <audio
        className={styles.player}
        src={`/api/rooms/${room.id}/attachments/${id}`}
        aria-label={texts.player(toVisible(name))}
        controls
        preload="none"
      />
      <Transcript
        attachment={id}
        transcript={transcript}
        mayEdit={author === me && includesLevel(level, "w")}
        mayTranscribe={includesLevel(level, "w")}
        onChange={setTranscript}
      />
    </div>
  );
};

/**
 * Returns the transcript, and a function that replaces it. A turn creates the transcript before it
 * answers, so each new message requests it again.
 */
const useTranscript = (id: string) => {
  const { client, house } = useUi();
  const { reader, room } = useRoomView();
  const count = useRoom(reader).messages.length;
  const [changedTranscript, setChangedTranscript] = useState<AttachedTranscript>();
  const load = useCallback(async () => {
    const [entry] = await (await client.voice()).transcripts(room.id, { attachments: id });
    return { transcript: entry?.transcript };
  }, [client, room.id, id]);
  const { value, reload } = useRequest(load);
  const transcript = changedTranscript ?? value?.transcript;
  const isMissing = value !== undefined && transcript === undefined;
  useEffect(() => {
    if (isMissing && house.snapshot().me?.transcribes === true) reload();
  }, [house, isMissing, count, reload]);
  return [transcript, setChangedTranscript] as const;
};

export interface TranscriptProps {
  readonly attachment: string;
  readonly transcript: AttachedTranscript | undefined;
  readonly mayEdit: boolean;
  readonly mayTranscribe: boolean;
  readonly onChange: (transcript: AttachedTranscript) => void;
}

export const Transcript = ({ attachment, transcript, mayEdit, mayTranscribe, onChange }: TranscriptProps) => {
  const { client } = useUi();
  const { me } = useHouse();
  const { room } = useRoomView();
  const submission = useSubmission();
  const [isEditing, setEditing] = useState(false);
  const transcribe = () =>
    submission.run(async () => onChange(await (await client.voice()).transcribe(room.id, attachment)));
  if (transcript?.text !== undefined)
    return isEditing ? (
      <TranscriptForm
        attachment={attachment}
        text={transcript.text}
        onDone={(savedTranscript) => {
          setEditing(false);
          if (savedTranscript !== undefined) onChange(savedTranscript);
        }}
      />
    ) : (
      <figure className={styles.transcript}>
        <figcaption className={styles.title}>
          {transcript.editedBy === undefined ? texts.transcript : texts.correctedTranscript}
          {mayEdit ? (
            <IconButton icon="edit" label={texts.editTranscript} onClick={() => setEditing(true)} />
          ) : undefined}
        </figcaption>
        {transcript.text === "" ? <span>{texts.noSpeech}</span> : <PlainText text={transcript.text} />}
      </figure>
    );
  return (
    <>
      {transcript?.error === undefined ? undefined : (
        <p className={styles.title}>{toVisible(texts.notTranscribed(transcript.error.message))}</p>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {mayTranscribe && me?.transcribes === true ? (
        <Button size="small" isBusy={submission.isBusy} className={styles.make} onClick={() => observe(transcribe())}>
          {texts.transcribe}
        </Button>
      ) : undefined}
    </>
  );
};

interface TranscriptFormProps {
  readonly attachment: string;
  readonly text: string;
  /** Called with the saved transcript, or with undefined after a cancel. */
  readonly onDone: (transcript: AttachedTranscript | undefined) => void;
}

const TranscriptForm = ({ attachment, text, onDone }: TranscriptFormProps) => {
  const { client } = useUi();
  const { room } = useRoomView();
  const submission = useSubmission();
  const [newText, setNewText] = useState(text);
  const save = () =>
    submission.run(async () =>
      onDone(await (await client.voice()).editTranscript(room.id, attachment, { text: newText })),
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        observe(save());
      }}
    >
      <TextArea
        rows={2}
        dir="auto"
        autoFocus
        aria-label={texts.transcript}
        value={newText}
        onChange={(event) => setNewText(event.target.value)}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button size="small" onClick={() => onDone(undefined)}>
          {texts.cancel}
        </Button>
        <Button size="small" kind="primary" type="submit" isBusy={submission.isBusy} disabled={newText.trim() === ""}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
};
