import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import { top } from "./levels";
import { move, refusalOf, type Moved, type Place } from "./move";
import { MayMove } from "./move.operations";

/** The dragged entry and the current drop target. */
export interface Drag {
  moved: Moved | null;
  over: Place | null;
  /** The reason why dropping is not possible. */
  refusal: string | null;
  /** Event handlers of a drag source. */
  source: (moved: Moved) => { onDragStart: (event: DragEvent) => void; onDragEnd: () => void };
  /** Event handlers and appearance of a drop target. */
  target: (place: Place) => { onDragEnter: () => void; onDragOver: (event: DragEvent) => void; onDragLeave: (event: DragEvent) => void; onDrop: (event: DragEvent) => void; "data-drop": "here" | "refused" | undefined };
}

/**
 * Moves terms and groups by dragging their links with the native drag and drop of the browser. It works with a mouse
 * and does not interfere with touch scrolling.
 */
export function useDrag(): Drag {
  const queries = useQueryClient();
  const { may } = useSession();
  const [moved, setMoved] = useState<Moved | null>(null);
  const [over, setOver] = useState<Place | null>(null);
  const { data } = useQuery({
    queryKey: ["glossary", "may", moved?.entry.urn, over?.urn],
    enabled: moved !== null && over !== null && !may.manageGlossaries,
    queryFn: ({ signal }) => readRights([moved?.entry.urn ?? "", ...(over && over.urn !== top ? [over.urn] : [])], signal),
  });
  const rights = may.manageGlossaries
    ? { entry: true, place: true }
    : { entry: moved ? data?.get(moved.entry.urn)?.self : undefined, place: over?.urn === top ? false : over ? data?.get(over.urn)?.children : undefined };
  const refusal = moved && over && refusalOf(moved, over, rights);
  const end = () => {
    setMoved(null);
    setOver(null);
  };
  const drop = async (what: Moved, place: Place) => {
    const send = async (from: string, to: string, title: string, undo: boolean) => {
      try {
        await move(queries, { entry: what.entry, from }, to);
        toast({
          title,
          ...(undo
            ? {
                text: (
                  <Button size="small" onClick={() => void send(to, from, `${what.entry.name} was moved back`, false)}>
                    Undo
                  </Button>
                ),
              }
            : {}),
        });
      } catch (error) {
        toast({ tone: "bad", title: `${what.entry.name} was not moved`, text: problemOf(error).message });
      }
    };
    await send(what.from, place.urn, `${what.entry.name} was moved ${place.urn === top ? "to the top" : `into ${place.name}`}`, true);
  };
  return {
    moved,
    over,
    refusal,
    source: (what) => ({ onDragStart: () => setMoved(what), onDragEnd: end }),
    target: (place) => ({
      onDragEnter: () => moved && setOver(place),
      onDragOver: (event) => {
        if (moved && over?.urn !== place.urn) {
          setOver(place); // no dragenter event fires where the drag starts
        } else if (moved && refusal === null) {
          event.preventDefault(); // marks the element as a drop target
          event.dataTransfer.dropEffect = "move";
        }
      },
      // The dragenter event of the new target fires before the dragleave event of the old one.
      onDragLeave: (event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) {
          setOver((now) => (now?.urn === place.urn ? null : now));
        }
      },
      onDrop: (event) => {
        event.preventDefault();
        if (moved && refusal === null) {
          void drop(moved, place);
        }
        end(); // a link that was removed from the document fires no dragend event
      },
      "data-drop": moved && over?.urn === place.urn ? (refusal === null ? "here" : "refused") : undefined,
    }),
  };
}

async function readRights(urns: string[], signal: AbortSignal) {
  const { data } = await run(MayMove, { urns }, signal);
  return new Map(
    (data.entities ?? []).flatMap((entity) => {
      if (!entity || !("privileges" in entity)) {
        return [];
      }
      const { privileges } = entity;
      return [[entity.urn, { self: privileges?.canManageEntity ?? undefined, children: privileges && "canManageChildren" in privileges ? (privileges.canManageChildren ?? undefined) : undefined }] as const];
    }),
  );
}

// The distance from the edge that starts scrolling, and the scroll distance per event, in px. Events fire 3 to 20
// times a second.
const edge = 40;
const stride = 16;

/** Scrolls during a drag near an edge: the element if it scrolls by itself, else the page. */
export function scrollNearEdge(event: DragEvent<HTMLElement>) {
  const element = event.currentTarget;
  const own = element.scrollHeight > element.clientHeight + 1;
  const { top: above, bottom: below } = own ? element.getBoundingClientRect() : { top: 0, bottom: innerHeight };
  const by = event.clientY < above + edge ? -stride : event.clientY > below - edge ? stride : 0;
  (own ? element : window).scrollBy(0, by);
}
