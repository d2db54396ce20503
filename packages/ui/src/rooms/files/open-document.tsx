/**
 * Opens the text of an attached document that the address names (`?file=ID&place=PLACE`), and removes
 * it from the address, so that a reload shows the room.
 */
import type { RoomSnapshot } from "@hearth/client";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { createLazyPart } from "../../house/lazy-part.tsx";
import type { DocumentDialogProps } from "./document/document-dialog.tsx";

const DocumentDialog = createLazyPart<DocumentDialogProps>({
  load: async () => (await import("./document/document-dialog.tsx")).DocumentDialog,
});

interface Opened {
  readonly file: string;
  readonly place: string | undefined;
}

export const OpenDocument = ({ messages }: Pick<RoomSnapshot, "messages">) => {
  const [here, go] = useLocation();
  const search = useSearch();
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const file = query.get("file");
    if (file === null) return;
    setOpened({ file, place: query.get("place") ?? undefined });
    // The timeline removes the message from the address once it is shown.
    if (!query.has("message")) go(here, { replace: true });
  }, [search, go, here]);
  if (opened === undefined) return undefined;
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  const name = attachments.find(({ id }) => id === opened.file)?.name;
  return (
    <DocumentDialog
      key={`${opened.file} ${opened.place ?? ""}`}
      file={opened.file}
      name={name}
      place={opened.place}
      onClose={() => setOpened(undefined)}
    />
  );
};
