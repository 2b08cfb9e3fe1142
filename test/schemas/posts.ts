import type { TestSchema } from './test-schema.ts'

/** Posts in a view with a column that the schema does not use. One post is in the table. */
export const POSTS = {
  sql: `
CREATE TABLE post (id integer PRIMARY KEY, title text NOT NULL, body text, unused text, size integer);
CREATE VIEW v_post AS SELECT id, title, body, unused, size FROM post;
INSERT INTO post VALUES (1, 'One', NULL, NULL, 3);
`,
  schema: {
    version: '1',
    types: [
      {
        name: 'Post',
        sql_source: 'v_post',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'title', type: 'String!' },
          { name: 'body', type: 'String' },
          { name: 'size', type: 'Int' },
        ],
      },
    ],
    queries: [{ name: 'posts', type: '[Post!]!', sql_source: 'v_post' }],
  },
} as const satisfies TestSchema

/** Replaces the view of the posts, as a migration does. */
export function replaceView(columns: string): string {
  return `DROP VIEW v_post; CREATE VIEW v_post AS SELECT ${columns} FROM post;`
}
