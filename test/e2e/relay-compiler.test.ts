import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql'
import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { runService, svc } from '../helpers/service.ts'
import { requireService } from '../helpers/services.ts'

const EXAMPLE = 'examples/chinook'

/** What an application with Relay has: fragments by component, a list with pages, an object that is fetched again. */
const SOURCES: Readonly<Record<string, string>> = {
  'Tracks.js': `
    graphql\`query TracksQuery($artist: ID!) {
      ...TrackList_query @arguments(count: 2, order: [{ milliseconds: DESC }, { name: ASC }])
      node(id: $artist) { ...ArtistCard_artist @alias(as: "card") }
    }\``,
  'TrackList.js': `
    graphql\`fragment TrackList_query on Query @refetchable(queryName: "TrackListPaginationQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" }, order: { type: "[TrackOrderByInput!]" }) {
      tracks(first: $count, after: $cursor, orderBy: $order, where: { composer: { _is_null: false } }) @connection(key: "TrackList_tracks") {
        totalCount
        edges { node { ...TrackRow_track } }
      }
    }\``,
  'TrackRow.js': `
    graphql\`fragment TrackRow_track on Track { id name milliseconds album { title artist { ...ArtistCard_artist } } }\``,
  'ArtistCard.js': `
    graphql\`fragment ArtistCard_artist on Artist @refetchable(queryName: "ArtistCardRefetchQuery")
      @argumentDefinitions(albums: { type: "Int", defaultValue: 1 }) {
      name
      albums(limit: $albums, orderBy: [{ title: ASC }]) { title }
    }\``,
  'LastTracks.js': `
    graphql\`query LastTracksQuery($count: Int = 3, $cursor: String) {
      tracks(last: $count, before: $cursor, orderBy: { milliseconds: ASC }) @connection(key: "LastTracks_tracks") {
        edges { node { name } }
      }
    }\``,
}

t.test('the schema in SDL, and what relay-compiler makes of it', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const scripts = readdirSync(join(EXAMPLE, 'db')).filter((file) => file.endsWith('.sql'))
  const sql = scripts.sort().map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
  const env = { DATABASE_URL: await createPostgresDatabase(t, { sql: sql.join('\n') }) }
  const folder = t.testdir(Object.fromEntries(Object.entries(SOURCES).map(([name, text]) => [name, text])))
  for (const file of ['schema.ts', 'svc.toml']) cpSync(join(EXAMPLE, file), join(folder, file))

  const compiled = await svc(['compile', '--sdl'], folder, env)
  t.equal(compiled.code, 0, compiled.stderr)
  t.match(compiled.stdout, /schema\.graphql\n$/)
  const path = join(folder, 'schema.graphql')
  const sdl = readFileSync(path, 'utf8')
  writeFileSync(path, `${sdl}\n`)
  const stale = await svc(['compile', '--sdl', '--check'], folder, env)
  t.equal(stale.code, 1)
  t.match(stale.stderr, /schema\.graphql is not what the schema compiles to\. Run `svc compile --sdl`/)
  writeFileSync(path, sdl)

  const service = await runService(t, folder, { env })

  await t.test('is what introspection of the running server shows', async (t) => {
    const options = { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true, directiveIsRepeatable: true }
    const { data } = (await service.graphql(getIntrospectionQuery(options))).body
    const served = lexicographicSortSchema(buildClientSchema(data as IntrospectionQuery))
    t.equal(printSchema(lexicographicSortSchema(buildSchema(sdl))), printSchema(served))
    t.strictSame(validateSchema(buildSchema(sdl)), [])
  })

  await t.test('relay-compiler takes it, and its operations run', async (t) => {
    mkdirSync(join(folder, '__generated__'))
    writeFileSync(join(folder, 'persisted.json'), '{}')
    writeFileSync(
      join(folder, 'relay.config.json'),
      JSON.stringify({
        src: '.',
        schema: 'schema.graphql',
        language: 'javascript',
        artifactDirectory: '__generated__',
        persistConfig: { file: 'persisted.json', algorithm: 'SHA256' },
      }),
    )
    const require = createRequire(import.meta.url)
    const bin = join(dirname(require.resolve('relay-compiler/package.json')), 'cli.js')
    execFileSync(process.execPath, [resolve(bin), '--noWatchman'], { cwd: folder, stdio: 'pipe' })
    const texts = Object.values(JSON.parse(readFileSync(join(folder, 'persisted.json'), 'utf8')) as object) as string[]
    const text = (name: string): string => texts.find((each) => each.includes(`query ${name}(`)) ?? ''
    const ask = async (name: string, variables: Record<string, unknown>) => {
      const { data, errors } = (await service.graphql(text(name), variables)).body
      t.equal(errors, undefined, name)
      // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
      return data as any
    }
    const artist = Buffer.from('Artist:90').toString('base64')
    const first = await ask('TracksQuery', { artist })
    t.equal(first.node.name, 'Iron Maiden')
    t.equal(first.tracks.edges.length, 2)
    t.ok(first.tracks.pageInfo.hasNextPage)
    const order = [{ milliseconds: 'DESC' }, { name: 'ASC' }]
    const next = await ask('TrackListPaginationQuery', { count: 3, cursor: first.tracks.pageInfo.endCursor, order })
    const all = await ask('TrackListPaginationQuery', { count: 5, order })
    const names = ({ tracks }: { tracks: { edges: { node: { name: string } }[] } }) =>
      tracks.edges.map(({ node }) => node.name)
    t.strictSame([...names(first), ...names(next)], names(all))
    const card = await ask('ArtistCardRefetchQuery', { id: artist, albums: 2 })
    t.equal(card.node.albums.length, 2)
    const last = await ask('LastTracksQuery', {})
    const before = await ask('LastTracksQuery', { count: 2, cursor: last.tracks.pageInfo.startCursor })
    const five = await ask('LastTracksQuery', { count: 5 })
    t.strictSame([...names(before), ...names(last)], names(five))
  })
})
