/** The root of the UI: login, loading, and the page of each path. */
import { isHearthError } from "@hearth/protocol";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import type { InboxPageProps } from "../inbox/inbox-page.tsx";
import { Announcer, useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { describeError } from "../design/error-words.ts";
import { ErrorNotice } from "../design/notice.tsx";
import { mayAdministerHome } from "../house/may.ts";
import { createLazyPart } from "../house/lazy-part.tsx";
import {
  AUTOMATIONS,
  DESIGN,
  HOME,
  INBOX,
  INVITE,
  MOVED_PATHS,
  NEW_CHAT,
  PAIR,
  RESTORE,
  SEARCH,
} from "../house/paths.ts";
import { useTitle } from "../house/title.ts";
import { type Ui, UiProvider, useHouse, useUi } from "../house/ui.tsx";
import type { InvitePageProps } from "../login/invite-page.tsx";
import type { LoginPageProps } from "../login/login-page.tsx";
import type { RunPageProps } from "../runs/run-page.tsx";
import { Boundary } from "./boundary.tsx";
import { Connecting } from "./connecting.tsx";
import { HomeRoute, NewChatRoute } from "./home-route.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";
import { NotFound } from "./not-found.tsx";
import { rememberReturnPath } from "./places.ts";
import { RoomRoute } from "./room-route.tsx";
import { Shell } from "./shell.tsx";
import * as texts from "./text.ts";

/** Base path of the UI. */
const BASE = "/ui";

const AutomationsPage = createLazyPart({
  load: async () => (await import("../jobs/automations-page.tsx")).AutomationsPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const BrainPage = createLazyPart({
  load: async () => (await import("../brain/brain-page.tsx")).BrainPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const ConfirmLogin = createLazyPart({
  load: async () => (await import("../login/confirm-login.tsx")).ConfirmLogin,
  Wrapper: ({ children }) => <ConfirmationFailed>{children}</ConfirmationFailed>,
});
const InvitePage = createLazyPart<InvitePageProps>({
  load: async () => (await import("../login/invite-page.tsx")).InvitePage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const InboxPage = createLazyPart<InboxPageProps>({
  load: async () => (await import("../inbox/inbox-page.tsx")).InboxPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const LoginPage = createLazyPart<LoginPageProps>({
  load: async () => (await import("../login/login-page.tsx")).LoginPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const PairPage = createLazyPart<{ readonly home: string }>({
  load: async () => (await import("../login/pair-page.tsx")).PairPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const RestorePage = createLazyPart({
  load: async () => (await import("../restore/page/restore-page.tsx")).RestorePage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const RunPage = createLazyPart<RunPageProps>({
  load: async () => (await import("../runs/run-page.tsx")).RunPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const SettingsPage = createLazyPart({
  load: async () => (await import("../settings/settings-page.tsx")).SettingsPage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const ShowcasePage = createLazyPart({
  load: async () => (await import("../showcase/showcase-page.tsx")).ShowcasePage,
  Fallback: Loading,
  Wrapper: MessagePage,
});
const WelcomePage = createLazyPart({
  load: async () => (await import("../welcome/welcome-page.tsx")).WelcomePage,
  Fallback: Loading,
  Wrapper: MessagePage,
});

export const App = ({ ui }: { readonly ui: Ui }) => (
  <UiProvider value={ui}>
    <Boundary place={BASE} reload={ui.page.reload}>
      <Announcer sleep={ui.clock.sleep}>
        <Failures />
        <Router base={BASE}>
          <SessionGate />
          <Confirmation />
        </Router>
      </Announcer>
    </Boundary>
  </UiProvider>
);

/** Announces errors that no page handled. The browser's console has their details. */
const Failures = () => {
  const { page } = useUi();
  const announce = useAnnounce();
  useEffect(
    () =>
      page.onFailure((error) => announce(isHearthError(error) ? describeError(error).title : texts.unexpectedError)),
    [page, announce],
  );
  return undefined;
};

/** Shown if the dialog cannot be loaded. */
const ConfirmationFailed = ({ children }: { readonly children: ReactNode }) => {
  const { confirmation } = useUi();
  return (
    <Dialog title={texts.couldNotLoad} isOpen onClose={() => confirmation.resolve(false)}>
      {children}
    </Dialog>
  );
};

const Confirmation = () => {
  const { confirmation } = useUi();
  const { onChange, isOpen } = confirmation;
  return useSyncExternalStore(onChange, isOpen, isOpen) ? <ConfirmLogin /> : undefined;
};

export const SessionGate = () => {
  const { house, storage } = useUi();
  const { state } = useHouse();
  const [currentPath] = useLocation();
  // Invite and login links also work without a session.
  if (currentPath === INVITE && state.kind !== "failed")
    return <InvitePage home={HOME} onRoom={(path) => rememberReturnPath(storage, path)} />;
  if (currentPath === PAIR && state.kind !== "failed") return <PairPage home={HOME} />;
  switch (state.kind) {
    case "loading":
      return <Connecting />;
    case "logged-out":
      return <LoggedOut error={state.error} />;
    case "failed":
      return (
        <main>
          <MessagePage title={texts.couldNotLoad}>
            <ErrorNotice error={state.error} button={<Button onClick={house.refresh}>{texts.tryAgain}</Button>} />
          </MessagePage>
        </main>
      );
    case "ready":
      return <Pages />;
  }
};

const LoggedOut = ({ error }: LoginPageProps) => {
  const { storage } = useUi();
  const [currentPath] = useLocation();
  useTitle(texts.logInToHearth);
  useEffect(() => rememberReturnPath(storage, currentPath), [storage, currentPath]);
  return <LoginPage error={error} />;
};

/** Routes of app shortcuts. The shell opens the search for its route. */
const SHORTCUTS = (
  <>
    <Route path={SEARCH}>
      <Redirect to={HOME} replace />
    </Route>
    <Route path={NEW_CHAT} component={NewChatRoute} />
  </>
);

/** Each page has its own error boundary, so the navigation stays usable when a page crashes. */
const Pages = () => {
  const { page } = useUi();
  const { me, house } = useHouse();
  const [currentPath] = useLocation();
  // Only admins can complete the welcome.
  const isWelcoming = mayAdministerHome(me) && house?.id === me?.home;
  return (
    <Switch>
      <Route path="/welcome">
        {isWelcoming ? (
          <Boundary place={currentPath} reload={page.reload}>
            <TitledPage title={texts.welcomeToHearth}>
              <WelcomePage />
            </TitledPage>
          </Boundary>
        ) : (
          <Redirect to={HOME} replace />
        )}
      </Route>
      <Route>
        <Shell>
          <Boundary place={currentPath} reload={page.reload}>
            <Switch>
              <Route path={HOME} component={HomeRoute} />
              {SHORTCUTS}
              <Route path="/rooms/:room">{({ room }: { readonly room: string }) => <RoomRoute handle={room} />}</Route>
              <Route path={`${INBOX}/:wantedId?`}>
                {({ wantedId }: { readonly wantedId?: string }) => (
                  <TitledPage title={texts.inbox}>
                    <InboxPage wantedId={wantedId} />
                  </TitledPage>
                )}
              </Route>
              <Route path="/brain/*">
                <TitledPage title={texts.brain}>
                  <BrainPage />
                </TitledPage>
              </Route>
              <Route path={`${AUTOMATIONS}/*?`}>
                <TitledPage title={texts.automations}>
                  <AutomationsPage />
                </TitledPage>
              </Route>
              <Route path="/runs/:run">
                {({ run }: { readonly run: string }) => (
                  <TitledPage title={texts.run}>
                    <RunPage run={run} />
                  </TitledPage>
                )}
              </Route>
              <Route path="/settings/*?">
                <SettingsPage />
              </Route>
              {mayAdministerHome(me) ? (
                <Route path={RESTORE}>
                  <TitledPage title={texts.restoredHouse}>
                    <RestorePage />
                  </TitledPage>
                </Route>
              ) : undefined}
              <Route path={DESIGN} component={DesignRoute} />
              <Route component={Missing} />
            </Switch>
          </Boundary>
        </Shell>
      </Route>
    </Switch>
  );
};

const DesignRoute = () => (
  <TitledPage title={texts.design}>
    <ShowcasePage />
  </TitledPage>
);

/** Redirects from the former path of a page, and otherwise shows that the page does not exist. */
const Missing = () => {
  const [currentPath] = useLocation();
  const movedPath = MOVED_PATHS.find(([from]) => currentPath === from || currentPath.startsWith(`${from}/`));
  if (movedPath === undefined) return <NotFound />;
  const [from, to] = movedPath;
  return <Redirect to={to + currentPath.slice(from.length)} replace />;
};

const TitledPage = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  useTitle(title);
  return children;
};
