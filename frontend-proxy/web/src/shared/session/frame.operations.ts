// Written by scripts/codegen.mjs from frame.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type FrameQueryVariables = Exact<{ [key: string]: never; }>;

export type FrameQuery = { me: { corpUser: { urn: string, username: string, properties: { displayName: string | null, fullName: string | null } | null, editableProperties: { displayName: string | null } | null, settings: { views: { defaultView: { urn: string } | null } | null } | null, groups: { relationships: Array<{ entity:
            | { urn: string }
            | { urn: string }
            | { urn: string }
           | null }> } | null }, platformPrivileges: { viewAnalytics: boolean, managePolicies: boolean, manageIdentities: boolean, manageUserCredentials: boolean, manageServiceAccounts: boolean, generatePersonalAccessTokens: boolean, manageTokens: boolean, viewTests: boolean, manageTests: boolean, createTags: boolean, manageTags: boolean, createDomains: boolean, manageDomains: boolean, manageGlossaries: boolean, manageApplications: boolean, manageStructuredProperties: boolean, viewStructuredPropertiesPage: boolean, manageGlobalAnnouncements: boolean, manageGlobalViews: boolean, manageIngestion: boolean, manageSecrets: boolean } } | null, appConfig: { appVersion: string | null, authConfig: { tokenAuthEnabled: boolean }, visualConfig: { appTitle: string | null } } | null };

export const Frame = "query Frame{me{corpUser{urn username properties{displayName fullName}editableProperties{displayName}settings{views{defaultView{urn}}}groups:relationships(input:{types:[\"IsMemberOfGroup\" \"IsMemberOfNativeGroup\"]direction:OUTGOING start:0 count:100}){relationships{entity{urn}}}}platformPrivileges{viewAnalytics managePolicies manageIdentities manageUserCredentials manageServiceAccounts generatePersonalAccessTokens manageTokens viewTests manageTests createTags manageTags createDomains manageDomains manageGlossaries manageApplications manageStructuredProperties viewStructuredPropertiesPage manageGlobalAnnouncements manageGlobalViews manageIngestion manageSecrets}}appConfig{appVersion authConfig{tokenAuthEnabled}visualConfig{appTitle}}}" as unknown as Operation<FrameQuery, FrameQueryVariables>;
