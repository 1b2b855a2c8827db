// Written by scripts/codegen.mjs from home.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type HomeQueryVariables = Exact<{ [key: string]: never; }>;

export type HomeQuery = { searchAcrossEntities: { total: number, facets: Array<{ field: string, aggregations: Array<{ value: string, count: number }> }> | null } | null };

export const Home = "query Home{searchAcrossEntities(input:{query:\"*\" start:0 count:0}){total facets{field aggregations{value count}}}}" as unknown as Operation<HomeQuery, HomeQueryVariables>;
