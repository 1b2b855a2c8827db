import { useState } from "react";

import { Code, Section, Segments } from "../../components/parts";
import { address } from "../../lib/base";
import { curlText, pythonText, type Call } from "../../lib/copy";

type Way = "curl" | "python" | "command";

const who: Call = { query: "{ me { corpUser { urn username } } }" };

const textOf = (way: Way): string => {
  switch (way) {
    case "curl":
      return `# Ask the catalog who you are\n${curlText(who, location.origin)}`;
    case "python":
      return pythonText(who, location.origin);
    case "command":
      return `# The command line of DataHub\nexport DATAHUB_GMS_URL=${location.origin}${address("/api/gms")}\nexport DATAHUB_GMS_TOKEN=$CARTULARY_TOKEN\ndatahub check server-config`;
  }
};

/** Examples of how programs use a token. */
export function UseToken() {
  const [way, setWay] = useState<Way>("curl");
  return (
    <Section
      title="Use a token"
      tools={
        <Segments
          label="Use a token with"
          size="small"
          value={way}
          options={[
            { value: "curl", label: "curl" },
            { value: "python", label: "Python" },
            { value: "command", label: "Command line" },
          ]}
          onChange={setWay}
        />
      }
    >
      <Code label="How to use a token" text={textOf(way)} />
    </Section>
  );
}
