/** `/`: redirects to the user's start page. */
import { useCallback, useEffect, useState } from "react";
import { Link, Redirect } from "wouter";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { may } from "../house/may.ts";
import { HOME, roomPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useRequest } from "../house/request.ts";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";
import { findFirstAgent, findStartPage, forgetReturnPath } from "./places.ts";
import * as texts from "./text.ts";

export const HomeRoute = () => {
  const { storage } = useUi();
  const snapshot = useHouse();
  const [initialPage] = useState(() => findStartPage({ storage, ...snapshot }));
  // Redirects as soon as a room becomes accessible.
  const page = initialPage.kind === "nobody" ? findStartPage({ storage, ...snapshot }) : initialPage;
  useEffect(() => forgetReturnPath(storage), [storage]);
  switch (page.kind) {
    case "path":
      return <Redirect to={page.path} replace />;
    case "agent":
      return <DirectRoom agent={page.handle} />;
    case "nobody":
      return may(snapshot.me, "x", snapshot.house) ? (
        <MessagePage title={texts.noAgentsYet}>
          <p>{texts.houseHasNoAgents}</p>
          <p>
            <Link href="/settings/agents">{texts.createAgent}</Link>
          </p>
        </MessagePage>
      ) : (
        <MessagePage title={texts.noRoomsYet}>
          <p>{texts.noRoomsDetail}</p>
        </MessagePage>
      );
  }
};

/**
 * The "New chat" shortcut of the installed app. Redirects a person who may not create a chat to the
 * start page.
 */
export const NewChatRoute = () => {
  const snapshot = useHouse();
  const firstAgent = findFirstAgent(snapshot);
  if (firstAgent === undefined || !may(snapshot.me, "w", snapshot.house)) return <Redirect to={HOME} replace />;
  return <NewRoom agent={firstAgent.id} />;
};

const NewRoom = ({ agent }: { readonly agent: string }) => {
  const { client } = useUi();
  const createChat = useCallback(() => client.agents.newChat(agent), [client, agent]);
  return <OpenRoom open={createChat} />;
};

const DirectRoom = ({ agent }: { readonly agent: string }) => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const [archivedIds] = useState(() => new Set(rooms.flatMap(({ room, isArchived }) => (isArchived ? [room.id] : []))));
  const openRoom = useCallback(async () => {
    const room = await client.agents.room(agent);
    return archivedIds.has(room.id) ? client.agents.newChat(agent) : room;
  }, [client, agent, archivedIds]);
  return <OpenRoom open={openRoom} />;
};

/** Creates or finds a room, and then opens it. */
const OpenRoom = ({ open }: { readonly open: () => Promise<{ readonly handle: string }> }) => {
  const { value, error, reload } = useRequest(open);
  if (value !== undefined) return <Redirect to={roomPath(value.handle)} replace />;
  if (error === undefined) return <Loading />;
  return (
    <MessagePage>
      <ErrorNotice error={error} button={<Button onClick={reload}>{texts.tryAgain}</Button>} />
    </MessagePage>
  );
};
