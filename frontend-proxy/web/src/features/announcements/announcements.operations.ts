// Written by scripts/codegen.mjs from announcements.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { AndFilterInput, FacetFilterInput, FilterOperator, ListPostsInput, PostContentType, PostType } from "../../lib/schema";

export type { AndFilterInput, FacetFilterInput, FilterOperator, ListPostsInput, PostContentType, PostType };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type AnnouncementsQueryVariables = Exact<{
  input: ListPostsInput;
}>;

export type AnnouncementsQuery = { listPosts: { total: number | null, posts: Array<{ urn: string | null, postType: PostType | null, content: { contentType: PostContentType | null, title: string | null, description: string | null, link: string | null } | null, lastModified: { time: number | null, actor: string | null } | null } | null> | null } | null };

export type DeleteAnnouncementMutationVariables = Exact<{
  urn: string;
}>;

export type DeleteAnnouncementMutation = { deletePost: boolean | null };

export const Announcements = "query Announcements($input:ListPostsInput!){listPosts(input:$input){total posts{urn postType content{contentType title description link}lastModified{time actor}}}}" as unknown as Operation<AnnouncementsQuery, AnnouncementsQueryVariables>;

export const DeleteAnnouncement = "mutation DeleteAnnouncement($urn:String!){deletePost(urn:$urn)}" as unknown as Operation<DeleteAnnouncementMutation, DeleteAnnouncementMutationVariables>;
