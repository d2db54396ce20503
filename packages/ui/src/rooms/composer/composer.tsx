/** The message composer. Typed text is stored on this device until it is sent. */
import { observe, type RoomSnapshot } from "@hearth/client";
import type { RoomId } from "@hearth/protocol";
import {
  type DragEvent,
  type KeyboardEvent,
  type ClipboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { IconButton } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { TextArea } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { type Files, useFiles } from "../files/use-files.ts";
import { WaitingFiles } from "../files/waiting-files.tsx";
import { useHasLasted } from "../../house/lasting.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { joinTexts, meaningOf, noteOf, toMessageText, warnOfLength } from "./composer-rules.ts";
import styles from "./composer.module.css";
import { draftOf } from "./draft.ts";
import { isCoarse, toPressedKey } from "./keyboard.ts";
import { useMentions } from "./mentions.tsx";
import { botsOf, partnerOf } from "../participants.ts";
import { nameAgent, useRoomView } from "../room-view.tsx";
import { RecordButton } from "./record-button.tsx";
import { ReplyBar } from "./reply-bar.tsx";
import { SuggestionList } from "./suggestions.tsx";
import { useCommands } from "./use-commands.tsx";
import * as texts from "../text.ts";

export interface ComposerHandle {
  /** Appends text and moves the cursor to its end. */
  readonly add: (text: string) => void;
  readonly focus: () => void;
}

export interface ComposerProps {
  readonly snapshot: RoomSnapshot;
  readonly ref?: Ref<ComposerHandle>;
}

/** How long a connection must be lost before the composer says so. */
const RECONNECT_GRACE_MS = 2000;

export const Composer = ({ snapshot, ref }: ComposerProps) => {
  const { room, replyingTo, reply } = useRoomView();
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [otherFailure, setOtherFailure] = useState<unknown>();
  const { stoppableRuns, stop, failure } = useStop(snapshot);
  const editLast = useEditLast(snapshot);
  const noteId = useId();
  const { text, change, files, warning, isEmpty, send } = useMessage(area);
  const isOffline = useHasLasted(snapshot.state.kind === "ready" && !snapshot.isCurrent, RECONNECT_GRACE_MS);
  const note = noteOf(warning, isOffline);
  const { label, placeholder } = useLabels();

  const mentions = useMentions(area, text, change);
  const attach = (): void => picker.current?.click();
  const commands = useCommands({ text, change, attach, onFailure: setOtherFailure });
  const suggestions = commands.items.length > 0 ? commands : mentions.suggestions;
  useAddedText({ ref, area, text, change });
  useInitialFocus(area);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!suggestions.onKeyDown(event))
      handleKey(event, { text, isRunning: stoppableRuns.length > 0 }, { send, stop, edit: editLast });
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Failures errors={[failure, otherFailure, files.failure]} />
      <SuggestionList suggestions={suggestions} />
      {replyingTo === undefined ? undefined : <ReplyBar replyTo={replyingTo} onRemove={() => reply(undefined)} />}
      <WaitingFiles files={files.list} onRemove={files.remove} />
      <div className={styles.box} {...dropTarget(files)}>
        <FilePicker ref={picker} files={files} />
        <RecordButton key={room.id} room={room.id} files={files} onFailure={setOtherFailure} />
        <TextArea
          ref={area}
          id="composer"
          rows={1}
          dir="auto"
          aria-label={label}
          placeholder={placeholder}
          describedBy={note === undefined ? undefined : noteId}
          isInvalid={warning?.isTooLong}
          className={styles.area}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          {...createPasteTarget(files)}
          onSelect={mentions.onSelect}
          aria-autocomplete="list"
          {...suggestions.attributes}
        />
        {isEmpty && snapshot.live.length > 0 ? (
          <StopButton isSingle={snapshot.live.length === 1} isStopping={stoppableRuns.length === 0} onStop={stop} />
        ) : (
          <SendButton isEmpty={isEmpty} />
        )}
      </div>
      <Note id={noteId} isTooLong={warning?.isTooLong === true}>
        {note}
      </Note>
    </form>
  );
};

/** Returns the message that is being written, and a function that sends it. */
const useMessage = (area: RefObject<HTMLTextAreaElement | null>) => {
  const { reader, room, replyingTo, reply } = useRoomView();
  const announce = useAnnounce();
  const [text, change] = useDraft(room.id);
  const files = useFiles(room.id);
  const warning = warnOfLength(text);
  const isEmpty = toMessageText(text) === "" && files.list.length === 0;
  const send = (): void => {
    area.current?.focus();
    if (isEmpty) return;
    if (warning?.isTooLong === true) return announce(warning.words, "unseen");
    const reference = replyingTo === undefined ? {} : { replyTo: replyingTo };
    reader.send(toMessageText(text), { files: files.list, ...reference });
    files.clear();
    change("");
    if (replyingTo !== undefined) reply(undefined);
  };
  return { text, change, files, warning, isEmpty, send };
};

/** Returns the accessible name of the text area, and its placeholder. */
const useLabels = (): { readonly label: string; readonly placeholder: string } => {
  const { room, agents } = useRoomView();
  const label = texts.messageTo(toVisible(partnerOf(room, agents)?.content.name ?? room.content.name));
  const hasHint = room.content.kind === "group" && botsOf(room, agents).length > 0;
  return { label, placeholder: hasHint ? texts.withMentionHint(label) : label };
};

const Failures = ({ errors }: { readonly errors: readonly unknown[] }) =>
  errors.map((error, index) => (error === undefined ? undefined : <ErrorNotice key={index} error={error} />));

interface NoteProps {
  readonly id: string;
  readonly isTooLong: boolean;
  readonly children: ReactNode;
}

const Note = ({ id, isTooLong, children }: NoteProps) => (
  <p id={id} className={classes(styles.note, isTooLong && styles.tooLong)}>
    {children}
  </p>
);

const SendButton = ({ isEmpty }: { readonly isEmpty: boolean }) => (
  <IconButton
    icon="send"
    label={texts.send}
    type="submit"
    disabled={isEmpty}
    className={classes(styles.send, !isEmpty && styles.ready)}
  />
);

interface StopButtonProps {
  /** Whether only one run is in progress. */
  readonly isSingle: boolean;
  readonly isStopping: boolean;
  readonly onStop: () => Promise<void>;
}

/** Takes the place of the send button while agents answer and the composer is empty. */
const StopButton = ({ isSingle, isStopping, onStop }: StopButtonProps) => {
  const { focusComposer } = useRoomView();
  const label = isSingle ? texts.stop : texts.stopAll;
  return (
    <IconButton
      icon="stop"
      label={label}
      title={texts.withEscape(label)}
      aria-disabled={isStopping}
      className={classes(styles.send, !isStopping && styles.ready)}
      onClick={({ detail }) => {
        // The second press of a double click on "Send" must not stop the run that the first one started.
        if (isStopping || detail > 1) return;
        focusComposer();
        observe(onStop());
      }}
    />
  );
};

interface Actions {
  readonly send: () => void;
  readonly stop: () => Promise<void>;
  /** Opens the user's last message for editing. */
  readonly edit: () => void;
}

/** Performs the action of a key press. Keys without an action are left to the browser. */
const handleKey = (
  event: KeyboardEvent<HTMLTextAreaElement>,
  state: { readonly text: string; readonly isRunning: boolean },
  { send, stop, edit }: Actions,
): void => {
  const meaning = meaningOf(toPressedKey(event), { ...state, isCoarse: isCoarse(event.currentTarget) });
  if (meaning === undefined) return;
  event.preventDefault();
  if (meaning === "send") send();
  else if (meaning === "stop") observe(stop());
  else edit();
};

/** Returns the typed text, which is stored on this device, and a function that changes it. */
const useDraft = (room: RoomId): readonly [string, (text: string) => void] => {
  const { storage } = useUi();
  const draft = useMemo(() => draftOf(storage, room), [storage, room]);
  const [text, setText] = useState(() => draft.read() ?? "");
  const change = (newText: string): void => {
    setText(newText);
    draft.write(newText);
  };
  return [text, change];
};

/**
 * Focuses the composer when the room opens, except on touch screens, where a keyboard would cover
 * the messages.
 */
const useInitialFocus = (area: RefObject<HTMLTextAreaElement | null>): void => {
  useEffect(() => {
    if (area.current !== null && !isCoarse(area.current)) focusEnd(area.current);
  }, [area]);
};

/** Stops the runs that are in progress in the room. */
const useStop = ({ live }: RoomSnapshot) => {
  const { reader, agents } = useRoomView();
  const announce = useAnnounce();
  const [failure, setFailure] = useState<unknown>();
  const stoppableRuns = live.filter((activation) => !activation.isStopping);
  const stop = async (): Promise<void> => {
    setFailure(undefined);
    announce(texts.stoppingAgents(stoppableRuns.map(({ agent }) => nameAgent(agents, agent)).join(", ")), "unseen");
    try {
      await Promise.all(stoppableRuns.map(({ id }) => reader.stop(id)));
    } catch (error) {
      setFailure(error);
    }
  };
  return { stoppableRuns, stop, failure };
};

/** Opens the user's last message for editing. */
const useEditLast = ({ messages }: RoomSnapshot): (() => void) => {
  const { me, edit } = useRoomView();
  return () => {
    const lastMessage = messages.findLast((message) => message.author === me && !message.isDeleted);
    if (lastMessage !== undefined) edit(lastMessage.id);
  };
};

const focusEnd = (area: HTMLTextAreaElement | null): void => {
  if (area === null) return;
  area.focus({ preventScroll: true });
  area.setSelectionRange(area.value.length, area.value.length);
};

/** The button that attaches files. On a phone, the system offers the camera too. */
const FilePicker = ({ ref, files }: { readonly ref: RefObject<HTMLInputElement | null>; readonly files: Files }) => (
  <>
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      onChange={({ target }) => {
        observe(files.add([...(target.files ?? [])]));
        // Lets the user choose the same file again.
        target.value = "";
      }}
    />
    <IconButton icon="attach" label={texts.attachFiles} onClick={() => ref.current?.click()} />
  </>
);

/** Attaches pasted files. The browser handles other content, such as text. */
const createPasteTarget = ({ add }: Files) => ({
  onPaste(event: ClipboardEvent<HTMLTextAreaElement>): void {
    const pastedFiles = [...event.clipboardData.files];
    if (pastedFiles.length === 0) return;
    event.preventDefault();
    observe(add(pastedFiles));
  },
});

const dropTarget = ({ add }: Files) => ({
  onDragOver(event: DragEvent<HTMLElement>) {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  },
  onDrop(event: DragEvent<HTMLElement>) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    observe(add([...event.dataTransfer.files]));
  },
});

interface AddedTextOptions {
  readonly ref: Ref<ComposerHandle> | undefined;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly change: (text: string) => void;
}

/** Lets other parts of the room add text, and moves the cursor to its end. */
const useAddedText = ({ ref, area, text, change }: AddedTextOptions): void => {
  const isAdding = useRef(false);
  useImperativeHandle(ref, () => ({
    add(addedText) {
      isAdding.current = true;
      change(joinTexts(text, addedText));
    },
    focus: () => area.current?.focus(),
  }));
  useLayoutEffect(() => {
    if (isAdding.current) focusEnd(area.current);
    isAdding.current = false;
  }, [area, text]);
};
