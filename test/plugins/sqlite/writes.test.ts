import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { OwnedContribution } from '../../../core/contract/write-contribution.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { type ExecuteOptions, executeWorldOn } from '../../helpers/execute-world.ts'
import { ITEMS, ITEMS_SQLITE } from '../../schemas/items.ts'
import { eachLibrary, makeFolder, open } from './open-sqlite.ts'

/** Moments, contributions, atomic and dry run over scripts: what is no statement of its own is one in the transaction. */

const SQL = `${ITEMS_SQLITE.sql};
CREATE TABLE trail (note TEXT);
CREATE TABLE svc_outbox (id TEXT PRIMARY KEY, kind TEXT, entity_id TEXT, entity TEXT, before TEXT, who TEXT)`
const OUTBOX: OwnedContribution = {
  plugin: 'outbox',
  before: true,
  entity: true,
  insert: {
    table: 'svc_outbox',
    columns: { id: 'id', kind: 'kind', entity_id: 'entityId', entity: 'entity', before: 'before', who: () => 'ann' },
  },
}

await eachLibrary(t, 'writes have mutationHooks', async (t, library) => {
  const folder = await makeFolder(t)
  await mkdir(join(folder, 'db/functions'), { recursive: true })
  for (const [file, text] of Object.entries(ITEMS_SQLITE.scripts))
    await writeFile(join(folder, 'db/functions', `${file}.sql`), text)
  const database = await open(t, { library, folder, sql: SQL })
  const world = (options: ExecuteOptions) => executeWorldOn(database, ITEMS.schema, options)
  const rows = async (sql: string) => (await database.query({ name: null, text: sql, readOnly: true }, [], null)).rows
  const names = async () => (await rows('SELECT name FROM item ORDER BY id')).flat()

  await t.test('mutationHooks run in the transaction of the script', async (t) => {
    const { run, events } = await world({
      mutationHooks: {
        async before(_exchange, { session, arguments: given }) {
          await session.query({ name: null, text: 'INSERT INTO trail VALUES (?1)' }, [String(given.name)])
        },
        after(_exchange, _call, writes) {
          if (writes.length === 0) return
          if (writes[0]?.mutation === 'rename') throw new SvcError('NO_RENAME', 'Not this one.')
        },
      },
    })
    t.same((await run('mutation { add(name: "a") { id name } }')).data, { add: { id: '1', name: 'a' } })
    t.match(events, [{ writes: [{ kind: 'CREATE', entityType: 'Item', entityId: /^1$/ }] }])
    t.match(await run('mutation { rename(id: 1, name: "b") { name } }'), { errors: [{ code: 'NO_RENAME' }] })
    t.same(await rows('SELECT note FROM trail'), [['a']])
    t.same(await names(), ['a'])
    t.equal(events.length, 1)
  })

  await t.test('the row before, and rows beside', async (t) => {
    const { run, events } = await world({ contributions: [OUTBOX] })
    await run('mutation { rename(id: 1, name: "b") { name } remove(id: 1) { id } gone: remove(id: 1) { id } clear }')
    t.match(
      events.map(({ writes }) => writes[0]),
      [
        { kind: 'UPDATE', before: '{"id":"1","name":"a"}', entity: '{"id":"1","name":"b"}' },
        { kind: 'DELETE', before: '{"id":"1","name":"b"}', entity: null },
        { mutation: 'clear', entityId: null },
      ],
    )
    const told = events.map(({ writes: [write] }) => [
      write!.id,
      write!.kind,
      write!.entityId,
      write!.entity,
      write!.before,
      'ann',
    ])
    t.same(await rows('SELECT * FROM svc_outbox ORDER BY rowid'), told)
  })

  await t.test('atomic and dry run', async (t) => {
    const { operation, resolve, events } = await world({ contributions: [OUTBOX] })
    const kept = (await rows('SELECT id FROM svc_outbox')).length
    const twice = operation('mutation { a: add(name: "x") { name } b: add(name: "x") { name } }')
    t.match(await resolve({ ...twice, write: { atomic: true } }), {
      data: null,
      errors: [{ code: 'CONFLICT', path: [/^b$/] }],
    })
    const once = operation('mutation { a: add(name: "y") { name } b: add(name: "z") { name } }')
    for (const atomic of [false, true]) {
      t.match(await resolve({ ...once, write: { atomic, dryRun: true, tell: true } }), {
        data: '{"a":{"name":"y"},"b":{"name":"z"}}',
        errors: null,
        writes: [{ kind: 'CREATE' }, { kind: 'CREATE' }],
      })
    }
    t.same(events, [])
    t.same(await names(), [])
    t.equal((await rows('SELECT id FROM svc_outbox')).length, kept)
    t.match(await resolve({ ...once, write: { atomic: true } }), { errors: null })
    t.same(await names(), ['y', 'z'])
    t.equal(events.length, 1)
  })
})
