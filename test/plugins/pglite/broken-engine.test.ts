import t, { type Test } from 'tap'
import { type Database, type Signal, SvcError } from '../../../core/doors/plugin.ts'
import { Engine } from '../../../plugins/pglite/engine/engine.ts'
import { WireSession } from '../../../plugins/pglite/wire-session.ts'
import { createPglite, openDatabase } from '../../helpers/databases.ts'

// Engines are opened one after the other, on a machine that does other things too.
t.setTimeout(600_000)

/** Deeper than the stack of the engine's thread, at a place where PostgreSQL does not measure its own. */
const BREAKS = "SELECT (repeat('[', 400000) || repeat(']', 400000))::json"
const SQL = `
CREATE TABLE kept (a int);
INSERT INTO kept VALUES (1);
CREATE FUNCTION fn_deep(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN fn_deep(n + 1); END $$;
CREATE FUNCTION fn_caught() RETURNS text LANGUAGE plpgsql AS $$
  BEGIN RETURN fn_deep(1)::text; EXCEPTION WHEN statement_too_complex THEN RETURN 'caught'; END $$;
CREATE TABLE echo (a int);
CREATE FUNCTION tr_echo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO echo VALUES (NEW.a); RETURN NEW; END $$;
CREATE TRIGGER tr AFTER INSERT ON echo FOR EACH ROW EXECUTE FUNCTION tr_echo();
`

async function rowsOf(database: Database, text: string, name: string | null = null) {
  return (await database.query({ name, text }, [], null)).rows
}

t.test('endless nesting is an SQL error only', async (t) => {
  const database = await openDatabase(t, await createPglite(t, { sql: SQL }))
  for (const text of ['SELECT fn_deep(1)', 'INSERT INTO echo VALUES (1)', `SELECT ${nested(4000)}`]) {
    await t.rejects(rowsOf(database, text), { code: '54001' }, text.slice(0, 30))
    t.strictSame(await rowsOf(database, 'SELECT a FROM kept'), [['1']])
  }
  t.strictSame(await rowsOf(database, 'SELECT fn_caught()'), [['caught']])
  await database.query({ name: null, text: 'INSERT INTO kept VALUES (2)' }, [], null)
  t.strictSame(await rowsOf(database, 'SELECT count(*) FROM kept'), [['2']])
})

function nested(levels: number): string {
  return `${'abs('.repeat(levels)}1${')'.repeat(levels)}`
}

for (const kind of ['in a folder', 'in memory'] as const) {
  t.test(`an engine that breaks is opened again, ${kind}`, async (t) => {
    const signals: Signal[] = []
    const url = kind === 'in memory' ? 'pglite:memory' : await createPglite(t)
    const database = await openDatabase(t as Test, url, { onSignal: (signal) => signals.push(signal) })
    await database.script(SQL)
    const heard: string[] = []
    await database.listen!('news', (payload) => heard.push(payload))
    t.strictSame(await rowsOf(database, 'SELECT 1', 'named'), [['1']])

    await t.rejects(database.query({ name: null, text: BREAKS, readOnly: true }, [], null), {
      code: 'DATABASE_ERROR',
      message: /^The embedded database broke under a statement; what was not committed is undone\.$/,
      cause: { message: /call stack/ },
    })
    t.strictSame(
      signals.map(({ type }) => type),
      ['database-down', 'database-up'],
    )
    t.equal(database.pool.connected, true)
    t.strictSame(await rowsOf(database, 'SELECT 1', 'named'), [['1']], 'prepared anew')
    t.strictSame(await rowsOf(database, 'SHOW IntervalStyle'), [['iso_8601']], 'the session is set up anew')
    t.strictSame(await rowsOf(database, 'SELECT a FROM kept'), [['1']], 'what was committed is there')
    await rowsOf(database, "SELECT pg_notify('news', 'again')")
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.strictSame(heard, ['again'], 'and listens on')

    const late = database.transaction(async (session) => {
      await session.query({ name: null, text: 'INSERT INTO kept VALUES (7)' }, [])
      await session.query({ name: null, text: BREAKS }, []).catch(() => {})
      await session.query({ name: null, text: 'INSERT INTO kept VALUES (8)' }, [])
    }, {})
    await t.rejects(late, { code: 'TRANSACTION_FAILED', message: /nothing was written/ })
    const silent = database.transaction(async (session) => {
      await session.query({ name: null, text: 'INSERT INTO kept VALUES (9)' }, [])
      await session.query({ name: null, text: BREAKS }, []).catch(() => {})
    }, {})
    await t.rejects(silent, { code: 'TRANSACTION_FAILED' }, 'a COMMIT of nothing is no success')
    t.strictSame(await rowsOf(database, 'SELECT a FROM kept'), [['1']])
  })
}

t.test('an answer that is not whole is a failure', async (t) => {
  const events: string[] = []
  const engine = await Engine.open({ folder: null, extensions: [] }, false, {
    onDown: ({ message }) => events.push(message),
    onUp() {},
  })
  t.teardown(() => engine.close())
  // Parse without Sync: no ReadyForQuery follows.
  const parse = Buffer.from('P\0\0\0\x10\0SELECT 1\0\0\0', 'latin1')
  await t.rejects(engine.exchange(parse), { code: 'DATABASE_ERROR' })
  t.match(events, [/without its answer/])
  t.equal(engine.generation, 1)

  t.match(await engine.distrust('no CommandComplete'), {
    code: 'DATABASE_ERROR',
    cause: { message: 'no CommandComplete' },
  })
  t.equal(engine.generation, 2)
  const query = Buffer.from('Q\0\0\0\x0dSELECT 1\0', 'latin1')
  t.equal((await engine.exchange(query)).at(-6), 'Z'.charCodeAt(0))
})

t.test('an answer without the end of its command is a failure, and the engine is given up', async (t) => {
  const ready = Buffer.from('Z\0\0\0\x05I', 'latin1')
  const reasons: string[] = []
  const engine = {
    generation: 0,
    ready: async () => {},
    exchange: async () => ready,
    distrust: async (reason: string) => {
      reasons.push(reason)
      return new SvcError('DATABASE_ERROR', reason)
    },
  } as unknown as Engine
  const session = new WireSession({
    engine,
    usesPrepared: true,
    isGeneric: false,
    resets: [],
    setUp: () => '',
    onNotification() {},
  })
  await t.rejects(session.run({ name: null, text: 'SELECT 1' }, []), { code: 'DATABASE_ERROR' })
  t.strictSame(reasons, ['the engine left a command without its completion'])
})

t.test('a script that leaves its transaction open is refused', async (t) => {
  const database = await openDatabase(t, 'pglite:memory')
  await t.rejects(database.script('BEGIN; CREATE TABLE lost (a int);'), { code: 'DATABASE_ERROR', message: /COMMIT/ })
  await t.rejects(rowsOf(database, 'SELECT * FROM lost'), { code: '42P01' })
})
