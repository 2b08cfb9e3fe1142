import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { catalogNames } from '../../../core/compiler/catalog-names.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { Database } from '../../../core/contract/database.ts'
import { eachDatabase, runOnServer } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import type { TestLike } from '../../helpers/services.ts'
import { eachLibrary, makeFolder, open } from '../../plugins/sqlite/open-sqlite.ts'
import { createEngine, type Engine, unpacked } from './engine.ts'
import { librarySchema, MYSQL_SQL, ROLES, ROLES_SQL, SQLITE_SCRIPTS, SQLITE_SQL } from './library.ts'
import { CONFIGURED, MASKED, RULES, type RuleRow, SAID, TYPE_OPTIONS } from './rules.ts'
import { WAYS, type WayRow } from './ways.ts'

t.setTimeout(600_000)

/**
 * Every rule × every way on which rows are opened × JSON by the database or by the process × dialect. In each cell ann
 * may not see what is bob's; its twin shows it to bob.
 */
async function grid(t: TestLike, database: Database): Promise<void> {
  for (const [form, own] of [
    ['packed', database],
    ['database-written', unpacked(database)],
  ] as const) {
    for (const [name, rule] of Object.entries(RULES)) {
      if (rule.dialect !== undefined && rule.dialect !== database.dialect.name) continue
      if (rule.packedOnly && form !== 'packed') continue
      // proves: type.inject type.row_filter type.open query.inject query.row_filter
      await t.test(`${form}: ${name}`, async (t) => {
        const base = rule.schema(librarySchema())
        if (rule.hides === 'rows of queries') await aroundQueries(t, own, base)
        const open = {
          ...base,
          queries: [...(base.queries ?? []), OTHER],
          types:
            base.types?.map((type) =>
              rule.hides === 'rows of queries' && type.name === 'Book' ? { ...type, open: true } : type,
            ) ?? [],
        }
        const engine = await createEngine(own, open, rule.authorize, { session: rule.session })
        for (const [label, way] of Object.entries(WAYS)) {
          if (/^rows of/.test(rule.hides) && !way.byQuery) continue
          await cell(t, label, engine, rule, way)
        }
        await byOther(t, engine, rule)
      })
    }
  }
}

/** Another query of the type, of which no rule of queries is said. */
const OTHER = { name: 'other_books', type: '[Book!]!', sql_source: 'v_book' } as const

/** A rule of the type holds for every query of it, one of a query for that query. */
async function byOther(t: TestLike, engine: Engine, rule: RuleRow): Promise<void> {
  const ask: WayRow['row'] = (to, _value, who) => to.ask('{ otherBooks { id title } }', who)
  if (!/^rows of/.test(rule.hides)) {
    return cell(t, 'another query', engine, rule, { row: ask, field: ask, seen: (id) => id, byQuery: true })
  }
  const { text, codes } = await ask(engine, 'bob-1', 'ann')
  t.strictSame(codes, [], 'another query: without errors')
  t.match(text, '"bob-1"', `another query: shown (${text})`)
}

async function cell(t: TestLike, label: string, engine: Engine, rule: RuleRow, way: WayRow): Promise<void> {
  const has = (text: string, wanted: string | RegExp): boolean =>
    typeof wanted === 'string' ? text.includes(`"${wanted}"`) : wanted.test(text)
  if (rule.hides === 'field') {
    const seen = way.fieldSeen ?? 'Of bob'
    const hidden = await way.field(engine, 'Of bob', 'ann')
    t.notOk(has(hidden.text, seen), `${label}: hidden (${hidden.text})`)
    t.ok(hidden.codes.includes('FORBIDDEN'), `${label}: and told so`)
    const twin = await way.field(engine, 'Of bob', 'bob')
    t.strictSame(twin.codes, [], `${label}: its twin has no errors`)
    t.ok(has(twin.text.replaceAll('\\"', '"'), seen), `${label}: its twin is shown (${twin.text})`)
    return
  }
  if (rule.hides === 'field of rows') {
    const seen = way.fieldSeen ?? 'Of bob'
    const hidden = await way.field(engine, 'Of bob', 'ann')
    t.notOk(has(hidden.text, seen), `${label}: hidden (${hidden.text})`)
    const own = await way.field(engine, 'Of bob', 'bob')
    // What filters and orders could tell of it is closed whoever asks.
    if (way.fieldSeen !== undefined) t.ok(own.codes.includes('FORBIDDEN'), `${label}: closed (${own.codes})`)
    else t.ok(has(own.text.replaceAll('\\"', '"'), seen), `${label}: shown to bob (${own.text})`)
    return
  }
  if (rule.hides === 'field masked') {
    const seen = way.fieldSeen ?? 'Of bob'
    const hidden = await way.field(engine, 'Of bob', 'ann')
    const text = hidden.text.replaceAll('\\"', '"')
    t.notOk(has(text, seen), `${label}: hidden (${hidden.text})`)
    // What would tell of the value by which rows there are, or in which order, is closed.
    if (way.fieldSeen !== undefined) t.ok(hidden.codes.includes('FORBIDDEN'), `${label}: closed (${hidden.codes})`)
    else t.ok(has(text, MASKED), `${label}: shown otherwise (${hidden.text})`)
    const twin = await way.field(engine, 'Of bob', 'bob')
    t.strictSame(twin.codes, [], `${label}: its twin has no errors`)
    t.ok(has(twin.text.replaceAll('\\"', '"'), seen), `${label}: its twin is shown (${twin.text})`)
    return
  }
  const seen = way.seen('bob-1')
  const hidden = await way.row(engine, 'bob-1', 'ann')
  t.notOk(has(hidden.text.replaceAll('\\"', '"'), seen), `${label}: hidden (${hidden.text})`)
  if (rule.hides === 'type') t.ok(hidden.codes.includes('FORBIDDEN'), `${label}: and told so (${hidden.codes})`)
  const twin = await way.row(engine, 'bob-1', 'bob')
  t.strictSame(twin.codes, [], `${label}: its twin has no errors`)
  t.ok(has(twin.text.replaceAll('\\"', '"'), seen), `${label}: its twin is shown (${twin.text})`)
  if (rule.hides === 'type') return
  const nobody = await way.row(engine, 'bob-1', null)
  t.notOk(has(nobody.text.replaceAll('\\"', '"'), seen), `${label}: nobody sees it (${nobody.text})`)
  t.ok(nobody.codes.includes(rule.absence ?? 'UNAUTHENTICATED'), `${label}: absence denies (${nobody.codes})`)
}

/** Where the rules of queries do not hold, the schema does not compile until the type says `open`. */
async function aroundQueries(t: TestLike, database: Database, schema: ReturnType<typeof librarySchema>): Promise<void> {
  const catalog = await database.catalog(catalogNames(schema))
  const { faults } = compileSchema(schema, { owned: OWNED_KEYS, catalog, dialect: database.dialect })
  t.match(faults, [{ id: 'open-rows' }])
  const [fault] = faults
  for (const [label, { around }] of Object.entries(WAYS)) {
    if (around === undefined) continue
    t.ok(fault?.message.includes(around), `${label}: "${around}" is named in: ${fault?.message}`)
  }
}

t.test('every rule has a row', async (t) => {
  const rules = Object.keys(RULES)
  for (const [option, kind] of Object.entries(TYPE_OPTIONS)) {
    t.equal(rules.includes(`type ${option}`), kind === 'rule', `option ${option} of a type`)
  }
  for (const [call, made] of Object.entries(SAID))
    for (const rule of made) t.ok(rules.includes(rule), `${call}: ${rule}`)
  for (const [key, rule] of Object.entries(CONFIGURED)) t.ok(rule === null || rules.includes(rule), `${key}: ${rule}`)
  for (const [label, { byQuery, around }] of Object.entries(WAYS)) {
    t.ok(byQuery || around !== undefined, `${label} is a way of queries, or one around them`)
  }
})

await eachDatabase(
  t,
  async (t, test) => {
    if (test.kind === 'postgres') {
      const name = new URL(test.url).pathname.slice(1)
      t.teardown(async () => {
        for (const role of ROLES) {
          await runOnServer(name, `DROP OWNED BY ${role}`)
          await runOnServer('postgres', `DROP ROLE ${role}`)
        }
      })
    }
    await grid(t, await openTestDatabase(t, test))
  },
  { pglite: 'always', sql: ROLES_SQL, mysql: { sql: MYSQL_SQL } },
)

await eachLibrary(t, 'sqlite', async (t, library) => {
  const folder = await makeFolder(t)
  await mkdir(join(folder, 'db/functions'), { recursive: true })
  for (const [file, text] of Object.entries(SQLITE_SCRIPTS)) {
    await writeFile(join(folder, 'db/functions', `${file}.sql`), text)
  }
  await grid(t, await open(t, { library, folder, sql: SQLITE_SQL }))
})
