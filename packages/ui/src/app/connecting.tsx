/** The page that is shown until the house first answers. */
import { Button } from "../design/button.tsx";
import { Spinner } from "../design/spinner.tsx";
import { useHasLasted } from "../house/lasting.ts";
import { useOnline } from "../house/online.ts";
import { useUi } from "../house/ui.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

/** How long the page waits before it says that the house does not answer. */
const NO_ANSWER_MS = 4000;

export const Connecting = () => {
  const { house } = useUi();
  const isOnline = useOnline();
  const isLong = useHasLasted(true, NO_ANSWER_MS);
  if (!isOnline)
    return (
      <main>
        <Offline />
      </main>
    );
  return <main>{isLong ? <NoAnswer onTry={house.refresh} /> : <Loading />}</main>;
};

/** Shown when the browser opens the app from its stored files without a network connection. */
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
  </MessagePage>
);
