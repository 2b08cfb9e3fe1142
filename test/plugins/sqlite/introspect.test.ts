import { readFile } from 'node:fs/promises'
import t from 'tap'
import { eachLibrary, open } from './open-sqlite.ts'

const ODD = await readFile(new URL('../../schemas/odd-database-sqlite.sql', import.meta.url), 'utf8')
const MORE = `CREATE VIRTUAL TABLE words USING fts5(word); CREATE TABLE svc_store (id INTEGER PRIMARY KEY);
CREATE VIEW v_tag AS SELECT id, name FROM tag;
CREATE TRIGGER add_tag INSTEAD OF INSERT ON v_tag BEGIN INSERT INTO tag VALUES (new.id, new.name); END;
CREATE TABLE mismatch (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES tag);`

await eachLibrary(t, 'the model of a file with every odd thing', async (t, library) => {
  const database = await open(t, { library, sql: ODD + MORE })
  const model = await database.introspect!()
  const relation = (name: string) => model.relations.find((one) => one.name === name)!
  const column = (table: string, name: string) => relation(table).columns.find((one) => one.name === name)

  t.strictSame(
    model.relations.map(({ name }) => name),
    [
      '1st',
      'Größe 日本 😀',
      'Order',
      'Query',
      'TableWithSpaces',
      'author',
      'book',
      'book_reader',
      'book_tag',
      'customer',
    ].concat(
      [
        'dangling',
        'dotted.table',
        'employee',
        'every_type',
        'log_line',
        'mismatch',
        'order_line',
        'profile',
        'shipment',
      ],
      ['status', 'table with spaces', 'table_with_spaces', 'tag', 'user', 'v_customer', 'v_customer_total'],
      ['v_happy_customer', 'v_line', 'v_order_customer', 'v_tag', 'words'],
    ),
    'without tables of SQLite, of the full-text index and of svc',
  )
  t.strictSame(
    model.skipped.map(({ kind, name }) => `${kind} ${name}`),
    ['view v_broken', 'foreign key dangling.dangling_lost_id_fkey', 'foreign key mismatch.mismatch_a_b_fkey'],
  )
  t.match(model.skipped[0]?.reason, /^cannot be read: .*no such table: main\.lost/)
  t.match(model.skipped[1]?.reason, 'references lost, which does not exist')
  t.match(model.skipped[2]?.reason, 'references columns that tag does not have')

  // Columns.
  t.strictSame(relation('customer').columns.slice(0, 3), [
    { name: 'id', type: 'int8', sqlType: 'INTEGER', notNull: true, hasDefault: true, identity: true },
    { name: 'email', type: 'text', sqlType: 'TEXT', notNull: true, hasDefault: false },
    { name: 'name', type: 'text', sqlType: 'VARCHAR(40)', notNull: true, hasDefault: false },
  ])
  t.match(column('customer', 'lower_name'), { generated: true, hasDefault: true })
  t.match(column('customer', 'initial'), { generated: true, hasDefault: true })
  t.match(column('customer', 'mood'), { default: "'happy'", identity: undefined })
  t.match(column('customer', 'credit'), { type: 'numeric', sqlType: 'DECIMAL(10, 2)', notNull: true, hasDefault: true })
  t.match(column('every_type', 'no_type'), { type: 'unknown', sqlType: '' })
  t.match(column('order_line', 'line_no'), { notNull: true, hasDefault: false })
  t.ok(column('Order', 'quo"te'))

  // Keys.
  t.strictSame(relation('order_line').primaryKey, ['order_id', 'line_no'])
  t.strictSame(relation('order_line').uniqueKeys, [['supplier', 'sku']])
  t.strictSame(relation('customer').uniqueKeys, [['email']], 'no partial or expression index')
  t.strictSame(relation('book_reader').primaryKey, [])
  t.strictSame(relation('v_customer').uniqueKeys, [['id'], ['email']])
  t.strictSame(relation('v_line').uniqueKeys, [['order_id', 'line_no']])
  t.strictSame(relation('v_customer_total').uniqueKeys, [])
  t.match(column('v_customer', 'email'), { notNull: true })
  t.strictSame(relation('shipment').foreignKeys, [
    {
      name: 'shipment_line_no_order_id_fkey',
      columns: ['line_no', 'order_id'],
      references: { name: 'order_line', columns: ['line_no', 'order_id'] },
    },
    {
      name: 'shipment_supplier_sku_fkey',
      columns: ['supplier', 'sku'],
      references: { name: 'order_line', columns: ['supplier', 'sku'] },
    },
  ])
  t.strictSame(
    relation('employee').foreignKeys.map(
      ({ columns, references }) => `${columns} ${references.name} ${references.columns}`,
    ),
    ['email customer email', 'manager_id employee id', 'mentor_id employee id', 'assistant_id employee id'],
  )
  t.strictSame(relation('user').foreignKeys[0]?.references, { name: 'Order', columns: ['id'] }, 'names ignore case')
  t.strictSame(relation('author').foreignKeys.length + relation('book').foreignKeys.length, 2, 'keys may be circular')

  // Indexes, views that can be written.
  const indexes = new Map(relation('customer').indexes.map((index) => [index.name, index]))
  t.strictSame(indexes.get('customer_lower'), { name: 'customer_lower', columns: [''], unique: false, method: 'btree' })
  t.match(indexes.get('customer_happy'), { columns: ['created_at'], partial: true })
  t.match(indexes.get('customer_name'), { columns: ['name', /^id$/], unique: false })
  const none = { select: true, insert: false, update: false, delete: false }
  t.strictSame(relation('v_customer').privileges, none)
  t.strictSame(relation('v_tag').privileges, { ...none, insert: true })
  t.strictSame(relation('tag').privileges, { select: true, insert: true, update: true, delete: true })
})

await eachLibrary(t, 'a view that cannot be read does not hide the others from the compiler', async (t, library) => {
  const database = await open(t, { library, sql: ODD })
  const names = (relations: readonly string[]) => database.catalog({ relations, functions: [] })
  t.strictSame([...(await names(['v_customer', 'tag'])).relations.keys()], ['v_customer', 'tag'])
  await t.rejects(names(['v_broken']), /no such table/)
})

await eachLibrary(t, 'only the row id of a table is a key that the database numbers', async (t, library) => {
  const sql = `CREATE TABLE numbered (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT) WITHOUT ROWID;
    CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, name TEXT);`
  const { relations } = await (await open(t, { library, sql })).introspect!()
  const keys = relations.map(({ name, columns: [id] }) => [name, id!.identity === true, id!.hasDefault])
  t.strictSame(keys, [
    ['descending', false, true],
    ['numbered', true, true],
    ['plain', false, false],
  ])
})
