import { Menu } from "@mantine/core";

import { Button } from "./button";
import { CodeIcon, CopyIcon, LinkIcon } from "./icons";
import { copyText } from "./parts";
import { toast } from "./toast";
import { curlText, graphqlText, pythonText, type Call } from "../lib/copy";

/** Copies the request behind a page in a form that programs can send. The token in it is always a variable reference. */
export function CopyAs({ call, urn }: { call: Call; urn?: string }) {
  return (
    <Menu>
      <Menu.Target>
        <Button icon={<CopyIcon size={16} stroke={1.5} aria-hidden />}>Copy as</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Item icon="code" onClick={copy("curl command", curlText(call, location.origin))} name="curl" />
        {call.query !== undefined && <Item icon="code" onClick={copy("GraphQL query", graphqlText(call))} name="GraphQL query" />}
        <Item icon="code" onClick={copy("Python program", pythonText(call, location.origin))} name="Python" />
        <Menu.Divider />
        <Item icon="link" onClick={copy("Link", location.href)} name="Link to this page" />
        {urn && <Item icon="copy" onClick={copy("URN", urn)} name="URN" />}
      </Menu.Dropdown>
    </Menu>
  );
}

const copy = (what: string, text: string) => () => {
  copyText(text).then(
    () => toast({ title: `${what} copied` }),
    () => toast({ tone: "bad", title: `${what} was not copied`, text: "The browser refused to write to the clipboard." }),
  );
};

const icons = { code: CodeIcon, link: LinkIcon, copy: CopyIcon } as const;

function Item({ icon, name, onClick }: { icon: keyof typeof icons; name: string; onClick: () => void }) {
  const Icon = icons[icon];
  return (
    <Menu.Item leftSection={<Icon size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
      {name}
    </Menu.Item>
  );
}
