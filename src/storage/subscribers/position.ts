/** Where a page ends: lists are ordered by creation, newest first, then by id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}
