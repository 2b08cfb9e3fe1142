import { readFileSync } from 'node:fs'
import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import { proposeSchema } from '../../../core/introspect/propose-schema.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase, createSqlite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { requireService } from '../../helpers/services.ts'
import { compareType } from './compare-with-sql.ts'
import { loadPrinted } from './load-printed.ts'

const read = (...paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8')).join('\n')
const DATABASES = {
  Chinook: read(
    ...['01_tables', '02_data', '03_views', '04_functions'].map((name) => `examples/chinook/db/${name}.sql`),
  ),
  'the odd database': read('test/schemas/odd-database.sql'),
}

for (const [name, sql] of Object.entries(DATABASES)) {
  t.test(`the schema of ${name} compiles, and its queries are answered as by SQL`, async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t, { sql })
    const database = await openTestDatabase(t, { kind: 'postgres', url })
    const { schema } = proposeSchema(await database.introspect!(), { writes: true })
    const catalog = await readCatalogFor(schema, database)
    const { dialect } = database
    const { compiled, faults, warnings } = compileSchema(schema, { catalog, owned: OWNED_KEYS, dialect })
    t.same([faults, warnings], [[], []])
    t.same(await loadPrinted(printTypeScript(schema)), schema, 'the printed module says the same')
    const app = await openApp(t, { kind: 'postgres', url }, schema)
    const compared = { compiled: compiled!, graphql: app.graphql, sql: (text: string) => runSql(url, text) }
    for (const type of schema.types ?? []) {
      const { answered, stored } = await compareType(compared, schema, type.name)
      t.same(answered, stored, type.name)
    }
  })
}

/** The part of Chinook with a join table, as its script for SQLite has it: the key is declared, and no column is NOT NULL. */
const PLAYLISTS = `
CREATE TABLE Playlist (PlaylistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200) NOT NULL);
CREATE TABLE PlaylistTrack (PlaylistId INTEGER, TrackId INTEGER, CONSTRAINT PK_PlaylistTrack PRIMARY KEY (PlaylistId, TrackId),
  FOREIGN KEY (PlaylistId) REFERENCES Playlist (PlaylistId), FOREIGN KEY (TrackId) REFERENCES Track (TrackId));
INSERT INTO Playlist VALUES (1, 'Rock'), (2, 'Empty'), (3, 'All');
INSERT INTO Track VALUES (1, 'a'), (2, 'b'), (3, 'c');
INSERT INTO PlaylistTrack VALUES (1, 1), (1, 3), (3, 1), (3, 2), (3, 3);
`

t.test('a join table of SQLite is folded, and its lists are read', async (t) => {
  const url = await createSqlite(t, { sql: PLAYLISTS })
  const database = await openTestDatabase(t, url)
  const { schema } = proposeSchema(await database.introspect!())
  t.same(
    schema.types?.map(({ name }) => name),
    ['Playlist', 'Track'],
  )
  const app = await openApp(t, url, schema)
  const { data, errors } = await app.graphql(
    '{ playlists(orderBy: [{ id: ASC }]) { items { name tracks(orderBy: [{ name: DESC }], limit: 2) { name playlists(where: { name: { _neq: "All" } }) { name } } } } }',
  )
  t.equal(errors, undefined)
  const inRock = (name: string) => ({ name, playlists: [{ name: 'Rock' }] })
  t.same(data.playlists.items, [
    { name: 'Rock', tracks: [inRock('c'), inRock('a')] },
    { name: 'Empty', tracks: [] },
    { name: 'All', tracks: [inRock('c'), { name: 'b', playlists: [] }] },
  ])
})
