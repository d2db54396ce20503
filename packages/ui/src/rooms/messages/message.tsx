/** One message: author, time, text and actions. */
import { observe, type RoomMessage } from "@hearth/client";
import { type AgentId, includesLevel } from "@hearth/protocol";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Avatar } from "../../design/avatar.tsx";
import { classes } from "../../design/classes.ts";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { roomPath, runPath } from "../../house/paths.ts";
import { formatFull, formatTime, Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useLocation } from "wouter";
import { toVisible } from "../../text/visible.tsx";
import type { EditFormProps } from "../composer/edit/edit-form.tsx";
import { Attachments } from "../files/attachments.tsx";
import { BranchLine } from "./branch-line.tsx";
import { CitedText } from "./cited-text.tsx";
import { MessageButtons } from "./message-buttons.tsx";
import styles from "./message.module.css";
import { Quote } from "./quote.tsx";
import { Reactions } from "./reactions.tsx";
import type { MessageSpeechProps } from "./speech/message-speech.tsx";
import { nameAgent, useRoomView } from "../room-view.tsx";
import { SourcesLine } from "../runs/sources-line.tsx";
import { describeStopped } from "../runs/stopped-words.ts";
import { ToolLine } from "../runs/tool-line.tsx";
import * as texts from "../text.ts";

const EditForm = createLazyPart<EditFormProps>({
  load: async () => (await import("../composer/edit/edit-form.tsx")).EditForm,
  Fallback: ({ message }) => <p>{toVisible(message.text)}</p>,
});
const MessageSpeech = createLazyPart<MessageSpeechProps>({
  load: async () => (await import("./speech/message-speech.tsx")).MessageSpeech,
});

export interface MessageProps {
  readonly message: RoomMessage;
  /** Shows author and time. */
  readonly isGroupStart: boolean;
}

export const Message = ({ message, isGroupStart }: MessageProps) => {
  const { reader, room, me, level, agents, editedMessage, edit, compose, reply } = useRoomView();
  const article = useRef<HTMLElement>(null);
  const removal = useRemoval(message, article);
  const { id, author, at, text, isDeleted, job } = message;
  const isOwn = author === me && job === undefined;
  const canEdit = isOwn && includesLevel(level, "w");
  const canDelete = (author === me && includesLevel(level, "w")) || level === "x";
  const isEditing = editedMessage === id && canEdit && !isDeleted;
  const name = job === undefined ? nameAgent(agents, author) : texts.scheduledJob(toVisible(job));
  const canWrite = includesLevel(level, "w");
  const question = canWrite ? questionOf(message, reader.snapshot().messages, me) : undefined;
  const { onListen, player } = useSpeech(message);
  const onBranch = useBranch(message);
  const focusSelf = (): void => article.current?.focus({ preventScroll: true });

  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={`${isOwn ? texts.you : name}, ${formatTime(at)}`}
      className={classes(
        styles.message,
        isOwn && styles.own,
        job !== undefined && styles.job,
        isEditing && styles.editing,
      )}
    >
      {isGroupStart ? <Header message={message} name={isOwn ? undefined : name} /> : undefined}
      {message.replyTo === undefined || isDeleted ? undefined : <Quote replyTo={message.replyTo} />}
      {message.activation !== undefined && message.toolCalls > 0 && !isDeleted ? (
        <ToolLine activation={message.activation} agent={author} count={message.toolCalls} />
      ) : undefined}
      {isDeleted ? (
        <p className={styles.deleted}>{texts.messageDeleted}</p>
      ) : message.isDamaged ? (
        <p className={styles.deleted}>{text}</p>
      ) : isEditing ? (
        <EditForm message={message} onDone={focusSelf} />
      ) : (
        <div className={styles.body}>
          <MessageButtons
            text={text}
            reactTo={canWrite ? message : undefined}
            onReply={canWrite ? () => reply(id) : undefined}
            onListen={onListen}
            onReuse={isOwn && canWrite && text !== "" ? () => compose(text) : undefined}
            onAskAgain={question === undefined ? undefined : () => reader.send(question)}
            run={message.activation === undefined ? undefined : runPath(message.activation)}
            onBranch={canWrite ? onBranch : undefined}
            onEdit={canEdit ? () => edit(id) : undefined}
            onDelete={canDelete ? removal.openDialog : undefined}
            className={styles.buttons}
          />
          <Content message={message} player={player} />
        </div>
      )}
      <Reactions message={message} />
      {isDeleted ? undefined : <SourcesLine message={message} />}
      {message.isStopped && !isDeleted ? <p className={styles.stopped}>{describeStopped(name, room)}</p> : undefined}
      {removal.dialog}
      <BranchLine message={message} />
    </article>
  );
};

/** Author and time. `name` is undefined on the user's own messages. */
const Header = ({ message, name }: { readonly message: RoomMessage; readonly name: string | undefined }) => {
  const { agents } = useRoomView();
  const kind = agents.get(message.author)?.content.kind ?? "bot";
  return (
    <header className={styles.header}>
      {name === undefined ? undefined : (
        <>
          {message.job === undefined ? <Avatar name={name} kind={kind} size="small" /> : <Icon name="clock" />}
          <bdi className={styles.name}>{name}</bdi>
        </>
      )}
      <span className={styles.time}>
        <Time at={message.at} />
      </span>
    </header>
  );
};

/** Deletes the message after a confirmation. `dialog` shows the confirmation and an error. */
const useRemoval = ({ id, isDeleted }: RoomMessage, article: RefObject<HTMLElement | null>) => {
  const { reader } = useRoomView();
  const announce = useAnnounce();
  const [isConfirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const isRemoving = useRef(false);

  /** The focused button disappears with its message, so move the focus. */
  useLayoutEffect(() => {
    if (isDeleted && isRemoving.current) article.current?.focus({ preventScroll: true });
  }, [article, isDeleted]);

  const remove = async (): Promise<void> => {
    setConfirming(false);
    setFailure(undefined);
    isRemoving.current = true;
    try {
      await reader.remove(id);
    } catch (error) {
      isRemoving.current = false;
      setFailure(error);
      announce(texts.deletionFailed, "unseen");
    }
  };

  return {
    openDialog: () => setConfirming(true),
    dialog: (
      <>
        {failure === undefined ? undefined : <ErrorNotice error={failure} shape="line" />}
        <ConfirmDialog
          title={texts.deleteThisMessage}
          text={texts.deletionEffect}
          confirm={texts.deletion}
          isDanger
          isOpen={isConfirming}
          onConfirm={() => observe(remove())}
          onClose={() => setConfirming(false)}
        />
      </>
    ),
  };
};

/** Begins a chat that continues after the message, in a chat of two of which the user is a member. */
const useBranch = ({ id }: RoomMessage): (() => void) | undefined => {
  const { room, me } = useRoomView();
  const { client } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const { kind, members = [] } = room.content;
  if (kind !== "direct" || me === undefined || !members.includes(me)) return undefined;
  return () =>
    observe(
      client.rooms.branch(room.id, id).then(
        ({ handle }) => {
          navigate(roomPath(handle));
          announce(texts.branched);
        },
        () => announce(texts.branchingFailed),
      ),
    );
};

/**
 * The player of an agent's message, after the user chose to listen to it, or to all new replies. Only
 * in a house with a speech provider.
 */
const useSpeech = ({ id, author, text }: RoomMessage) => {
  const { room, agents, spokenReply, onSpeaking } = useRoomView();
  const { me } = useHouse();
  const [isPlayerShown, setPlayerShown] = useState(false);
  useEffect(() => {
    if (spokenReply !== id) return;
    setPlayerShown(true);
    onSpeaking();
  }, [spokenReply, id, onSpeaking]);
  if (me?.speaks !== true || agents.get(author)?.content.kind !== "bot" || text === "")
    return { onListen: undefined, player: undefined };
  return {
    onListen: () => setPlayerShown(true),
    player: isPlayerShown ? <MessageSpeech key={text} room={room.id} message={id} /> : undefined,
  };
};

/** Returns the user's message that this one answers, if it can be sent again unchanged. */
const questionOf = (
  { activation, causes }: RoomMessage,
  messages: readonly RoomMessage[],
  me: AgentId | undefined,
): string | undefined => {
  const cause = causes.length === 1 ? messages.findLast(({ id }) => id === causes[0]) : undefined;
  if (activation === undefined || cause === undefined || cause.author !== me || cause.job !== undefined)
    return undefined;
  return cause.isDeleted || cause.isDamaged || cause.attachments.length > 0 ? undefined : cause.text;
};

const Content = ({ message, player }: { readonly message: RoomMessage; readonly player: ReactNode }) => (
  <div className={styles.text}>
    {message.text === "" ? undefined : <CitedText message={message} />}
    <Attachments attachments={message.attachments} author={message.author} />
    {player}
    {message.editedAt === undefined ? undefined : (
      <span className={styles.edited} title={formatFull(message.editedAt)}>
        {texts.edited}
      </span>
    )}
  </div>
);
