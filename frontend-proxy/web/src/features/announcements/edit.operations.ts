// Written by scripts/codegen.mjs from edit.graphql and the schema; not to be edited.
import type { Operation } from "../../lib/request";
import type { CreatePostInput, MediaType, PostContentType, PostType, SubResourceType, UpdateMediaInput, UpdatePostContentInput, UpdatePostInput } from "../../lib/schema";

export type { CreatePostInput, MediaType, PostContentType, PostType, SubResourceType, UpdateMediaInput, UpdatePostContentInput, UpdatePostInput };

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };

export type CreateAnnouncementMutationVariables = Exact<{
  input: CreatePostInput;
}>;

export type CreateAnnouncementMutation = { createPost: boolean | null };

export type UpdateAnnouncementMutationVariables = Exact<{
  input: UpdatePostInput;
}>;

export type UpdateAnnouncementMutation = { updatePost: boolean | null };

export const CreateAnnouncement = "mutation CreateAnnouncement($input:CreatePostInput!){createPost(input:$input)}" as unknown as Operation<CreateAnnouncementMutation, CreateAnnouncementMutationVariables>;

export const UpdateAnnouncement = "mutation UpdateAnnouncement($input:UpdatePostInput!){updatePost(input:$input)}" as unknown as Operation<UpdateAnnouncementMutation, UpdateAnnouncementMutationVariables>;
