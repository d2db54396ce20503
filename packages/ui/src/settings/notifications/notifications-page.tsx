/** Notifications of the current user: this device, all devices, rules, quiet hours and spoken replies. */
import type { PushState } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { DevicesSection } from "./devices-section.tsx";
import { PageNotifications } from "./page-notifications.tsx";
import { QuietSection } from "./quiet-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { SpokenSection } from "./spoken-section.tsx";
import { ThisDevice } from "./this-device.tsx";

export const NotificationsPage = () => {
  const { client, page } = useUi();
  const request = useRequest(
    useCallback(async () => {
      const browser = await page.push();
      const problem = browser.problem();
      const [state, isSubscribed] = await Promise.all([
        client.notifications().then(({ show }) => show()),
        problem === undefined ? browser.isSubscribed() : false,
      ]);
      return { browser, problem, state, isSubscribed };
    }, [client, page]),
  );
  const [changedState, setChangedState] = useState<PushState>();
  const { reload } = request;
  const refresh = useCallback((): void => {
    setChangedState(undefined);
    reload();
  }, [reload]);
  return (
    <RequestView request={request}>
      {({ browser, problem, state: loadedState, isSubscribed }) => {
        const state = changedState ?? loadedState;
        const isPushed = isSubscribed && state.devices.some(({ isThis }) => isThis);
        return (
          <>
            <ThisDevice
              browser={browser}
              problem={problem}
              isOn={isPushed}
              devices={state.devices}
              onChange={refresh}
            />
            <PageNotifications browser={browser} hasPush={isPushed} />
            <DevicesSection state={state} onChange={setChangedState} />
            <RulesSection state={state} onChange={setChangedState} />
            <QuietSection state={state} onChange={setChangedState} />
            <SpokenSection />
          </>
        );
      }}
    </RequestView>
  );
};
