/** The text of an attached document, one part at a time. The browser never loads the document. */
import { useCallback, useState } from "react";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useUi } from "../../../house/ui.tsx";
import { Markdown } from "../../../text/markdown.tsx";
import { toVisible } from "../../../text/visible.tsx";
import { useRoomView } from "../../room-view.tsx";
import * as texts from "./text.ts";
import styles from "../files.module.css";

export interface DocumentDialogProps {
  readonly file: string;
  /** Undefined until the message of the file is loaded. */
  readonly name: string | undefined;
  /** The part that is shown first. Undefined: the first part of the document. */
  readonly place: string | undefined;
  readonly onClose: () => void;
}

export const DocumentDialog = ({ file, name, place: firstPlace, onClose }: DocumentDialogProps) => {
  const { client } = useUi();
  const { room } = useRoomView();
  const [place, setPlace] = useState(firstPlace);
  /** Stays true while another part is requested, so that the buttons stay. */
  const [hasParts, setHasParts] = useState(false);
  const request = useRequest(
    useCallback(async () => {
      const part = await (await client.uploads()).text(room.id, file, place === undefined ? {} : { place });
      setHasParts(part.previous !== undefined || part.next !== undefined);
      return part;
    }, [client, room.id, file, place]),
  );
  const { previous, next } = request.value ?? {};
  const title = name === undefined ? texts.document : toVisible(name);
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      buttons={
        !hasParts ? undefined : (
          <>
            <Button disabled={previous === undefined} onClick={() => setPlace(previous)}>
              {texts.previousPart}
            </Button>
            <Button disabled={next === undefined} onClick={() => setPlace(next)}>
              {texts.nextPart}
            </Button>
          </>
        )
      }
    >
      <RequestView request={request}>
        {({ text, place: partTitle = "", isCut, why = "" }) =>
          text === undefined ? (
            <p>{toVisible(texts.noDocumentText(why))}</p>
          ) : (
            <section aria-label={partTitle === "" ? texts.textOfDocument : toVisible(partTitle)} aria-live="polite">
              {partTitle === "" ? undefined : <h3 className={styles.place}>{toVisible(texts.titleOf(partTitle))}</h3>}
              {text === "" ? <p>{texts.noTextHere}</p> : <Markdown text={text} />}
              {isCut ? <p className={styles.facts}>{texts.textIsCut}</p> : undefined}
            </section>
          )
        }
      </RequestView>
    </Dialog>
  );
};
