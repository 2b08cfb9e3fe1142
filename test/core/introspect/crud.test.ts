import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { type CrudProposal, proposeCrud } from '../../../core/introspect/crud/propose-crud.ts'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPglite, createPostgresDatabase, createSqlite, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { loadPrinted } from './load-printed.ts'

const read = (...paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8')).join('\n')
const ODD = read('test/schemas/odd-database.sql')
const ODD_SQLITE = read('test/schemas/odd-database-sqlite.sql')
const CHINOOK = read(
  ...['01_tables', '02_data', '03_views', '04_functions'].map((name) => `examples/chinook/db/${name}.sql`),
)

interface Generated {
  readonly app: TestApp
  readonly proposal: CrudProposal
  /** Runs a statement and returns the first row. */
  readonly row: (sql: string) => Promise<readonly (string | null)[] | undefined>
}

/** Generates the functions of a database, applies them, compiles the schema, and serves it. */
async function generate(
  t: TestLike & Pick<typeof import('tap').default, 'same'>,
  test: TestDatabase,
): Promise<Generated> {
  const database = await openTestDatabase(t, test)
  const dialect = test.kind === 'sqlite' ? 'sqlite' : 'postgres'
  const proposal = proposeCrud(await database.introspect!(), { dialect })
  for (const { path, text } of proposal.files) {
    if (test.functions !== undefined) await writeFile(join(test.functions, basename(path)), text)
    else await database.script(text)
  }
  const again = proposeCrud(await database.introspect!(), { dialect })
  t.same(
    [again.schema, again.files],
    [proposal.schema, proposal.files],
    'generated functions are no functions of the user',
  )
  const catalog = await readCatalogFor(proposal.schema, database)
  const options = { catalog, owned: OWNED_KEYS, dialect: database.dialect }
  const { faults, warnings } = compileSchema(proposal.schema, options)
  t.same(
    [faults, warnings].map((all) => all.map(({ message }) => message)),
    [[], []],
  )
  t.same(await loadPrinted(printTypeScript(proposal.schema)), proposal.schema, 'the printed module says the same')
  // Only one process part can have an embedded database.
  await database.close()
  const app = await openApp(t, test, proposal.schema)
  const row = async (text: string) =>
    (await app.database.query({ name: null, text }, [], null)).rows[0] as (string | null)[]
  return { app, proposal, row }
}

const ALL = {
  async postgres(t: TestLike, sql: string) {
    return { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) } as const
  },
  async pglite(t: TestLike, sql: string) {
    return { kind: 'pglite', url: await createPglite(t, { sql }) } as const
  },
}

for (const kind of ['postgres', 'pglite', 'sqlite'] as const) {
  t.test(`${kind}: generated functions of the odd database write as SQL does`, async (t) => {
    if (kind === 'postgres' && !(await requireService(t, 'postgres'))) return
    const test = kind === 'sqlite' ? await createSqlite(t, { sql: ODD_SQLITE }) : await ALL[kind](t, ODD)
    const { app, row } = await generate(t, test)
    const ok = async (query: string, variables?: object) => {
      const { data, errors } = await app.graphql(query, variables)
      t.equal(errors, undefined, `${query}: ${JSON.stringify(errors)}`)
      return data
    }
    const code = async (query: string) => {
      const { errors } = await app.graphql(query)
      return errors?.map(({ extensions }) => extensions.code).join()
    }
    const mood = kind === 'sqlite' ? '"sad today"' : 'SAD_TODAY'
    const happy = kind === 'sqlite' ? 'happy' : 'HAPPY'

    // A column that the input lacks gets its default; null is NULL.
    const created = await ok(
      'mutation { createCustomer(input: { email: "dan@x", name: "Dan", invitedBy: null }) { id name mood lowerName } }',
    )
    const { id } = created.createCustomer
    t.match(created.createCustomer, { name: 'Dan', mood: happy, lowerName: 'dan' })
    t.same(await row(`SELECT email, name, mood, password_hash FROM customer WHERE id = ${id}`), [
      'dan@x',
      'Dan',
      'happy',
      null,
    ])

    // Absent stays, null sets NULL, and the relation of the answer is the new one.
    const update = await ok(
      `mutation { updateCustomer(id: ${id}, input: { invitedBy: 1, mood: ${mood} }) { name mood invitedBy { name } } }`,
    )
    t.same(update.updateCustomer, {
      name: 'Dan',
      mood: JSON.parse(mood === 'SAD_TODAY' ? '"SAD_TODAY"' : mood),
      invitedBy: { name: 'Ada' },
    })
    await ok(`mutation { updateCustomer(id: ${id}, input: { invitedBy: null }) { id } }`)
    t.same(await row(`SELECT invited_by, mood, name FROM customer WHERE id = ${id}`), [null, 'sad today', 'Dan'])
    t.equal(await code(`mutation { updateCustomer(id: ${id}, input: { name: null }) { id } }`), 'CONSTRAINT_VIOLATION')

    // Violations of keys, and rows that do not exist.
    t.equal(
      await code('mutation { createCustomer(input: { email: "ada@example.com", name: "Other" }) { id } }'),
      'CONFLICT',
    )
    t.equal(
      await code(`mutation { updateCustomer(id: ${id}, input: { email: "ada@example.com" }) { id } }`),
      'CONFLICT',
    )
    t.equal(
      await code(`mutation { updateCustomer(id: ${id}, input: { invitedBy: 999 }) { id } }`),
      'CONSTRAINT_VIOLATION',
    )
    t.equal(await code('mutation { deleteEmployee(id: 1) { id } }'), 'CONSTRAINT_VIOLATION')
    t.equal(await code('mutation { updateCustomer(id: 999, input: { name: "x" }) { id } }'), 'NOT_FOUND')
    t.equal(await code('mutation { deleteCustomer(id: 999) { id } }'), 'NOT_FOUND')
    t.same(await row(`SELECT email FROM customer WHERE id = ${id}`), ['dan@x'])
    const deleted = await ok(`mutation { deleteCustomer(id: ${id}) { id name mood } }`)
    t.match(deleted.deleteCustomer, { id: String(id), name: 'Dan' })
    t.equal(await row(`SELECT 1 FROM customer WHERE id = ${id}`), undefined)

    // A key of several columns.
    const line = 'orderId: 3, lineNo: 7'
    const product = async () => row('SELECT product, sku FROM order_line WHERE order_id = 3 AND line_no = 7')
    t.same(
      await ok(`mutation { createOrderLine(input: { ${line}, product: "cap", sku: "s9" }) { lineNo product sku } }`),
      { createOrderLine: { lineNo: 7, product: 'cap', sku: 's9' } },
    )
    t.same(await ok(`mutation { updateOrderLine(${line}, input: { product: "hat" }) { product sku } }`), {
      updateOrderLine: { product: 'hat', sku: 's9' },
    })
    t.same(await product(), ['hat', 's9'])
    t.same(await ok(`mutation { upsertOrderLine(input: { ${line}, product: "tie", sku: null }) { product sku } }`), {
      upsertOrderLine: { product: 'tie', sku: null },
    })
    t.same(await product(), ['tie', null])
    t.same(await ok(`mutation { deleteOrderLine(${line}) { product } }`), { deleteOrderLine: { product: 'tie' } })
    t.same(await ok(`mutation { upsertOrderLine(input: { ${line}, product: "new" }) { product sku } }`), {
      upsertOrderLine: { product: 'new', sku: null },
    })
    t.same(await product(), ['new', null])
    // The answer has relations, although the row has no id.
    const ofOrder = '{ product order { id customer { name } } }'
    const inOrder = (product: string) => ({ product, order: { id: '2', customer: { name: 'Bob' } } })
    const other = 'orderId: 2, lineNo: 9'
    t.same(await ok(`mutation { createOrderLine(input: { ${other}, product: "a" }) ${ofOrder} }`), {
      createOrderLine: inOrder('a'),
    })
    t.same(await ok(`mutation { updateOrderLine(${other}, input: { product: "b" }) ${ofOrder} }`), {
      updateOrderLine: inOrder('b'),
    })
    t.same(await ok(`mutation { upsertOrderLine(input: { ${other}, product: "c" }) ${ofOrder} }`), {
      upsertOrderLine: inOrder('c'),
    })
    t.same(
      await ok(
        'mutation { createBookTag(input: { bookId: 3, tagId: 2 }) { book { title } tag { name } } deleteBookTag(bookId: 3, tagId: 2) { __typename } }',
      ),
      {
        createBookTag: { book: { title: 'Field' }, tag: { name: 'old' } },
        deleteBookTag: { __typename: 'BookTag' },
      },
    )

    // Upsert by the key that clients set: the rows of SQLite are numbered, so that the name is left.
    const upsert = (name: string) =>
      ok(`mutation { upsertTag(input: { ${kind === 'sqlite' ? '' : 'id: 9, '}name: "${name}" }) { id name } }`)
    const { upsertTag } = await upsert('fresh')
    t.match(upsertTag, { name: 'fresh' })
    const name = kind === 'sqlite' ? 'fresh' : 'stale'
    t.same(await upsert(name), { upsertTag: { id: upsertTag.id, name } })
    t.same(await row(`SELECT count(*), max(name) FROM tag WHERE id = ${upsertTag.id}`), ['1', name])

    // Names that need quotes.
    const order =
      '{ customerId: 1, select: "s", from: "2024-05-01", aB: "dot", quoTe: "q", itS: "i", _2nd: "2", hyPhen: "-" }'
    const odd = await ok(
      `mutation { createOrder(input: ${order}) { id select from aB quoTe itS _2nd hyPhen customer { name } } }`,
    )
    const { id: oddId, ...shown } = odd.createOrder
    t.same(shown, {
      select: 's',
      from: '2024-05-01',
      aB: 'dot',
      quoTe: 'q',
      itS: 'i',
      _2nd: '2',
      hyPhen: '-',
      customer: { name: 'Ada' },
    })
    await ok(`mutation { updateOrder(id: ${oddId}, input: { aB: null, grosse: "L", totalAmount: "3.50" }) { id } }`)
    t.same(await row(`SELECT "a.b", "größe", "quo""te", "Total Amount" = 3.5 FROM "Order" WHERE id = ${oddId}`), [
      null,
      'L',
      'q',
      kind === 'sqlite' ? '1' : 't',
    ])
  })
}

t.test('an update with the own values of a row changes nothing, for every type of column', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { app, proposal, row } = await generate(t, await ALL.postgres(t, ODD))
  const { types = [], input_types: inputs = [], mutations = [], queries = [] } = proposal.schema
  let compared = 0
  for (const { name, type, arguments: args = [] } of mutations) {
    const input = args.find((one) => one.name === 'input')?.type.replace('!', '')
    if (!name.startsWith('update')) continue
    const fields = types.find((one) => one.name === type)!.fields
    const shared = inputs
      .find((one) => one.name === input)!
      .fields.filter((field) =>
        fields.some((one) => one.name === field.name && one.type.replace('!', '') === field.type),
      )
    const keys = args.filter((one) => one.name !== 'input')
    const readable = keys.filter((one) => fields.some((field) => field.name === one.name))
    if (readable.length < keys.length || shared.length === 0) continue
    const list = queries.find((query) => query.type === `[${type}!]!`)!.name
    const names = [...new Set([...keys, ...shared].map((one) => one.name))].join(' ')
    const stored = () =>
      row(`SELECT jsonb_agg(to_jsonb(r) ORDER BY to_jsonb(r)::text) FROM ${sourceOf(proposal, type)} r`)
    const before = await stored()
    const { data } = await app.graphql(`{ ${list} { items { ${names} } } }`)
    for (const item of data[list].items) {
      const own = Object.fromEntries(shared.map((field) => [field.name, item[field.name]]))
      const declared = keys.map((key) => `$${key.name}: ${key.type}`).join(', ')
      const passed = keys.map((key) => `${key.name}: $${key.name}`).join(', ')
      const { errors } = await app.graphql(
        `mutation (${declared}, $input: ${input}!) { ${name}(${passed}, input: $input) { __typename } }`,
        { ...Object.fromEntries(keys.map((key) => [key.name, item[key.name]])), input: own },
      )
      t.equal(errors, undefined, `${name}: ${JSON.stringify(errors)}`)
      compared += 1
    }
    t.same(await stored(), before, name)
  }
  t.ok(compared > 30, `${compared} rows were compared`)
})

function sourceOf({ schema }: CrudProposal, type: string): string {
  const source = schema.types!.find((one) => one.name === type)!.sql_source!
  return /^(?:archive|Back Office)\./.test(source)
    ? source
        .split('.')
        .map((part) => `"${part}"`)
        .join('.')
    : `"${source.replace('public.', '')}"`
}

t.test('a role gets the writes that it may carry out', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: ODD })
  const asReader = Object.assign(new URL(url), { username: 'odd_reader' }).href
  const reader = await openTestDatabase(t, { kind: 'postgres', url: asReader })
  const { schema, files, report } = proposeCrud(await reader.introspect!(), { dialect: 'postgres' })
  t.same(
    schema.mutations!.map(({ name }) => name),
    ['createBook', 'updateBook', 'upsertBook', 'createTag', 'updateTag', 'deleteTag', 'upsertTag'],
  )
  const fieldsOf = (name: string) => schema.input_types!.find((one) => one.name === name)!.fields.map((one) => one.name)
  t.same(fieldsOf('CreateBookInput'), ['id', 'title', 'authorId'])
  t.same(fieldsOf('UpdateBookInput'), ['title'])
  t.ok(
    report.some(
      (entry) =>
        JSON.stringify(entry) ===
        JSON.stringify({ kind: 'delete', name: 'public.book', reason: 'is not permitted to the role' }),
    ),
  )
  const owner = await openTestDatabase(t, { kind: 'postgres', url })
  for (const { text } of files) await owner.script(text)
  const app = await openApp(t, { kind: 'postgres', url: asReader }, schema)
  const { data, errors } = await app.graphql(
    'mutation { createBook(input: { id: 7, title: "Nana", authorId: 1 }) { title author { name } } updateBook(id: 7, input: { title: "Nena" }) { title } }',
  )
  t.same(
    [data, errors],
    [{ createBook: { title: 'Nana', author: { name: 'Hesse' } }, updateBook: { title: 'Nena' } }, undefined],
  )
})

t.test('the functions of Chinook stand beside those that a person wrote', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: CHINOOK })
  const database = await openTestDatabase(t, { kind: 'postgres', url })
  const proposal = proposeCrud(await database.introspect!(), { dialect: 'postgres', writes: true })
  for (const { text } of proposal.files) await database.script(text)
  const catalog = await readCatalogFor(proposal.schema, database)
  const { faults } = compileSchema(proposal.schema, { catalog, owned: OWNED_KEYS, dialect: database.dialect })
  t.same(
    faults.map(({ message }) => message),
    [],
  )
  t.ok(
    proposal.report.some(
      (entry) =>
        JSON.stringify(entry) ===
        JSON.stringify({
          kind: 'create',
          name: 'public.playlist',
          reason: 'is left to the function public.fn_create_playlist',
        }),
    ),
  )
  t.ok(proposal.schema.mutations!.some(({ name }) => name === 'updatePlaylist'))
  t.notOk(proposal.files.some(({ text }) => text.includes('FUNCTION fn_create_playlist(')))
})
