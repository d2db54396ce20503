/** The text of a message: citations of attached documents are links, and images of attached pictures are shown. */
import type { RoomMessage } from "@hearth/client";
import { useMemo } from "react";
import { documentPath, sourcePath } from "../../house/paths.ts";
import { useHouse } from "../../house/ui.tsx";
import { CitationsProvider, type FindCitedPart } from "../../text/citations.ts";
import { Markdown } from "../../text/markdown.tsx";
import { type FindPicture, PicturesProvider } from "../../text/pictures.ts";
import { findSource, type FindSource, SourcesProvider } from "../../text/sources.ts";
import { findPicture } from "../files/picture.ts";
import { useRoomView } from "../room-view.tsx";

export const CitedText = ({ message }: { readonly message: RoomMessage }) => {
  const { text, citations, attachments, activation, label } = message;
  const { rooms } = useHouse();
  const { id: room } = useRoomView().room;
  const findCitation = useMemo((): FindCitedPart => {
    const byAddress = new Map(citations.map((citation) => [citation.address, citation]));
    return (address) => {
      const citation = byAddress.get(address);
      if (citation === undefined) return undefined;
      const { room, file: id, name, place } = citation;
      const handle = rooms.find((entry) => entry.room.id === room)?.room.handle ?? room;
      return { path: documentPath(handle, { id, ...(place === undefined ? {} : { place }) }), name };
    };
  }, [citations, rooms]);
  const findImage = useMemo(
    (): FindPicture => (address) => findPicture(room, attachments, address),
    [room, attachments],
  );
  const findReadSource = useMemo(
    (): FindSource => (address) => {
      const sources = label?.sources ?? [];
      const index = findSource(sources, address);
      const source = sources[index];
      if (activation === undefined || source === undefined) return undefined;
      return { number: index + 1, path: sourcePath(activation, source) };
    },
    [activation, label],
  );
  return (
    <CitationsProvider value={findCitation}>
      <SourcesProvider value={findReadSource}>
        <PicturesProvider value={findImage}>
          <Markdown text={text} />
        </PicturesProvider>
      </SourcesProvider>
    </CitationsProvider>
  );
};
