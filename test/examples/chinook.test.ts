import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eachDatabase } from '../helpers/databases.ts'
import { runService, svc } from '../helpers/service.ts'

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
      t.equal(answers.length, 11)
      const more = await service.graphql(
        `mutation {
          again: createPlaylist(input: { name: "Sunday" }) { id }
        }`,
      )
      t.match(more.body.errors, [{ extensions: { code: 'CONFLICT', reason: 'duplicate_name' } }])
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
    },
    { sql },
  )
})

t.test('the licence of the data stands beside them', async (t) => {
  t.match(readFileSync(join(EXAMPLE, 'db/LICENSE.md'), 'utf8'), /Luis Rocha/)
})
