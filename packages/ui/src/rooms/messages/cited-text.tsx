/** The text of a message, in which citations of attached documents are links. */
import type { RoomMessage } from "@hearth/client";
import { useMemo } from "react";
import { documentPath } from "../../house/paths.ts";
import { useHouse } from "../../house/ui.tsx";
import { CitationsProvider, type FindCited } from "../../text/citations.ts";
import { Markdown } from "../../text/markdown.tsx";

export const CitedText = ({ message: { text, citations } }: { readonly message: RoomMessage }) => {
  const { rooms } = useHouse();
  const find = useMemo((): FindCited => {
    const byAddress = new Map(citations.map((citation) => [citation.address, citation]));
    return (address) => {
      const citation = byAddress.get(address);
      if (citation === undefined) return undefined;
      const { room, file: id, name, place } = citation;
      const handle = rooms.find((entry) => entry.room.id === room)?.room.handle ?? room;
      return { path: documentPath(handle, { id, ...(place === undefined ? {} : { place }) }), name };
    };
  }, [citations, rooms]);
  return (
    <CitationsProvider value={find}>
      <Markdown text={text} />
    </CitationsProvider>
  );
};
