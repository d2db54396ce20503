/** Shown before the first answer of the house. */
import { Button } from "../design/button.tsx";
import { Spinner } from "../design/spinner.tsx";
import { Command } from "../house/command.tsx";
import { useLasting } from "../house/lasting.ts";
import { useUi } from "../house/ui.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";

/** After this time the house is considered unreachable. */
const LONG_MS = 4000;

export const Entering = () => {
  const { house } = useUi();
  const isLong = useLasting(true, LONG_MS);
  return <main>{isLong ? <NoAnswer onTry={house.refresh} /> : <Loading />}</main>;
};

export const NoAnswer = ({ onTry }: { readonly onTry: () => void }) => (
  <MessagePage title="Hearth does not answer">
    <p>It may be starting or stopped. This page keeps trying. To start Hearth, run this command on the server:</p>
    <Command text="hearth up" />
    <Spinner label="Connecting" />
    <Button onClick={onTry}>Try now</Button>
  </MessagePage>
);
