/**
 * Records a voice note and adds it to the message's files. A recording that a reload or another
 * page interrupted is added when the room is open again.
 */
import { observe } from "@hearth/client";
import type { RoomId } from "@hearth/protocol";
import { useEffect, useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { IconButton } from "../../design/button.tsx";
import type { Files } from "../files/use-files.ts";
import { useNow } from "../../house/time.tsx";
import type { Recording, Recordings } from "../../house/recordings.ts";
import { useUi } from "../../house/ui.tsx";
import * as texts from "../text.ts";
import styles from "./composer.module.css";

export interface RecordButtonProps {
  readonly room: RoomId;
  readonly files: Pick<Files, "add">;
  readonly onFailure: (error: unknown) => void;
}

/** Maximum length of a recording. It results in 19 MB of WAV, and transcribers accept 24 MB. */
const MAX_RECORDING_MS = 10 * 60_000;

type State = { readonly kind: "idle" | "starting" | "saving" } | { readonly kind: "recording"; readonly since: number };

export const RecordButton = (props: RecordButtonProps) => {
  const { recordings } = useUi();
  return recordings === undefined ? undefined : <Recorder {...props} recordings={recordings} />;
};

const Recorder = (props: RecorderProps) => {
  const { state, start, finish, discard } = useRecorder(props);
  if (state.kind !== "recording")
    return (
      <IconButton
        icon="microphone"
        label={state.kind === "saving" ? texts.savingRecording : texts.recordVoiceNote}
        disabled={state.kind !== "idle"}
        onClick={start}
      />
    );
  return (
    <>
      <IconButton icon="delete" label={texts.discardRecording} onClick={discard} />
      <ElapsedTime since={state.since} onMaxLength={finish} />
      <IconButton icon="check" label={texts.finishRecording} onClick={finish} />
    </>
  );
};

interface RecorderProps extends RecordButtonProps {
  readonly recordings: Recordings;
}

const useRecorder = ({ room, files, onFailure, recordings }: RecorderProps) => {
  const { clock, storage } = useUi();
  const announce = useAnnounce();
  const [state, setState] = useState<State>({ kind: "idle" });
  const key = `recording:${room}`;
  /** The recording in progress, which ends with this component. */
  const currentRecording = useRef<Recording>(undefined);

  const setIdle = (): void => {
    currentRecording.current = undefined;
    setState({ kind: "idle" });
  };
  /** Adds the recording to the files of the message, and only then removes it from this device's store. */
  const save = async (read: () => Promise<Blob | undefined>): Promise<void> => {
    setState({ kind: "saving" });
    try {
      const content = await read();
      const isAdded = content === undefined || (await files.add([new File([content], createFileName(clock.now()))]));
      if (isAdded) {
        await recordings.forget(key);
        storage.remove(key);
      }
      if (isAdded && content !== undefined) announce(texts.recordingAdded, "unseen");
    } catch (error) {
      onFailure(error);
    }
    setIdle();
  };
  const start = async (): Promise<void> => {
    setState({ kind: "starting" });
    onFailure(undefined);
    try {
      const recording = await recordings.start(key);
      storage.set(key, String(clock.now()));
      currentRecording.current = recording;
      setState({ kind: "recording", since: clock.now() });
      announce(texts.recordingStarted, "unseen");
    } catch (error) {
      onFailure(error);
      setIdle();
    }
  };
  const discard = async (): Promise<void> => {
    const recording = currentRecording.current;
    setIdle();
    storage.remove(key);
    await recording?.cancel();
    await recordings.forget(key);
  };
  const finish = async (): Promise<void> => {
    const recording = currentRecording.current;
    if (recording !== undefined) await save(recording.finish);
  };

  const initialSave = useRef(save);
  useEffect(() => {
    if (storage.get(key) !== undefined) observe(initialSave.current(() => recordings.recover(key)));
    return () => currentRecording.current?.stopAndKeep();
  }, [storage, recordings, key]);

  return {
    state,
    start: () => observe(start()),
    finish: () => observe(finish()),
    discard: () => observe(discard().catch(onFailure)),
  };
};

const SECOND_MS = 1000;

/** Shows the length of the recording, and ends it at the maximum length. */
const ElapsedTime = ({ since, onMaxLength }: { readonly since: number; readonly onMaxLength: () => void }) => {
  const elapsedMs = useNow(SECOND_MS) - since;
  const isMaxLength = elapsedMs >= MAX_RECORDING_MS;
  const endRecording = useRef(onMaxLength);
  useEffect(() => {
    if (isMaxLength) endRecording.current();
  }, [isMaxLength]);
  const seconds = Math.max(0, Math.floor(elapsedMs / SECOND_MS));
  return (
    <span className={styles.elapsed} role="timer" aria-label={texts.recordingLength}>
      {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}
    </span>
  );
};

/** Returns the file name of a recording, for example `voice-2026-11-28-1630.wav`. */
const createFileName = (at: number): string =>
  `voice-${new Date(at).toISOString().slice(0, 16).replace("T", "-").replace(":", "")}.wav`;
