import { Link } from "wouter";

import { DatasetIcon, EditIcon, FailIcon, IncidentIcon, PersonIcon } from "../../components/icons";
import { counted, percent } from "../../lib/text";
import { type holderFields, troubledPath } from "../../shared/failing/holders";
import type { Asset, Kept } from "../../shared/asset/asset";

/** The assets of a domain, product or application: problems, number, ownership and documentation. */
export default function KeptSigns({ asset: { urn, type, held = 0 }, kept: { owned, described, troubled, failing, atLeast } }: { asset: Asset; kept: Kept }) {
  const shares = [
    { Icon: PersonIcon, share: percent(owned, held), has: "an owner" },
    { Icon: EditIcon, share: percent(described, held), has: "a description" },
  ];
  return (
    <>
      {failing > 0 && (
        <li data-tone="bad">
          <FailIcon size={16} stroke={1.5} aria-hidden />
          <Link className="clip" href="/failing">
            {atLeast ? `${counted(failing, "asset")} or more fail a check` : `${counted(failing, "asset")} ${failing === 1 ? "fails" : "fail"} a check`}
          </Link>
        </li>
      )}
      {troubled > 0 && (
        <li data-tone="bad">
          <IncidentIcon size={16} stroke={1.5} aria-hidden />
          <Link className="clip" href={troubledPath(type as keyof typeof holderFields, urn)}>
            {counted(troubled, "asset")} {troubled === 1 ? "has" : "have"} an open incident
          </Link>
        </li>
      )}
      <li className="num">
        <DatasetIcon size={16} stroke={1.5} aria-hidden />
        {held === 0 ? "No asset of its own" : counted(held, "asset")}
      </li>
      {shares.map(
        ({ Icon, share, has }) =>
          share !== null && (
            <li key={has} className="num">
              <Icon size={16} stroke={1.5} aria-hidden />
              {share} % have {has}
            </li>
          ),
      )}
    </>
  );
}
