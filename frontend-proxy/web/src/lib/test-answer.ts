/**
 * Casts a value to a response type, for responses that violate their type: incomplete ones, or with values of
 * a later version. For tests only.
 */
export const answered = <Answer>(value: unknown): Answer => value as Answer;
