/**
 * Buttons that log in through the OpenID Connect providers of the house. Renders nothing without a
 * provider.
 */
import { useCallback } from "react";
import { Button } from "../design/button.tsx";
import { useRequest } from "../house/request.ts";
import { useUi } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import styles from "./login-page.module.css";
import * as texts from "./text.ts";

export const ProviderButtons = () => {
  const { client, page } = useUi();
  const { value = [] } = useRequest(useCallback(async () => (await client.identities()).providers(), [client]));
  if (value.length === 0) return undefined;
  return (
    <div className={styles.form}>
      {value.map(({ name, label }) => (
        <Button
          key={name}
          onClick={() => page.open(`/api/login/oidc/${name}?to=${encodeURIComponent(page.currentPath())}`)}
        >
          {texts.logInWith(toVisible(label))}
        </Button>
      ))}
    </div>
  );
};
