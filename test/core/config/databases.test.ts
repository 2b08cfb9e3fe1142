import { readFile, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import type { SvcError } from '../../../core/base/errors/svc-error.ts'
import { createSqlite } from '../../helpers/databases.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

t.setTimeout(120_000)

const HEAD = `[security]
default_policy = "public"
[plugins]
preset = "minimal"
enable = ["sqlite"]
[database]
url = "sqlite:shop.db"
`
const refused = async (test: Test, toml: string) => {
  const folder = test.testdir()
  writeProject(folder, `${HEAD}${toml}`)
  return openProject(test, folder).then(
    () => test.fail('it booted') as never,
    (error: SvcError) => error,
  )
}

t.test('sections that cannot be', async (t) => {
  t.match(await refused(t, '[databases.default]\nurl = "sqlite:crm.db"\n'), {
    code: 'SVC_CONFIG_INVALID',
    message: /databases\.default.*svc\.toml:8.*is the name of the database of \[database\]|"default" is the name/s,
  })
  t.match(await refused(t, '[databases.CRM]\nurl = "sqlite:crm.db"\n'), { message: /"CRM" is no name of a database/ })
  t.match(await refused(t, '[databases.crm]\ntype = "sqlite"\n'), { message: /databases\.crm\.url is missing/ })
  t.match(await refused(t, '[databases.crm]\nurl = "x"\npol_max = 3\n'), { message: /Did you mean "pool_max"/ })
})

t.test('compile, doctor and run know both', async (t) => {
  const folder = t.testdir({
    'svc.toml': `${HEAD}[databases.crm]\nurl = "sqlite:crm.db"\ntype = "sqlite"\nfunctions = "crm"\n`,
    'schema.json': JSON.stringify(
      extendSchema(
        tableSchema({ name: 'Product', list: 'products', fields: { id: 'ID!' } }),
        tableSchema({ name: 'Customer', database: 'crm', list: 'customers', fields: { id: 'ID!', name: 'String!' } }),
      ),
    ),
    db: { '1.sql': 'CREATE TABLE v_product (id integer PRIMARY KEY); INSERT INTO v_product VALUES (1);' },
    crm: {},
  })
  const early = await runCommand(folder, 'compile')
  t.not(early.code, 0)
  t.match(early.err, /The embedded database of databases\.crm\.url is not there/)

  const crm = await createSqlite(t, {
    sql: "CREATE TABLE v_customer (id integer PRIMARY KEY, name text NOT NULL); INSERT INTO v_customer VALUES (1, 'Ann');",
  })
  const toml = await readFile(`${folder}/svc.toml`, 'utf8')
  await writeFile(`${folder}/svc.toml`, toml.replace('sqlite:crm.db', crm.url))
  const compiled = await runCommand(folder, 'compile')
  t.equal(compiled.code, 0, compiled.err)

  const doctor = await runCommand(folder, 'doctor')
  t.match(doctor.out, /database crm.*sqlite answers/)
  t.match(doctor.out, /sources of crm.*1 views/)

  const artifact = JSON.parse(await readFile(`${folder}/schema.compiled.json`, 'utf8'))
  t.strictSame(artifact.databases, { crm: { dialect: 'sqlite' } })
  const app = await openProject(t, folder, {}, artifact)
  const reply = await app.inject({
    method: 'POST',
    url: '/graphql',
    body: { query: '{ customers { name } products { id } }' },
  })
  t.strictSame(reply.json(), { data: { customers: [{ name: 'Ann' }], products: [{ id: '1' }] } })
  t.strictSame([...app.databases.keys()], ['crm'])
})

t.test('a compiled schema wants the databases that it was compiled with', async (t) => {
  const folder = t.testdir()
  writeProject(folder, HEAD)
  const { compileSchema } = await import('../../../core/compiler/compile.ts')
  const { compiled } = compileSchema(
    tableSchema({
      name: 'Customer',
      database: 'crm',
      sql_source: 'v_customer',
      list: 'customers',
      fields: { id: 'ID!' },
    }),
    {
      owned: OWNED_KEYS,
      catalog: null,
      dialect: { name: 'sqlite', operators: new Set() },
      databases: new Map([['crm', {}]]),
    },
  )
  await t.rejects(openProject(t, folder, {}, compiled!), {
    code: 'SVC_SCHEMA_INVALID',
    message: /reads the database "crm", and svc\.toml has no section \[databases\.crm\]/,
  })
  writeProject(folder, `${HEAD}[databases.crm]\nurl = "sqlite:memory"\n`)
  await t.rejects(openProject(t, folder, {}, compiled!), {
    message: /that one speaks "sqlite", and it was compiled for "postgres"/,
  })
  writeProject(folder, `${HEAD}[databases.crm]\nurl = "sqlite:memory"\ntype = "postgres"\n`)
  await t.rejects(openProject(t, folder, {}, compiled!), {
    message: /databases\.crm\.type is "postgres", and its URL is one of "sqlite"/,
  })
  writeProject(folder, `${HEAD}[databases.crm]\nurl = "mongodb:memory"\n`)
  await t.rejects(openProject(t, folder, {}, compiled!), { message: /\[databases\.crm\].*no driver for MongoDB/s })

  const minimal = HEAD.replace('enable = ["sqlite"]\n', '').replace('"sqlite:shop.db"', '"postgres://localhost/x"')
  writeProject(folder, `${minimal}[databases.crm]\nurl = "sqlite:crm.db"\n`)
  await t.rejects(
    openProject(t, folder, {}, compiled!),
    {
      message:
        /databases\.crm\.url \(svc\.toml:8\) has the scheme "sqlite", which plugin "sqlite" speaks, and that is not in the list: not in the preset\. To run it, write enable = \["sqlite"\] under \[plugins\]/,
    },
    'the driver to enable, and the line',
  )
})
