import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { eachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'

const TABLES = `
CREATE TABLE post (id integer PRIMARY KEY, title text NOT NULL, body text, unused text, size integer);
CREATE VIEW v_post AS SELECT id, title, body, unused, size FROM post;
INSERT INTO post VALUES (1, 'One', NULL, NULL, 3);
`
const SCHEMA: AuthoredSchema = {
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
}
/** The view with one column under another expression. */
function view(columns: string): string {
  return `DROP VIEW v_post; CREATE VIEW v_post AS SELECT ${columns} FROM post;`
}

/** Changes the database beside the service, as a migration does. */
async function migrate(app: TestApp, sql: string): Promise<void> {
  await app.database.script(sql)
}

async function readiness(app: TestApp) {
  const { status, text } = await app.inject({ url: '/health/ready' })
  return { status, body: JSON.parse(text) as Record<string, unknown>, text }
}

const drifts = (app: TestApp) => app.signals.filter(({ type }) => type === 'schema-drift')

const suite = {
  sql: TABLES,
  sqlite: { sql: TABLES },
}

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    const app = await openApp(t, database, SCHEMA)
    t.strictSame((await readiness(app)).body, { status: 'ready' }, 'what was compiled is there')

    await migrate(app, view('id, title AS headline, body, unused, size'))
    const { errors } = await app.graphql('{ posts { title } }')
    t.equal(errors?.[0]?.extensions.code, 'DATABASE_ERROR')
    // A probe waits for the comparison half a second at most.
    let drifted = await readiness(app)
    for (let i = 0; i < 20 && drifted.status === 200; i++) drifted = await readiness(app)
    t.equal(drifted.status, 503)
    t.strictSame(drifted.body, {
      status: 'drift',
      reason: 'the database does not fit the compiled schema',
      databases: { default: 'drift' },
    })
    t.notMatch(drifted.text, /v_post|title|headline|Post/, 'names are for the log')
    t.match(drifts(app), [
      {
        database: 'default',
        differences: [/^v_post has no column "title".*"headline".*\(Post\.title\)\.$/],
      },
    ])
    t.equal(drifts(app).length, 1)
    t.match((await app.inject({ url: '/health' })).json(), { status: /^ok$/, database: { drift: true } })
    await readiness(app)
    t.equal(drifts(app).length, 1, 'the log has it once')
  },
  suite,
)
