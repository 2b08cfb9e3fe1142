import t from 'tap'
import { eachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import { POSTS, replaceView } from '../../schemas/posts.ts'

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
  sql: POSTS.sql,
  sqlite: { sql: POSTS.sql },
}

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    const app = await openApp(t, database, POSTS.schema)
    t.strictSame((await readiness(app)).body, { status: 'ready' }, 'what was compiled is there')

    await migrate(app, replaceView('id, title AS headline, body, unused, size'))
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
