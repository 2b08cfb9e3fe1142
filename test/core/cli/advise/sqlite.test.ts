import t from 'tap'
import { createSqlite } from '../../../helpers/databases.ts'
import { advise } from './world.ts'

t.setTimeout(120_000)

t.test('indexes and keys of an SQLite file', async (t) => {
  const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)'
  const { url } = await createSqlite(t, {
    sql: `CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE post (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (id), editor_id INTEGER, author_2_id INTEGER
      );
      CREATE TABLE editor (id INTEGER PRIMARY KEY);
      CREATE TABLE note (text TEXT);
      INSERT INTO author VALUES (1, 'a');
      INSERT INTO post ${many} SELECT i, 't', 1, NULL, NULL FROM n;`,
  })
  const cwd = t.testdir()
  const found = await advise(cwd, '--database', url)
  t.strictSame(found.ids('index-relation', 'missing-primary-key', 'missing-foreign-key'), [
    'index-relation:post.author_id',
    'missing-primary-key:note',
    'missing-foreign-key:post.editor_id',
  ])
  t.strictSame(found.one('index-relation:post.author_id').statements, [
    'CREATE INDEX post_author_id_idx ON post (author_id);',
  ])
  t.equal(found.one('index-relation:post.author_id').gain, null, 'SQLite counts no costs')
  t.match(found.one('missing-foreign-key:post.editor_id').message, 'must be created again')
  t.ok(found.ids('index-sort').includes('index-sort:post.title'), 'a table with many rows')
  t.notOk(found.ids('index-sort').includes('index-sort:author.name'), 'a table with few rows')
  t.strictSame(found.ids('index-pattern', 'row-security-bypassed'), [])
})

t.test('an SQLite file with indexes and keys gives no advice', async (t) => {
  const { url } = await createSqlite(t, {
    sql: `CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (id));
      CREATE INDEX post_author ON post (author_id);`,
  })
  const { advice } = await advise(t.testdir(), '--database', url)
  t.strictSame(advice, [])
})

t.test('a list through a join table looks up its rows from both sides', async (t) => {
  const { url } = await createSqlite(t, {
    sql: `CREATE TABLE film (id INTEGER PRIMARY KEY);
      CREATE TABLE actor (id INTEGER PRIMARY KEY);
      CREATE TABLE film_actor (
        film_id INTEGER NOT NULL REFERENCES film (id), actor_id INTEGER NOT NULL REFERENCES actor (id), PRIMARY KEY (film_id, actor_id)
      );`,
  })
  const found = await advise(t.testdir(), '--database', url)
  t.strictSame(found.ids('index-relation'), ['index-relation:film_actor.actor_id'])
  t.strictSame(found.one('index-relation:film_actor.actor_id').used_by, ['Actor.films'])
})
