/** Before the house has answered for the first time. */
import { Button } from "../design/button.tsx";
import { Spinner } from "../design/spinner.tsx";
import { Command } from "../house/command.tsx";
import { useLasting } from "../house/lasting.ts";
import { useUi } from "../house/ui.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";

/** By then it is no slow line: nothing answers. */
const LONG_MS = 4000;

export const Entering = () => {
  const { house } = useUi();
  const isLong = useLasting(true, LONG_MS);
  return <main>{isLong ? <NoAnswer onTry={house.refresh} /> : <Loading />}</main>;
};

export const NoAnswer = ({ onTry }: { readonly onTry: () => void }) => (
  <MessagePage title="Hearth does not answer">
    <p>
      It may be starting, or it is stopped. This page goes on trying. To start it, run this where Hearth is installed:
    </p>
    <Command text="hearth up" />
    <Spinner label="Trying" />
    <Button onClick={onTry}>Try now</Button>
  </MessagePage>
);
