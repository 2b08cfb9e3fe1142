import t from 'tap'
import { eachLibrary, open, read, single } from './open-sqlite.ts'

const nested = (levels: number): string => `${'SELECT * FROM ('.repeat(levels)}SELECT 'x' AS a${')'.repeat(levels)}`
const correlated = (levels: number): string =>
  `SELECT ${"json_object('a', (SELECT json(x.j) FROM (SELECT ".repeat(levels)}json('{}')${' AS j) x))'.repeat(levels)}`

await eachLibrary(t, 'a statement that is too deep leaves nothing broken behind', async (t, library) => {
  const database = await open(t, { library, sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('kept')" })
  for (const text of [nested(150), correlated(64), correlated(80), correlated(99)])
    t.ok(await single(database, text), 'deeper than any query')
  for (const levels of [1_000, 10_000, 30_000]) {
    for (const text of [nested(levels), correlated(levels)]) {
      const result = await database.query(read(text), [], null).then(
        () => 'answered',
        (error: Error) => error.constructor.name,
      )
      t.ok(['answered', 'SqliteError'].includes(result), `${levels} levels: ${result}`)
      t.equal(await single(database, 'SELECT json_group_array(a) FROM t'), '["kept"]', 'the next one runs')
    }
  }
  t.equal(await single(database, 'PRAGMA integrity_check'), 'ok')
})
