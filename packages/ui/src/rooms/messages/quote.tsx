/** The message that another one answers, as one line that leads to it. */
import type { EventId } from "@hearth/protocol";
import { observe } from "@hearth/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { useRoom } from "../../house/ui.tsx";
import { nameAgent, useRoomView } from "../room-view.tsx";
import { toOneLine } from "../runs/tool-words.ts";
import styles from "./quote.module.css";
import * as texts from "../text.ts";
import { toVisible } from "../../text/visible.tsx";

const MAX_QUOTED_LENGTH = 120;

export const Quote = ({ replyTo }: { readonly replyTo: EventId }) => {
  const { reader } = useRoomView();
  const [path, navigate] = useLocation();
  const words = useQuotedWords(replyTo);
  const [isLoading, setLoading] = useState(false);
  const jump = async (): Promise<void> => {
    if (isLoading) return;
    setLoading(true);
    try {
      const offset = await findOffset(reader, replyTo);
      if (offset !== undefined) navigate(`${path}?message=${offset}`);
    } finally {
      setLoading(false);
    }
  };
  return (
    <button
      type="button"
      aria-label={texts.replyTo(words)}
      aria-busy={isLoading}
      className={styles.quote}
      onClick={() => observe(jump())}
    >
      <Icon name="reply" />
      <bdi>{words}</bdi>
    </button>
  );
};

/** Describes a message on one line: its author and its first words. */
export const useQuotedWords = (id: EventId): string => {
  const { reader, me, agents } = useRoomView();
  const message = useRoom(reader).messages.find((message) => message.id === id);
  if (message === undefined) return texts.earlierMessage;
  if (message.isDeleted) return texts.messageDeleted;
  const text = toVisible(toOneLine(message.text.slice(0, 4 * MAX_QUOTED_LENGTH), MAX_QUOTED_LENGTH));
  return texts.quoted(message.author === me ? texts.you : nameAgent(agents, message.author), text);
};

type Reader = ReturnType<typeof useRoomView>["reader"];

/** Returns the offset of a message. Loads older pages until the message is loaded. */
const findOffset = async (reader: Reader, id: EventId): Promise<number | undefined> => {
  for (;;) {
    const { messages, hasOlder } = reader.snapshot();
    const foundMessage = messages.find((message) => message.id === id);
    if (foundMessage !== undefined || !hasOlder) return foundMessage?.offset;
    const [firstMessage] = messages;
    await reader.loadOlder();
    // Another load was in progress, or no older page exists.
    if (reader.snapshot().messages[0] === firstMessage) return undefined;
  }
};
