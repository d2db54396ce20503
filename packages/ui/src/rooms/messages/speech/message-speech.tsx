/** Plays a message as speech. Loaded when the user first listens to a message. */
import type { EventId, RoomId } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { Spinner } from "../../../design/spinner.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useUi } from "../../../house/ui.tsx";
import * as texts from "./text.ts";
import styles from "./message-speech.module.css";

export interface MessageSpeechProps {
  readonly room: RoomId;
  readonly message: EventId;
}

/** Fetches the audio before it plays it, because an audio element does not report why a request failed. */
export const MessageSpeech = ({ room, message }: MessageSpeechProps) => {
  const { client } = useUi();
  const request = useRequest(
    useCallback(async () => (await (await client.voice()).speech(room, message)).blob(), [client, room, message]),
  );
  if (request.value === undefined && request.error === undefined) return <Spinner label={texts.preparingSpeech} />;
  return <RequestView request={request}>{(audio) => <Player audio={audio} />}</RequestView>;
};

const Player = ({ audio }: { readonly audio: Blob }) => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const audioUrl = URL.createObjectURL(audio);
    setUrl(audioUrl);
    return () => URL.revokeObjectURL(audioUrl);
  }, [audio]);
  return url === undefined ? undefined : (
    <audio className={styles.player} src={url} aria-label={texts.spokenMessage} controls autoPlay />
  );
};
