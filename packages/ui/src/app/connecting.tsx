/** Shown before the first answer of the house. */
import { Button } from "../design/button.tsx";
import { Spinner } from "../design/spinner.tsx";
import { Command } from "../house/command.tsx";
import { useLasting } from "../house/lasting.ts";
import { useOnline } from "../house/online.ts";
import { useUi } from "../house/ui.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

/** After this time the house is considered unreachable. */
const LONG_MS = 4000;

export const Connecting = () => {
  const { house } = useUi();
  const isOnline = useOnline();
  const isLong = useLasting(true, LONG_MS);
  if (!isOnline)
    return (
      <main>
        <Offline />
      </main>
    );
  return <main>{isLong ? <NoAnswer onTry={house.refresh} /> : <Loading />}</main>;
};

/** The app was opened from the files that the browser keeps. */
const Offline = () => (
  <MessagePage title={texts.offline}>
    <p>{texts.offlineDetail}</p>
  </MessagePage>
);

export const NoAnswer = ({ onTry }: { readonly onTry: () => void }) => (
  <MessagePage title={texts.noAnswer}>
    <p>{texts.noAnswerDetail}</p>
    <Spinner label={texts.connecting} />
    <Button onClick={onTry}>{texts.tryNow}</Button>
    <details>
      <summary>{texts.details}</summary>
      <p>{texts.startCommand}</p>
      <Command text="hearth up" />
    </details>
  </MessagePage>
);
