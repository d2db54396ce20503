/**
 * Logs this device in with the code of a link. The user must press a button, so that a link alone
 * cannot log the device in.
 */
import { observe } from "@hearth/client";
import { useState } from "react";
import { Link, Redirect } from "wouter";
import { useLocationProperty } from "wouter/use-browser-location";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { useTitle } from "../house/title.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { toVisible } from "../text/visible.tsx";
import { CodeForm } from "./code-form.tsx";
import { Frame } from "./frame.tsx";
import * as texts from "./text.ts";

/** `home`: the path of the start page. */
export const PairPage = ({ home }: { readonly home: string }) => {
  const { client, house, page } = useUi();
  const { state, me } = useHouse();
  const code = useLocationProperty(page.fragment, page.fragment);
  const submission = useSubmission();
  const [isLoggedIn, setLoggedIn] = useState(false);
  const [ticket, setTicket] = useState<string>();
  useTitle(texts.logInOnThisDevice);
  const finishLogin = (): void => {
    setLoggedIn(true);
    house.refresh();
  };
  const logIn = async (): Promise<void> => {
    await submission.run(async () => {
      const answer = await client.logIn({ code });
      if ("ticket" in answer) setTicket(answer.ticket);
      else finishLogin();
    });
  };
  // The redirect removes the used code from the address.
  if (isLoggedIn && state.kind === "ready") return <Redirect to={home} replace />;
  if (isLoggedIn || state.kind === "loading") return <Spinner label={texts.loading} />;
  if (state.kind === "ready" && me !== undefined) {
    return (
      <Frame title={texts.alreadyLoggedIn(toVisible(me.agent.content.name))}>
        <p>{texts.alreadyLoggedInDetail}</p>
        <p>
          <Link href={home}>{texts.openHearth}</Link>
        </p>
      </Frame>
    );
  }
  if (ticket !== undefined) {
    return (
      <Frame title={texts.enterCode}>
        <CodeForm ticket={ticket} onLoggedIn={finishLogin} onCancel={() => setTicket(undefined)} />
      </Frame>
    );
  }
  return (
    <Frame title={texts.logInOnThisDevice}>
      <p>{texts.logInOnThisDeviceDetail}</p>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Button kind="primary" isBusy={submission.isBusy} onClick={() => observe(logIn())}>
        {texts.logIn}
      </Button>
    </Frame>
  );
};
