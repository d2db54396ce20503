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

interface ShownDocument {
  readonly file: string;
  readonly place: string | undefined;
}

export const OpenDocument = ({ messages }: Pick<RoomSnapshot, "messages">) => {
  const [currentPath, navigate] = useLocation();
  const search = useSearch();
  const [shownDocument, setShownDocument] = useState<ShownDocument>();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const file = query.get("file");
    if (file === null) return;
    setShownDocument({ file, place: query.get("place") ?? undefined });
    // The timeline removes the message from the address once it is shown.
    if (!query.has("message")) navigate(currentPath, { replace: true });
  }, [search, navigate, currentPath]);
  if (shownDocument === undefined) return undefined;
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  const name = attachments.find(({ id }) => id === shownDocument.file)?.name;
  return (
    <DocumentDialog
      key={`${shownDocument.file} ${shownDocument.place ?? ""}`}
      file={shownDocument.file}
      name={name}
      place={shownDocument.place}
      onClose={() => setShownDocument(undefined)}
    />
  );
};
