import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { compareCatalog, needsOf } from '../../../../core/service/drift/compare-catalog.ts'
import { describeDifference } from '../../../../core/service/drift/difference.ts'
import { compileArtifact, readCatalogFor } from '../../../helpers/compile-fixture.ts'
import { createPostgresDatabase, openDatabase } from '../../../helpers/databases.ts'
import { requireService } from '../../../helpers/services.ts'
import { FILMS } from '../../../schemas/films.ts'
import { POSTS, replaceView } from '../../../schemas/posts.ts'

const FUNCTIONS = `
CREATE FUNCTION fn_add_post(p_title text, p_size integer DEFAULT 0) RETURNS SETOF v_post LANGUAGE sql AS $$
  INSERT INTO post (id, title, size) SELECT max(id) + 1, p_title, p_size FROM post;
  SELECT id, title, body, unused, size FROM v_post ORDER BY id DESC LIMIT 1 $$;
`
const WITH_WRITES: AuthoredSchema = {
  ...POSTS.schema,
  mutations: [
    {
      name: 'add_post',
      type: 'Post!',
      sql_source: 'fn_add_post',
      arguments: [{ name: 'title', type: 'String!' }],
    },
  ],
}

t.test('additive changes and what nothing uses are no drift; each difference is one', async (t) => {
  const cases: readonly (readonly [title: string, sql: string, RegExp | null])[] = [
    ['a new column', replaceView('id, title, body, unused, size, 1 AS more'), null],
    ['columns in another order', replaceView('size, unused, body, title, id'), null],
    ['a column goes that nothing reads', replaceView('id, title, body, size'), null],
    ['a wider integer', replaceView('id, title, body, unused, size::bigint AS size'), null],
    ['a text of another name', replaceView('id, title::varchar(90) AS title, body, unused, size'), null],
    ['a new function', 'CREATE FUNCTION fn_more() RETURNS void LANGUAGE sql AS $$ SELECT $$', null],
    [
      'a parameter more, with a default',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_size integer DEFAULT 0', 'p_size integer DEFAULT 0, p_x text DEFAULT NULL')}`,
      null,
    ],
    [
      'a parameter of a wider type',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_title text', 'p_title varchar')}`,
      null,
    ],
    ['a column goes', replaceView('id, title, unused, size'), /^v_post has no column "body" \(Post\.body\)\.$/],
    [
      'a column of another type',
      replaceView('id, title, body, unused, size::text AS size'),
      /^v_post\."size" is text and was int4 when the schema was compiled \(Post\.size\)\.$/,
    ],
    ['the view goes', 'DROP VIEW v_post', /^The database lacks v_post; did you mean "post"\? \(Post, query posts\)\.$/],
    ['the function goes', 'DROP FUNCTION fn_add_post', /^The database lacks fn_add_post \(mutation add_post\)\.$/],
    [
      'a parameter is called otherwise',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replaceAll('p_title', 'p_name')}`,
      /^fn_add_post has no parameter p_title \(mutation add_post\)\.$/,
    ],
    [
      'a parameter more, without a default',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_size integer DEFAULT 0', 'p_size integer')}`,
      /^fn_add_post wants a parameter p_size/,
    ],
    [
      'a parameter of another type',
      `DROP FUNCTION fn_add_post; ${FUNCTIONS.replace('p_title text', 'p_title integer')}`,
      /^fn_add_post takes int4 as p_title, which was text/,
    ],
    [
      'another result',
      `DROP FUNCTION fn_add_post; CREATE FUNCTION fn_add_post(p_title text) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$`,
      /^fn_add_post returns int4 and returned SETOF v_post when/,
    ],
  ]
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: POSTS.sql + FUNCTIONS })
  const database = await openDatabase(t, url)
  const needs = needsOf(compileArtifact(WITH_WRITES, await readCatalogFor(WITH_WRITES, database)), undefined)
  t.strictSame(await compareCatalog(database, needs), [])
  for (const [title, sql, wanted] of cases) {
    await database.script('DROP VIEW IF EXISTS v_post CASCADE; DROP FUNCTION IF EXISTS fn_add_post; DROP TABLE post;')
    await database.script(POSTS.sql + FUNCTIONS)
    await database.script(sql.replace('DROP VIEW v_post', 'DROP FUNCTION fn_add_post; DROP VIEW v_post'))
    if (sql.includes('VIEW v_post') && !sql.includes('FUNCTION')) {
      const rows = FUNCTIONS.replace(
        'SETOF v_post',
        'TABLE (id integer, title text, body text, unused text, size integer)',
      )
      await database.script(
        rows.replace(
          /SELECT id, title, body, unused, size FROM v_post/,
          'SELECT id, title, body, unused, size FROM post',
        ),
      )
    }
    const found = (await compareCatalog(database, needs)).map(describeDifference)
    t.equal(found.length, wanted === null ? 0 : 1, `${title}: ${found.join(' ')}`)
    if (wanted !== null) t.match(found[0], wanted, title)
  }
})

t.test('a join table is needed by the relations through it', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  for (const [sql, expected] of [
    ['DROP VIEW v_cast; DROP TABLE cast_list', /^The database lacks cast_list.*\(Film\.actors, Actor\.films\)\.$/],
    [
      'ALTER TABLE cast_list RENAME film_id TO film',
      /^cast_list has no column "film_id".* \(Film\.actors, Actor\.films\)\.$/,
    ],
    [
      'ALTER TABLE cast_list RENAME actor_id TO actor',
      /^cast_list has no column "actor_id".* \(Film\.actors, Actor\.films\)\.$/,
    ],
    [
      'ALTER TABLE film_studio RENAME no TO nr',
      /^film_studio has no column "no".* \(Film\.studios, Studio\.films\)\.$/,
    ],
  ] as const) {
    const database = await openDatabase(t, await createPostgresDatabase(t, { sql: FILMS.sql }))
    const needs = needsOf(compileArtifact(FILMS.schema, await readCatalogFor(FILMS.schema, database)), undefined)
    t.strictSame(await compareCatalog(database, needs), [])
    await database.script(sql)
    const found = (await compareCatalog(database, needs)).map(describeDifference)
    t.equal(found.length, 1, found.join())
    t.match(found[0], expected)
  }
})
