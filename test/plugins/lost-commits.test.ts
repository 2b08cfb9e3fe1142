import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { fromDatabaseError } from '../../core/doors/driver.ts'
import type { Database } from '../../core/doors/plugin.ts'
import { createPglite, createSqlite, openDatabase, type TestDatabase } from '../helpers/databases.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import type { TestLike } from '../helpers/services.ts'
import { tableSchema } from '../schemas/table-schema.ts'
import { connectionProcesses, eachLibrary, makeFolder, open, read, single, until, write } from './sqlite/open-sqlite.ts'

/**
 * What a client hears of a COMMIT that has no answer, on the drivers without a network: `postgres/recovery` and `write-keys` have
 * the same of PostgreSQL. What may be written is never said to be undone, and what is undone is never said to be unknown.
 */
t.setTimeout(120_000)

const UNKNOWN = {
  code: 'SERVICE_UNAVAILABLE',
  details: { outcome: 'unknown' },
  retryAfter: undefined,
  message: 'The connection to the database broke under the statement: it is not known whether it was written.',
}
const TABLE = 'CREATE TABLE post (nr INTEGER PRIMARY KEY, body TEXT)'
const count = (database: Database) => single(database, 'SELECT count(*) FROM post')

/** The process of the only connection holds still: what is sent to it now is never done. */
function stop(): { kill(): void; isGone(): boolean } {
  const [pid] = connectionProcesses()
  process.kill(pid!, 'SIGSTOP')
  return {
    kill: () => void process.kill(pid!, 'SIGKILL'),
    // Another one may be there by then.
    isGone: () => !connectionProcesses().includes(pid!),
  }
}

/** Sent, and on its way. */
const inFlight = () => new Promise((resolve) => setTimeout(resolve, 50))

async function failureOf(promise: Promise<unknown>): Promise<object> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof Error)) throw new Error('It did not fail')
  const { code, message, details, retryAfter } = error as Error & Record<string, unknown>
  return { code, message, details, retryAfter }
}

await eachLibrary(t, 'SQLite: the process is killed', async (t, library) => {
  const database = await open(t, { library, sql: TABLE, config: { pool_max: 1 } })
  const insert = write("INSERT INTO post (body) VALUES ('x')")
  await t.test('under COMMIT', async (t) => {
    let halted: ReturnType<typeof stop> | null = null
    const lost = failureOf(
      database.transaction(async (session) => {
        await session.query(insert, [])
        halted = stop()
      }, {}),
    )
    await until(() => halted !== null)
    await inFlight()
    halted!.kill()
    t.strictSame(await lost, UNKNOWN)
  })
  await t.test('under a write that commits itself', async (t) => {
    await database.ping()
    const halted = stop()
    const lost = failureOf(database.query(insert, [], null))
    await inFlight()
    halted.kill()
    t.strictSame(await lost, UNKNOWN)
  })
  await t.test('before COMMIT: then it is known', async (t) => {
    await database.ping()
    const known = await failureOf(
      database.transaction(async (session) => {
        await session.query(insert, [])
        stop().kill()
        await session.query(read('SELECT 1'), [])
      }, {}),
    )
    t.match(known, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1, details: undefined })
    await database.ping()
    const silent = await failureOf(
      database.transaction(async (session) => {
        await session.query(insert, [])
        const halted = stop()
        halted.kill()
        await until(() => halted.isGone())
        await inFlight()
      }, {}),
    )
    t.match(silent, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1, details: undefined })
  })
  t.equal(await count(database), '0')
  await database.query(insert, [], null)
  t.equal(await count(database), '1', 'and it goes on')
})

await eachLibrary(t, 'SQLite: the disk takes no more at COMMIT', async (t, library) => {
  const folder = await makeFolder(t)
  const database = await open(t, { library, folder, sql: TABLE, config: { pool_max: 1 } })
  const limit = (bytes: string) =>
    promisify(execFile)('prlimit', ['--pid', String(connectionProcesses()[0]), `--fsize=${bytes}:unlimited`])
  const whole = database.transaction(async (session) => {
    await session.query(write("INSERT INTO post (body) VALUES (printf('%.*c', 300000, 'x'))"), [])
    // The file may not grow from here on: the pages of the transaction are in memory until its end.
    await limit('8192')
  }, {})
  const error = fromDatabaseError(await whole.catch((cause: unknown) => cause))
  t.match(error, { code: 'DATABASE_ERROR' }, String(error.cause))
  t.equal(error.details?.outcome, undefined, 'SQLite has undone it')
  await limit('unlimited')
  t.equal(await count(database), '0')
  await database.query(write("INSERT INTO post (body) VALUES ('y')"), [], null)
  t.equal(await count(database), '1', 'it goes on when there is room')
  t.equal(await single(database, 'PRAGMA integrity_check'), 'ok')
})

await eachLibrary(t, 'SQLite: a commit that the database refuses is undone, and said to be', async (t, library) => {
  const sql = `${TABLE}; CREATE TABLE reply (fk INTEGER REFERENCES post DEFERRABLE INITIALLY DEFERRED)`
  const database = await open(t, { library, sql, config: { pool_max: 1 } })
  const refused = database.transaction((session) => session.query(write('INSERT INTO reply VALUES (99)'), []), {})
  const error = fromDatabaseError(await refused.catch((cause: unknown) => cause))
  t.equal(error.code, 'CONSTRAINT_VIOLATION')
  t.equal(error.details?.outcome, undefined)
  t.equal(await single(database, 'SELECT count(*) FROM reply'), '0')
})

/** Ends the engine, at the end of the transaction that wrote into the table. */
const BREAKING = `
CREATE TABLE kept (a int);
CREATE FUNCTION tr_break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM (repeat('[', 400000) || repeat(']', 400000))::json; RETURN NULL; END $$;
CREATE TABLE post (nr int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL DEFAULT 'p', body text);
CREATE CONSTRAINT TRIGGER tr AFTER INSERT ON post DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tr_break();
CREATE VIEW v_post AS SELECT * FROM post;
CREATE FUNCTION fn_write(body text) RETURNS text LANGUAGE sql AS $$ INSERT INTO post (body) VALUES (body) RETURNING id $$;
`

t.test('PGlite: the engine breaks', async (t) => {
  const database = await openDatabase(t, await createPglite(t, { sql: BREAKING }))
  const insert = write("INSERT INTO post (body) VALUES ('x')")
  await t.test('under COMMIT', async (t) => {
    t.strictSame(await failureOf(database.transaction((session) => session.query(insert, []), {})), UNKNOWN)
  })
  await t.test('under a write that commits itself', async (t) => {
    t.strictSame(await failureOf(database.query(insert, [], null)), UNKNOWN)
  })
  await t.test('before COMMIT, or under a read: then it is known', async (t) => {
    const now = write('SET CONSTRAINTS ALL IMMEDIATE')
    const known = await failureOf(
      database.transaction(async (session) => {
        await session.query(insert, [])
        await session.query(now, [])
      }, {}),
    )
    t.match(known, { code: 'DATABASE_ERROR', message: /what was not committed is undone/, details: undefined })
    const broken = read("SELECT (repeat('[', 400000) || repeat(']', 400000))::json")
    t.match(await failureOf(database.query(broken, [], null)), { code: 'DATABASE_ERROR', details: undefined })
  })
  t.equal(await count(database), '0')
})

const SCHEMA = tableSchema(
  { name: 'Post', sql_source: 'v_post', list: 'posts', fields: { id: 'ID!' } },
  {
    mutations: [
      {
        name: 'write',
        type: 'Post',
        sql_source: 'fn_write',
        operation: 'CREATE',
        arguments: [{ name: 'body', type: 'String!' }],
      },
    ],
  },
)

/** Writes through the whole service. @returns what the client is told of it */
async function told(t: TestLike, test: TestDatabase, beforeCommit: () => void) {
  const hooks = plugin('hooks', (scope) => scope.on('mutation:after', () => beforeCommit()))
  const app = await openApp(t, test, SCHEMA, { plugins: [entry(hooks)] })
  const { errors = [] } = await app.graphql('mutation { write(body: "x") { id } }')
  return errors.map(({ message, extensions: { code, outcome, retryAfter } }) => ({
    message,
    code,
    outcome,
    retryAfter,
  }))
}
const TOLD = [{ message: UNKNOWN.message, code: 'SERVICE_UNAVAILABLE', outcome: 'unknown', retryAfter: undefined }]

t.test('the client of the service gets the same outcome', async (t) => {
  const pglite = await createPglite(t, { sql: BREAKING })
  t.strictSame(await told(t, { kind: 'pglite', url: pglite }, () => {}), TOLD, 'PGlite')
  const sqlite = await createSqlite(t, {
    sql: "CREATE TABLE v_post (nr INTEGER PRIMARY KEY, id TEXT NOT NULL DEFAULT 'p', body TEXT)",
    scripts: { fn_write: '-- :body text\n-- returns text\nINSERT INTO v_post (body) VALUES (:body) RETURNING id;' },
  })
  const killed = await told(t, sqlite, () => {
    const pids = connectionProcesses()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    setTimeout(() => {
      for (const pid of pids) process.kill(pid, 'SIGKILL')
    }, 300)
  })
  t.strictSame(killed, TOLD, 'SQLite')
})
