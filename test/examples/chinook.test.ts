import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eachDatabase } from '../helpers/databases.ts'
import { runService, svc } from '../helpers/service.ts'
import type { TestLike } from '../helpers/services.ts'

const EXAMPLE = 'examples/chinook'
const sql = readdirSync(join(EXAMPLE, 'db'))
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
  .join('\n')

/** Every operation that the tour of the README shows, in its order. */
function readTour(): readonly string[] {
  const readme = readFileSync(join(EXAMPLE, 'README.md'), 'utf8')
  const tour = readme.slice(readme.indexOf('## A tour'))
  const found = tour.matchAll(/((?:^ {4}.*\n)+)|`(\{ .*? \})`/gm)
  return [...found].flatMap(([, block, inline]) => inline ?? (block ?? '').split(/\n(?= {4}mutation)/))
}

t.setTimeout(300_000)

t.test('the tour of the README', async (t) => {
  await eachDatabase(
    t,
    async (t, { url }) => {
      const folder = (t as typeof import('tap').t).testdir()
      for (const file of ['schema.ts', 'svc.toml']) cpSync(join(EXAMPLE, file), join(folder, file))
      const env = { DATABASE_URL: url }
      const compiled = await svc(['compile'], folder, env)
      t.equal(compiled.code, 0, compiled.stderr)
      t.notMatch(compiled.stdout + compiled.stderr, /warning/i)
      t.equal(
        readFileSync(join(folder, 'schema.json'), 'utf8'),
        readFileSync(join(EXAMPLE, 'schema.json'), 'utf8'),
        'examples/chinook/schema.json is up to date',
      )
      await takeTour(t, folder, env)
    },
    { sql },
  )
})

t.test('the same tour over SQLite', async (t) => {
  const root = t.testdir()
  cpSync(EXAMPLE, join(root, 'chinook'), { recursive: true })
  const folder = join(root, 'chinook-sqlite')
  cpSync('examples/chinook-sqlite', folder, { recursive: true, filter: (path) => !/\.svc|02_data|compiled/.test(path) })
  execFileSync(process.execPath, [join(folder, 'write-rows.mjs')])
  const compiled = await svc(['compile'], folder)
  t.equal(compiled.code, 0, compiled.stderr)
  t.notMatch(compiled.stdout + compiled.stderr, /warning/i)
  t.equal(
    readFileSync(join(root, 'chinook/schema.json'), 'utf8'),
    readFileSync(join(EXAMPLE, 'schema.json'), 'utf8'),
    'the API is the same',
  )
  await takeTour(t, folder, {})
})

async function takeTour(t: TestLike, folder: string, env: Readonly<Record<string, string>>) {
  const isSqlite = folder.endsWith('sqlite')
  const service = await runService(t as typeof import('tap').t, folder, { env })
  const answers = []
  for (const operation of readTour()) answers.push((await service.graphql(operation)).body)
  t.match(answers, [
    { data: { artists: [{}, {}, { name: 'Black Label Society', albums: [{ tracks: [{}, {}, {}] }, {}] }] } },
    {
      data: {
        tracks: {
          totalCount: 4,
          edges: [{ node: { album: { artist: { name: 'Miles Davis' } } } }],
          pageInfo: { hasNextPage: false },
        },
      },
    },
    {
      data: {
        customers: {
          totalCount: 59,
          items: [{ firstName: 'Luís', supportRep: { firstName: 'Jane', reportsTo: { firstName: 'Nancy' } } }, {}],
        },
      },
    },
    {
      data: {
        invoicesGroups: [
          { keys: { billingCountry: 'USA' }, count: 91, sum: { total: '523.06' } },
          { keys: { billingCountry: 'Canada' }, count: 56, sum: { total: '303.96' } },
          ...new Array(4).fill({}),
        ],
      },
    },
    { data: { people: new Array(16).fill({}) } },
    { data: { bestSellers: new Array(15).fill({}) } },
    { data: { playlist: { name: 'On-The-Go 1', trackCount: 1, tracks: [{}] } } },
    {
      data: {
        invoiceDocument: { total: '13.86', customer: { name: 'John Gordon' }, lines: new Array(14).fill({}) },
      },
    },
    { data: { invoices: new Array(7).fill({}) } },
    { data: { createPlaylist: { trackCount: 3, tracks: [{}, {}, {}] } } },
    { errors: [{ message: 'There is no playlist 999', extensions: { code: 'NOT_FOUND' } }] },
    { errors: [{ message: 'A playlist needs a name', extensions: { code: 'PLAYLIST_NAME_EMPTY' } }] },
  ])
  t.equal(answers.length, 12)
  const more = await service.graphql(
    `mutation {
          again: createPlaylist(input: { name: "Sunday" }) { id }
        }`,
  )
  t.match(more.body.errors, [{ extensions: { code: 'CONFLICT', ...(isSqlite ? {} : { reason: 'duplicate_name' }) } }])
  const writes = await service.graphql(
    `mutation {
          renamePlaylist(id: 1, name: "Tunes") { name }
          addTrackToPlaylist(playlistId: 9, trackId: 1) { trackCount }
          removeTrackFromPlaylist(playlistId: 9, trackId: 1) { trackCount }
          deletePlaylist(id: 18) { name }
        }`,
  )
  t.match(writes.body, {
    data: {
      renamePlaylist: { name: 'Tunes' },
      addTrackToPlaylist: { trackCount: 2 },
      removeTrackFromPlaylist: { trackCount: 1 },
      deletePlaylist: { name: 'On-The-Go 1' },
    },
  })
  t.equal(await service.stop(), 0)
}

t.test('the licence of the data stands beside them', async (t) => {
  t.match(readFileSync(join(EXAMPLE, 'db/LICENSE.md'), 'utf8'), /Luis Rocha/)
})
