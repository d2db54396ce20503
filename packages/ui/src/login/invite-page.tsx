/**
 * The page of an invite link, for a person without an account. The token stays behind `#` until the
 * link is used, so that a reload continues.
 */
import type { AcceptedInvite, InvitePreview } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link, Redirect } from "wouter";
import { useLocationProperty } from "wouter/use-browser-location";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { useRequest } from "../house/request.ts";
import { roomPath } from "../house/paths.ts";
import { useTitle } from "../house/title.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { formatList } from "../language/locale.ts";
import { toVisible } from "../text/visible.tsx";
import { Frame } from "./frame.tsx";
import { JoinForm, type JoinFormProps } from "./join-form.tsx";
import * as texts from "./text.ts";

export interface InvitePageProps {
  /** The path of the start page. */
  readonly home: string;
  /** Called before the start page is shown, with the path of the guest's room. */
  readonly onRoom: (path: string) => void;
}

export const InvitePage = ({ home, onRoom }: InvitePageProps) => {
  const { page, house } = useUi();
  const { state, me } = useHouse();
  const token = useLocationProperty(page.fragment, page.fragment);
  const [hasJoined, setJoined] = useState(false);
  useTitle(texts.invitation);
  const finishJoining = ({ room }: AcceptedInvite): void => {
    setJoined(true);
    if (room !== undefined) onRoom(roomPath(room));
    house.refresh();
  };
  // The redirect removes the used token from the address.
  if (hasJoined && state.kind === "ready") return <Redirect to={home} replace />;
  if (hasJoined || state.kind === "loading") return <Spinner label={texts.loading} />;
  if (state.kind !== "ready" || me === undefined)
    return <Invitation key={token} home={home} token={token} onJoined={finishJoining} />;
  return (
    <Frame title={texts.alreadyLoggedIn(toVisible(me.agent.content.name))}>
      <p>{texts.invitedWhileLoggedIn}</p>
      <p>
        <Link href={home}>{texts.openHearth}</Link>
      </p>
    </Frame>
  );
};

interface InvitationProps extends JoinFormProps {
  /** The path of the start page. */
  readonly home: string;
}

const Invitation = ({ home, token, onJoined }: InvitationProps) => {
  const { client } = useUi();
  const preview = useRequest(useCallback(async () => (await client.invites()).preview({ token }), [client, token]));
  if (preview.error !== undefined)
    return (
      <Frame title={texts.linkDoesNotWork}>
        <ErrorNotice error={preview.error} />
        <p>
          <Link href={home}>{texts.openHearth}</Link>
        </p>
      </Frame>
    );
  if (preview.value === undefined) return <Spinner label={texts.loading} />;
  return (
    <Frame title={texts.joinHouse(toVisible(preview.value.house))}>
      <p>{describeOffer(preview.value)}</p>
      <JoinForm token={token} onJoined={onJoined} />
    </Frame>
  );
};

export const describeOffer = ({ by, level, rooms }: InvitePreview): string => {
  const [inviter, roleName] = [toVisible(by), texts.roleNames[level]];
  return rooms === undefined
    ? texts.invitedToHouse(inviter, roleName)
    : texts.invitedToRooms(inviter, roleName, formatList(rooms.map((room) => toVisible(room))));
};
