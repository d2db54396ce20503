/** The files of the message that is being written. Their list survives reloads, like the text. */
import type { Storage, WaitingFile } from "@hearth/client";
import { HearthError, MAX_ATTACHMENTS, type RoomId } from "@hearth/protocol";
import { useMemo, useState } from "react";
import { useUi } from "../../house/ui.tsx";
import * as texts from "../text.ts";

export interface Files {
  readonly list: readonly WaitingFile[];
  /** Why a file could not be added. */
  readonly failure: unknown;
  /** Adds files. Resolves with whether all were added. */
  readonly add: (files: readonly File[]) => Promise<boolean>;
  readonly remove: (key: string) => void;
  /** Empties the list after a message has taken over its files. */
  readonly clear: () => void;
}

export const useFiles = (room: RoomId): Files => {
  const { storage, files } = useUi();
  const draft = useMemo(() => fileDraftOf(storage, room), [storage, room]);
  const [list, setList] = useState(draft.read);
  const [failure, setFailure] = useState<unknown>();

  const change = (update: (list: readonly WaitingFile[]) => readonly WaitingFile[]): void =>
    setList((previousFiles) => {
      const changedFiles = update(previousFiles);
      draft.write(changedFiles);
      return changedFiles;
    });

  return {
    list,
    failure,
    async add(newFiles) {
      setFailure(undefined);
      try {
        if (list.length + newFiles.length > MAX_ATTACHMENTS)
          throw new HearthError("request.invalid", texts.tooManyFiles(MAX_ATTACHMENTS));
        for (const file of newFiles) {
          const waitingFile = await files.add(file.name, file);
          change((previousFiles) => [...previousFiles, waitingFile]);
        }
        return true;
      } catch (error) {
        setFailure(error);
        return false;
      }
    },
    remove(key) {
      files.drop(key);
      change((previousFiles) => previousFiles.filter((file) => file.key !== key));
    },
    clear: () => change(() => []),
  };
};

/** Stores the list of a room's files in the browser. */
export const fileDraftOf = (storage: Storage, room: RoomId) => {
  const name = `draft-files:${room}`;
  return {
    read(): readonly WaitingFile[] {
      try {
        return (JSON.parse(storage.get(name) ?? "[]") as readonly WaitingFile[]).filter(isWaitingFile);
      } catch {
        return [];
      }
    },
    write(list: readonly WaitingFile[]): void {
      if (list.length === 0) return storage.remove(name);
      try {
        storage.set(name, JSON.stringify(list));
      } catch {
        // The storage is full, so the list lasts until the page closes.
      }
    },
  };
};

const isWaitingFile = (file: Partial<WaitingFile> | null): file is WaitingFile =>
  typeof file?.key === "string" && typeof file.name === "string" && typeof file.sizeBytes === "number";
