/** The files of a room's messages, newest first. */
import type { RoomFile, RoomRecord } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { ChoiceGroup } from "../../../design/choice.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Icon } from "../../../design/icon.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { messagePath } from "../../../house/paths.ts";
import { roomTitle } from "../../../house/room-title.ts";
import { useHouse, useUi } from "../../../house/ui.tsx";
import { showSize } from "../../../language/text.ts";
import { toVisible } from "../../../text/visible.tsx";
import { attachmentUrl, pictureOf, chooseShownUrl } from "../../files/picture.ts";
import { nameAgent } from "../../room-view.tsx";
import styles from "./files-dialog.module.css";
import * as texts from "./text.ts";

export interface FilesDialogProps {
  readonly room: RoomRecord;
  readonly onClose: () => void;
}

const SENDERS = [
  { value: "all", title: texts.allFiles },
  { value: "agents", title: texts.agentFiles },
] as const;
type Senders = (typeof SENDERS)[number]["value"];

export const FilesDialog = ({ room, onClose }: FilesDialogProps) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const [senders, setSenders] = useState<Senders>("all");
  const request = useRequest(useCallback(async () => (await client.uploads()).list(room.id), [client, room.id]));
  const isShown = ({ by }: RoomFile): boolean => senders === "all" || agents.get(by)?.content.kind === "bot";
  return (
    <Dialog title={texts.filesOf(roomTitle(room))} isOpen onClose={onClose}>
      <ChoiceGroup label={texts.senders} choices={SENDERS} value={senders} onChange={setSenders} />
      <RequestView request={request}>
        {({ files, isComplete }) => {
          const shownFiles = files.filter(isShown);
          return (
            <>
              {shownFiles.length === 0 ? <p>{texts.noFiles}</p> : undefined}
              <ul className={styles.files} aria-label={texts.files}>
                {shownFiles.map((file) => (
                  <FileRow key={`${file.message} ${file.id}`} room={room} file={file} onLeave={onClose} />
                ))}
              </ul>
              {isComplete ? undefined : <p>{texts.onlyNewest(String(files.length))}</p>}
            </>
          );
        }}
      </RequestView>
    </Dialog>
  );
};

interface FileRowProps {
  readonly room: RoomRecord;
  readonly file: RoomFile;
  /** Called when the user opens the message. */
  readonly onLeave: () => void;
}

const FileRow = ({ room, file, onLeave }: FileRowProps) => {
  const { agents } = useHouse();
  const name = toVisible(file.name);
  return (
    <li className={styles.file}>
      {pictureOf(room.id, file) === undefined ? (
        <Icon name="file" />
      ) : (
        <img src={chooseShownUrl(room.id, file)} alt="" loading="lazy" decoding="async" className={styles.small} />
      )}
      <span className={styles.words}>
        <a href={attachmentUrl(room.id, file.id)} download={file.name} aria-label={texts.downloadFile(name)}>
          <bdi>{name}</bdi>
        </a>
        <span className={styles.facts}>{texts.factsOfFile(nameAgent(agents, file.by), showSize(file.sizeBytes))}</span>
      </span>
      <Link href={messagePath(room.handle, file.offset)} onClick={onLeave} aria-label={texts.showMessageOf(name)}>
        {texts.showMessage}
      </Link>
    </li>
  );
};
