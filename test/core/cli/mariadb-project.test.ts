import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMariaDb } from '../../helpers/databases.ts'
import { openProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { onServer } from '../../plugins/mysql/open-mysql.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { advise } from './advise/world.ts'

t.setTimeout(180_000)

const SQL = `
CREATE TABLE author (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(80) NOT NULL, born DATE, settings JSON, is_active BOOLEAN NOT NULL DEFAULT TRUE);
CREATE TABLE book (isbn CHAR(13) PRIMARY KEY, title VARCHAR(200) NOT NULL, author_id INT NOT NULL, price DECIMAL(8, 2) DEFAULT 9.99,
  kind ENUM('paper', 'audio') NOT NULL DEFAULT 'paper', printed_at DATETIME(3), FOREIGN KEY (author_id) REFERENCES author (id));
CREATE TABLE shelf (id CHAR(36) PRIMARY KEY DEFAULT (UUID()), label VARCHAR(50) NOT NULL UNIQUE);
INSERT INTO author (name) VALUES ('Ann');`

t.test('a project with generated procedures compiles, writes, and follows changes of the tables', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const { url } = await createMariaDb(t, { sql: SQL })
  const parent = t.testdir()
  const folder = join(parent, 'shop')
  const run = (...argv: readonly string[]) => runCommand(folder, ...argv)
  const init = await runCommand(parent, 'init', 'shop', '--database', url, '--crud')
  t.equal(init.code, 0, init.err)
  t.match(readFileSync(join(folder, 'svc.toml'), 'utf8'), /enable = \["mysql"\]/)
  t.match(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies, { mysql2: String })
  const applied = await run('db', 'apply')
  t.equal(applied.code, 0, applied.err)
  const compiled = await run('compile')
  t.equal(compiled.code, 0, compiled.err)
  t.equal((await run('introspect', '--diff')).code, 0)

  const toml = join(folder, 'svc.toml')
  writeFileSync(toml, readFileSync(toml, 'utf8').replace('"authenticated"', '"public"'))
  const app = await openProject(t, folder, {}, JSON.parse(readFileSync(join(folder, 'schema.compiled.json'), 'utf8')))
  const graphql = async (query: string) => {
    const reply = await app.inject({ method: 'POST', url: '/graphql', body: { query } })
    return reply.json<{ data: Record<string, unknown>; errors?: readonly { extensions: { code: string } }[] }>()
  }
  const settings = '{a: [1, "it\'s"]}'
  const made = await graphql(
    `mutation { createAuthor(input: {name: "Zoë \\\\ 'x'", born: "1970-01-31", settings: ${settings}, isActive: false}) { id name born settings isActive } }`,
  )
  t.strictSame(made.data, {
    createAuthor: { id: '2', name: "Zoë \\ 'x'", born: '1970-01-31', settings: { a: [1, "it's"] }, isActive: false },
  })
  const book = await graphql(
    'mutation { createBook(input: {isbn: "978", title: "T", authorId: 2, printedAt: "2024-02-29T10:00:00.5+02:00"}) { isbn price kind printedAt } }',
  )
  t.match(book, {
    data: {
      createBook: { isbn: '978', price: '9.99', printedAt: /^2024-02-29T08:00:00\.5/ },
    },
  })
  t.match(
    await graphql('mutation { updateBook(isbn: "978", input: {price: "1.50", kind: AUDIO}) { isbn price title } }'),
    {
      data: { updateBook: { price: '1.50', title: /^T$/ } },
    },
  )
  const { data } = await graphql('mutation { createShelf(input: {label: "A"}) { id label } }')
  t.match(data.createShelf, { id: /^[0-9a-f-]{36}$/, label: /^A$/ }, 'the database makes its key')
  t.match(await graphql('mutation { updateAuthor(id: 99, input: {name: "x"}) { id } }'), {
    errors: [{ extensions: { code: 'NOT_FOUND' } }],
  })
  t.match(await graphql('mutation { createShelf(input: {label: "A"}) { id } }'), {
    errors: [{ extensions: { code: 'CONFLICT' } }],
  })
  t.match(await graphql('mutation { deleteAuthor(id: 2) { id } }'), {
    errors: [{ extensions: { code: 'CONSTRAINT_VIOLATION' } }],
  })
  t.match(await graphql('mutation { deleteBook(isbn: "978") { isbn title } }'), {
    data: { deleteBook: { title: /^T$/ } },
  })
  t.match(await graphql('mutation { updateAuthor(id: 2, input: {born: null}) { name born isActive } }'), {
    data: { updateAuthor: { name: "Zoë \\ 'x'", born: null, isActive: false } },
  })

  await onServer(url, 'ALTER TABLE shelf ADD COLUMN room INT')
  t.equal((await run('introspect', '--diff')).code, 1)
  t.equal((await run('introspect', '--write')).code, 0)
  t.match(readFileSync(join(folder, 'db/functions/shelf.sql'), 'utf8'), '`room`')
  t.equal((await run('db', 'apply')).out, 'db/functions/shelf.sql\n1 file applied.\n')
})

t.test('svc db apply, with what MariaDB commits', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const { url } = await createMariaDb(t)
  const folder = t.testdir()
  mkdirSync(join(folder, 'db/functions'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, 'db', name), text)
  writeFileSync(
    join(folder, 'svc.toml'),
    `[plugins]\npreset = "minimal"\nenable = ["mysql"]\n[database]\nurl = "${url}"\n`,
  )
  write(
    '01_table.sql',
    "CREATE TABLE note (id INT PRIMARY KEY, text VARCHAR(20)); -- ; the first\nINSERT INTO note VALUES (1, 'a\\';b\"');\n",
  )
  write(
    'functions/x.sql',
    'DROP PROCEDURE IF EXISTS x;\nCREATE PROCEDURE x() BEGIN IF 1 THEN SELECT CASE WHEN 1 THEN ";" END AS a; END IF; END;\n' +
      'DELIMITER $$\nDROP PROCEDURE IF EXISTS y$$\nCREATE PROCEDURE y() BEGIN SELECT 1 AS a; END$$\nDELIMITER ;\n',
  )
  const apply = (...flags: readonly string[]) => runCommand(folder, 'db', 'apply', ...flags)
  const dry = await apply('--dry-run')
  t.equal(dry.code, 2, dry.out)
  t.match(dry.err, /commit each CREATE and ALTER statement/)
  const both = await Promise.all([apply(), apply()])
  t.same(
    both.map(({ out }) => out.split('\n').at(-2)).sort(),
    ['2 files applied.', 'Nothing to apply.'],
    both.map(({ err }) => err).join(),
  )
  t.equal((await apply('--status')).code, 0)
  write('02_more.sql', 'CREATE TABLE more (id INT);\nINSERT INTO more VALUES (1);\nSELEC 1;\n')
  const failed = await apply()
  t.match(failed.err, /those before it stay\.\s+db\/02_more\.sql:3:1: You have an error/)
  write('02_more.sql', 'INSERT INTO more VALUES (2);\n')
  t.equal((await apply()).out, 'db/02_more.sql\n1 file applied.\n', 'the lock is free again')
})

t.test('svc advise on MariaDB', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const { url } = await createMariaDb(t, {
    sql: `CREATE TABLE author (id INT PRIMARY KEY, name VARCHAR(50) NOT NULL, bio TEXT);
      CREATE TABLE post (id INT PRIMARY KEY, title VARCHAR(50) NOT NULL, author_id INT NOT NULL, \`rank\` INT);
      CREATE TABLE note (text VARCHAR(9)); CREATE VIEW v_post AS SELECT * FROM post;
      INSERT INTO author VALUES (1, 'a', NULL); INSERT INTO post SELECT seq, 't', 1, seq FROM seq_1_to_10000; ANALYZE TABLE post;`,
  })
  const found = await advise(t.testdir(), '--database', url)
  t.strictSame(found.ids('missing-primary-key', 'missing-foreign-key'), [
    'missing-primary-key:note',
    'missing-foreign-key:post.author_id',
  ])
  t.strictSame(found.one('missing-foreign-key:post.author_id').statements, [
    'ALTER TABLE `post` ADD CONSTRAINT `post_author_id_fkey` FOREIGN KEY (`author_id`) REFERENCES `author` (`id`);',
  ])
  t.ok(found.ids('index-sort').includes('index-sort:post.title'))
  const statements = found.advice.flatMap((one) => one.statements)
  t.ok(statements.includes('CREATE INDEX `post_rank_idx` ON `post` (`rank`);'), statements.join('\n'))
  await onServer(url, statements.join('\n'))
  const after = await advise(t.testdir(), '--database', url)
  t.strictSame(
    after.ids('index-sort', 'missing-foreign-key', 'index-relation'),
    [],
    'the statements are what was advised',
  )
})

t.test('project.database_target and database.url agree', async (t) => {
  const folder = t.testdir()
  const config = (target: string, url: string) =>
    writeFileSync(
      join(folder, 'svc.toml'),
      `[project]\ndatabase_target = "${target}"\n[plugins]\npreset = "minimal"\nenable = ["mysql", "sqlite"]\n${url === '' ? '' : `[database]\nurl = "${url}"\n`}`,
    )
  writeFileSync(
    join(folder, 'schema.json'),
    JSON.stringify(tableSchema({ name: 'Note', list: 'notes', fields: { id: 'ID!' } })),
  )
  config('postgresql', 'mysql://root:secret@localhost/shop')
  const refused = await runCommand(folder, 'compile')
  t.equal(refused.code, 2)
  t.match(
    refused.err,
    /svc\.toml:2: "postgresql" is not the kind of database of database\.url, which begins with mysql: and is "mysql"/,
  )
  t.notMatch(refused.err, 'secret')
  for (const [target, dialect] of [
    ['mysql', 'mysql'],
    ['sqlite', 'sqlite'],
    ['postgresql', 'postgres'],
  ] as const) {
    config(target, '')
    const offline = await runCommand(folder, 'compile', '--offline')
    t.match(offline.out, `for the dialect ${dialect}`, offline.err)
  }
  config('sqlserver', '')
  const lacking = await runCommand(folder, 'compile', '--offline')
  t.not(lacking.code, 0)
  t.match(
    lacking.err,
    /svc has no driver for SQL Server \("sqlserver:"\)\. Enabled drivers: .*mysql.*Change project\.database_target to a database of/,
  )
  t.notMatch(lacking.err, /database\.url/, 'no URL is configured')
})
