import { readFile } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import type { Database } from '../../../../core/contract/database.ts'
import type { DatabaseModel, ModelFunction, ModelRelation } from '../../../../core/contract/database-model.ts'
import { readCatalog } from '../../../../core/dialects/postgres/catalog/read-catalog.ts'
import { readDatabaseModel } from '../../../../core/dialects/postgres/introspect/read-database-model.ts'
import { createPostgresDatabase, eachDatabase, runOnServer } from '../../../helpers/databases.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { requireService, type TestLike } from '../../../helpers/services.ts'

const ODD = await readFile(new URL('../../../schemas/odd-database.sql', import.meta.url), 'utf8')

function relationOf(model: DatabaseModel, name: string, schema = 'public'): ModelRelation {
  const found = model.relations.find((relation) => relation.schema === schema && relation.name === name)
  if (found === undefined) throw new Error(`The model has no relation ${schema}.${name}`)
  return found
}

function columnOf(model: DatabaseModel, table: string, column: string) {
  return relationOf(model, table).columns.find(({ name }) => name === column)
}

function functionsOf(model: DatabaseModel, name: string, schema = 'public'): readonly ModelFunction[] {
  return model.functions.filter((one) => one.schema === schema && one.name === name)
}

/** The catalog for the compiler must accept what the model declares. */
async function compareWithCatalog(t: Pick<TestLike, 'equal' | 'strictSame'>, database: Database, model: DatabaseModel) {
  const names = model.relations.filter(({ name }) => !name.includes('.')).map(({ schema, name }) => `${schema}.${name}`)
  const catalog = await database.catalog({ relations: names, functions: [] })
  t.strictSame(await database.catalog({ relations: names, functions: [] }, model), catalog, 'the same with the model')
  const { relations } = catalog
  for (const name of names) {
    const known = relations.get(name)!
    const relation = relationOf(model, known.name, known.schema)
    t.strictSame(
      relation.columns.map((column) => [column.name, column.type, column.notNull]),
      known.columns.map((column) => [column.name, column.type, column.notNull]),
      name,
    )
    t.strictSame(relation.primaryKey, known.primaryKey, name)
    for (const key of relation.uniqueKeys) {
      const isKnown =
        key.length === 1
          ? known.columns.find((column) => column.name === key[0])!.unique
          : known.compositeKeys?.some((other) => String(other) === String(key)) === true
      t.equal(isKnown, true, `${name} (${key})`)
    }
  }
}

await eachDatabase(
  t,
  async (t, target) => {
    const database = await openTestDatabase(t, target)
    const model = await database.introspect!()
    const relation = (name: string, schema?: string) => relationOf(model, name, schema)
    const column = (table: string, name: string) => columnOf(model, table, name)

    t.strictSame(
      model.relations.map(({ schema, name }) => `${schema}.${name}`),
      model.relations
        .map(({ schema, name }) => [Buffer.from(schema!), Buffer.from(name)] as const)
        .sort((a, b) => Buffer.compare(a[0], b[0]) || Buffer.compare(a[1], b[1]))
        .map((parts) => parts.join('.')),
      'relations are in the order of schema and name',
    )
    await compareWithCatalog(t, database, model)

    // Kinds, partitions, inheritance.
    t.equal(relation('measurement').kind, 'partitioned table')
    t.strictSame(
      model.relations.filter(({ name }) => name.startsWith('measurement')).map(({ name }) => name),
      ['measurement'],
      'partitions are left out',
    )
    t.equal(relation('mv_tag_count').kind, 'materialized view')
    t.equal(relation('v_customer').kind, 'view')
    t.strictSame(relation('port').inherits, ['public.place', 'public.coast'])
    t.strictSame(relation('capital').inherits, ['public.place'])
    t.notOk('inherits' in relation('place'))
    t.equal(relation('customer').visible, true)
    t.equal(relation('customer', 'archive').visible, false)
    t.equal(relation('customer').comment, 'People who buy.\nSecond line, with "quotes" and a \\ backslash')
    t.equal(relation('v_customer').comment, 'Customers without secrets')

    // Columns.
    t.strictSame(column('customer', 'id'), {
      name: 'id',
      type: 'int8',
      sqlType: 'bigint',
      notNull: true,
      hasDefault: true,
      generated: true,
    })
    t.strictSame(column('customer', 'email'), {
      name: 'email',
      type: 'text',
      sqlType: 'email',
      comment: 'Unique address',
      notNull: true,
      hasDefault: false,
      domain: 'email',
    })
    t.match(column('customer', 'lower_name'), { generated: true, hasDefault: true, notNull: false })
    t.match(column('customer', 'old_mood'), { type: 'enum:mood', sqlType: 'archive.mood', enum: 'archive.mood' })
    t.match(column('customer', 'moods'), { type: '_enum:mood', sqlType: 'mood[]', enum: 'public.mood' })
    t.match(column('customer', 'calm'), { type: 'enum:mood in public', domain: 'calm_mood', enum: 'public.mood' })
    t.match(column('customer', 'home'), { type: 'row:address', sqlType: 'address' })
    t.match(column('customer', 'credit'), { type: 'numeric', domain: 'amount', digits: { precision: 10, scale: 2 } })
    t.match(column('customer', 'labels'), { type: '_text', sqlType: 'tags', domain: 'tags' })
    t.notOk(column('customer', 'gone'), 'dropped columns are left out')
    t.notOk('generated' in column('Order', 'id')!, 'identities BY DEFAULT can be set')
    t.match(column('every_type', 'id'), { hasDefault: true, notNull: true, default: /^nextval\(/ })
    t.match(column('Order', 'id'), { identity: true, default: undefined }, 'an identity that a statement may set')
    t.match(column('customer', 'mood'), { default: "'happy'::mood" })
    t.match(
      column('customer', 'lower_name'),
      { default: undefined },
      'an expression that computes a column is no default',
    )
    t.match(column('customer', 'grid'), { sqlType: 'integer[][]' })
    t.match(column('every_type', 'a_decimal'), { sqlType: 'numeric(12,4)', digits: { precision: 12, scale: 4 } })
    t.match(column('every_type', 'a_bit'), { dimensions: 8 })
    t.match(column('every_type', 'a_float_range'), { type: 'float_range' })
    t.match(column('every_type', 'a_domain_array'), { type: '_numeric', sqlType: 'amount[]' })
    t.match(column('every_type', 'a_required'), { hasDefault: false }, 'a NOT NULL domain needs a value')
    t.match(
      column('place', 'id'),
      { notNull: false, hasDefault: false },
      'tables that others inherit from prove nothing',
    )
    t.equal(column('v_customer', 'name')?.comment, 'Full name')
    t.match(column('v_customer', 'email'), { notNull: true })
    t.strictSame(
      relation('Order').columns.map(({ name }) => name),
      [
        'id',
        'customerId',
        'select',
        'from',
        'Total Amount',
        'a.b',
        'quo"te',
        "it's",
        '2nd',
        'größe',
        '日本',
        'hy-phen',
      ].concat(['$dollar', '__typename', ' ']),
    )

    // Keys.
    t.strictSame(relation('book_tag').primaryKey, ['book_id', 'tag_id'])
    t.strictSame(relation('book_reader').primaryKey, [])
    t.strictSame(relation('customer').uniqueKeys, [['email']], 'no partial, expression or covering index')
    t.strictSame(relation('book').uniqueKeys, [], 'no deferrable key')
    t.strictSame(relation('order_line').uniqueKeys, [['supplier', 'sku']])
    t.strictSame(relation('mv_tag_count').uniqueKeys, [['id']])
    t.strictSame(relation('v_customer').uniqueKeys, [['id'], ['email']])
    t.strictSame(relation('v_line').uniqueKeys, [['order_id', 'line_no']])
    t.strictSame(relation('v_two').uniqueKeys, [])
    t.strictSame(relation('v_order_customer').uniqueKeys, [['order_id']])
    t.strictSame(relation('shipment').foreignKeys, [
      {
        name: 'shipment_supplier_sku_fkey',
        columns: ['supplier', 'sku'],
        references: { schema: 'public', name: 'order_line', columns: ['supplier', 'sku'] },
      },
      {
        name: 'shipped line',
        columns: ['line_no', 'order_id'],
        references: { schema: 'public', name: 'order_line', columns: ['line_no', 'order_id'] },
      },
    ])
    t.strictSame(
      relation('employee').foreignKeys.map(({ columns, references }) => `${columns} ${references.name}`),
      ['assistant_id employee', 'email customer', 'manager_id employee', 'mentor_id employee'],
    )
    t.match(relation('Ticket', 'Back Office').foreignKeys, [
      { references: { schema: 'archive', name: 'customer' } },
      { references: { schema: 'public', name: 'customer' } },
    ])
    t.equal(relation('calibration').foreignKeys.length, 1, 'a key to a partitioned table is one key')
    t.equal(relation('not_valid_key').foreignKeys.length, 1)

    // Indexes.
    const indexes = new Map(relation('customer').indexes.map((index) => [index.name, index]))
    t.strictSame(indexes.get('customer_name_pattern'), {
      name: 'customer_name_pattern',
      columns: ['name', 'id'],
      unique: false,
      method: 'btree',
      operatorClasses: ['text_pattern_ops', null],
    })
    t.match(indexes.get('customer_happy'), { columns: ['created_at'], partial: true })
    t.match(indexes.get('customer_lower_name'), { columns: ['', /^id$/], unique: true })
    t.strictSame(indexes.get('customer_cover')?.columns, ['id', 'name'], 'no INCLUDE column')
    t.equal(indexes.get('customer_labels')?.method, 'gin')
    t.match(relation('reservation').indexes, [{ method: 'btree' }, { method: 'gist', unique: false }])

    // Enums.
    t.strictSame(model.enums[0], {
      schema: 'Back Office',
      name: 'Odd Enum',
      visible: false,
      labels: ['true', 'null', '1st', 'ünï', "it's", ''],
    })
    t.strictSame(
      model.enums.map(({ schema, name, comment }) => [`${schema}.${name}`, comment]),
      [
        ['Back Office.Odd Enum', undefined],
        ['archive.mood', undefined],
        ['public.mood', 'How a customer feels'],
        ['public.unused', undefined],
      ],
    )

    // Row-level security, privileges.
    t.equal(relation('tenant_row').rowSecurity, 'enabled')
    t.equal(relation('forced_row').rowSecurity, 'forced')
    t.notOk('rowSecurity' in relation('customer'))
    const none = { select: true, insert: false, update: false, delete: false }
    t.strictSame(relation('v_customer_total').privileges, none, 'a view of groups allows no write')
    t.strictSame(relation('mv_tag_count').privileges, none)
    t.match(relation('v_customer').privileges, { insert: true, update: true, delete: true })
    t.match(relation('v_employee').privileges, { insert: true })

    // Functions.
    t.match(functionsOf(model, 'add_two'), [
      {
        kind: 'function',
        comment: 'Adds two numbers',
        volatility: 'immutable',
        parameters: [
          { name: /^a$/, type: 'int4', sqlType: 'integer', hasDefault: false },
          { name: /^b$/, hasDefault: true },
        ],
        returns: { set: false, kind: 'scalar', type: 'int4', columns: [] },
        executable: true,
      },
    ])
    t.equal(functionsOf(model, 'add_two', 'archive').length, 1)
    t.equal(functionsOf(model, 'overloaded').length, 2)
    t.match(functionsOf(model, 'unnamed')[0]?.parameters, [{ name: null }, { name: null }])
    t.match(functionsOf(model, 'two_out')[0], {
      parameters: [{ name: /^a$/ }, { name: 'high' }],
      returns: {
        kind: 'composite',
        columns: [{ name: 'low' }, { name: 'high' }, { name: 'feeling', enum: 'public.mood' }],
      },
    })
    t.match(functionsOf(model, 'one_out')[0]?.returns, { kind: 'scalar', columns: [{ name: 'doubled' }] })
    t.match(functionsOf(model, 'as_table')[0]?.returns, { set: true, columns: [{}, {}, { enum: 'archive.mood' }] })
    t.match(functionsOf(model, 'customers_by_mood')[0], {
      parameters: [{ enum: 'public.mood' }, { name: 'names', type: '_text', variadic: true, hasDefault: true }],
      returns: { set: true, kind: 'composite', relation: { schema: 'public', name: 'customer' } },
    })
    t.notOk('relation' in functionsOf(model, 'home_of')[0]!.returns, 'a composite type is no relation')
    t.match(functionsOf(model, 'with_domain')[0]?.parameters, [
      { sqlType: 'email', type: 'text' },
      {},
      { sqlType: 'calm_mood' },
    ])
    t.match(functionsOf(model, 'in_and_out')[0], { kind: 'procedure', parameters: [{ name: 'counter' }] })
    t.match(functionsOf(model, 'does_nothing')[0]?.returns, { kind: 'void' })
    t.strictSame(functionsOf(model, 'float_range'), [], 'constructors of a range are left out')

    const dead = 'reads a foreign table whose foreign-data wrapper has no handler'
    t.strictSame(model.skipped.map(({ kind, name, reason }) => `${kind} ${name} ${reason}`).sort(), [
      'aggregate public.product(integer) is an aggregate function',
      'enum public.empty_enum has no labels',
      `foreign table public.far_away ${dead}`,
      'function public.any_first(anyarray) takes the pseudo-type anyarray',
      'function public.fn_touch() is a trigger function',
      'function public.some_records() returns record without declared columns',
      'function public.takes_internal(internal) takes the pseudo-type internal',
      'table public.nothing has no columns',
      `view public.v_far_away ${dead}`,
      `view public.v_far_away_again ${dead}`,
      'view public.v_nothing has no columns',
      'window function public.row_number_again() is a window function',
    ])
  },
  { sql: ODD },
)

t.test('the privileges of the role of the connection', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${ODD}; CREATE SCHEMA closed; CREATE TABLE closed.door (id int); GRANT SELECT ON closed.door TO odd_reader;
    CREATE FUNCTION closed.knock() RETURNS int LANGUAGE sql AS 'SELECT 1';`
  const url = Object.assign(new URL(await createPostgresDatabase(t, { sql })), { username: 'odd_reader' }).href
  const model = await (await openTestDatabase(t, { kind: 'postgres', url })).introspect!()
  const names = model.skipped.map(({ name, reason }) => `${name} ${reason}`)
  t.ok(names.includes('public.secret may not be read by the role (no SELECT privilege)'))
  t.ok(names.includes('public.customer.password_hash may not be read by the role (no SELECT privilege)'))
  t.ok(names.includes('closed.door is in a schema that the role may not use (no USAGE privilege)'))
  t.notOk(model.relations.some(({ name }) => name === 'secret' || name === 'door'))
  t.strictSame(
    relationOf(model, 'customer')
      .columns.filter(({ unreadable }) => unreadable)
      .map(({ name }) => name),
    ['password_hash'],
  )
  t.strictSame(relationOf(model, 'customer').privileges, { select: true, insert: false, update: false, delete: false })
  t.strictSame(relationOf(model, 'tag').privileges, { select: true, insert: true, update: true, delete: true })
  t.strictSame(relationOf(model, 'book').privileges, { select: true, insert: true, update: true, delete: false })
  t.strictSame(
    relationOf(model, 'book').columns.map(({ refuses }) => refuses),
    [['update'], undefined, ['insert', 'update'], ['update']],
  )
  t.equal(functionsOf(model, 'only_owner')[0]?.executable, false)
  t.equal(functionsOf(model, 'knock', 'closed')[0]?.executable, false)
  t.equal(functionsOf(model, 'add_two')[0]?.executable, true)
})

t.test('objects of extensions, of svc and of sessions are left out, their types are described', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const available = await runOnServer('postgres', "SELECT name FROM pg_available_extensions WHERE name = 'postgis'")
  const postgis = available.length > 0
  const sql = `CREATE SCHEMA ext; CREATE EXTENSION ltree SCHEMA ext; CREATE EXTENSION pg_trgm SCHEMA ext;
    ${postgis ? 'CREATE EXTENSION postgis; CREATE TABLE map (id int PRIMARY KEY, at geography(Point, 4326), area geometry(Polygon, 3857));' : ''}
    CREATE TABLE category (path ext.ltree PRIMARY KEY, name text, at_version name);
    CREATE INDEX category_name ON category USING gin (name ext.gin_trgm_ops);
    CREATE TABLE svc_store (id int); CREATE FUNCTION svc_outbox_capture() RETURNS int LANGUAGE sql AS 'SELECT 1';
    INSERT INTO category (path) SELECT ('a' || i)::ext.ltree FROM generate_series(1, 250) i; ANALYZE category;
    CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (id);
    CREATE TABLE part_low_leaf PARTITION OF part_low FOR VALUES FROM (0) TO (50);
    CREATE TABLE part_high PARTITION OF part FOR VALUES FROM (100) TO (1000);
    INSERT INTO part SELECT i FROM generate_series(0, 49) i UNION ALL SELECT i FROM generate_series(100, 149) i;
    ANALYZE part_low_leaf; ANALYZE part_high;`
  const database = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) })
  const model = await database.introspect!()
  t.strictSame(
    model.relations.map(({ name }) => name),
    postgis ? ['category', 'map', 'part'] : ['category', 'part'],
  )
  t.strictSame(model.functions, [])
  t.strictSame(model.skipped, [])
  t.match(columnOf(model, 'category', 'path'), { type: 'ltree', sqlType: 'ext.ltree' })
  t.strictSame(relationOf(model, 'category').indexes[1]?.operatorClasses, ['gin_trgm_ops'])
  t.equal(relationOf(model, 'category').estimatedRows, 250)
  t.equal(relationOf(model, 'part').estimatedRows, 100, 'the rows of all partitions count')
  if (!postgis) return
  t.strictSame(columnOf(model, 'map', 'at')?.place, { type: 'geography', shape: 'Point', srid: 4326, schema: 'public' })
  t.match(columnOf(model, 'map', 'area')?.place, { shape: 'Polygon', srid: 3857 })
})

t.test('the number of queries does not grow with tables, and nothing is proven for more than 500 views', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { readDatabaseModel } = await import('../../../../core/doors/driver.ts')
  const tables = Array.from({ length: 300 }, (_, i) => `CREATE TABLE t${i} (id int PRIMARY KEY);`).join('')
  const url = await createPostgresDatabase(t, { sql: tables })
  const count = async (): Promise<{ readonly queries: number; readonly model: DatabaseModel }> => {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    let queries = 0
    const types = { getTypeParser: () => (value: string) => value }
    const query = async (text: string, values: readonly unknown[]) => {
      queries++
      return (await client.query({ text, values: [...values], rowMode: 'array', types })).rows as never[]
    }
    const model = await readDatabaseModel({ query, describe: async () => null }).finally(() => client.end())
    return { queries, model }
  }
  const first = await count()
  t.equal(first.model.relations.length, 300)
  t.ok(first.queries < 20, `${first.queries} queries`)
  const name = new URL(url).pathname.slice(1)
  await runOnServer(name, Array.from({ length: 501 }, (_, i) => `CREATE VIEW v${i} AS SELECT id FROM t0;`).join(''))
  const second = await count()
  t.ok(second.queries < 20, `${second.queries} queries`)
  t.strictSame(relationOf(second.model, 'v7').uniqueKeys, [])
})

t.test('a catalog after the model does not analyse the views again, except those that the model lacks', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE a (id int PRIMARY KEY, b int NOT NULL UNIQUE);
      CREATE VIEW one AS SELECT x.id, y.b FROM a x JOIN a y ON y.id = x.b;
      CREATE VIEW two AS SELECT id, b FROM one`,
  })
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string) => text } as never,
  })
  await client.connect()
  t.teardown(() => client.end())
  const analysed: string[] = []
  const reader = {
    async query(text: string, values: readonly unknown[]) {
      if (/SELECT c\.oid, pg_catalog\.pg_get_viewdef/.test(text)) analysed.push(text)
      return (await client.query({ text, values: values as unknown[], rowMode: 'array' })).rows
    },
    describe: async () => null,
  }
  const names = { relations: ['a', 'one', 'two'], functions: [] }
  const model = await readDatabaseModel(reader as never)
  analysed.splice(0)
  const fresh = await readCatalog(reader as never, names)
  t.ok(analysed.length > 0, 'a catalog alone analyses them')
  analysed.splice(0)
  t.strictSame(await readCatalog(reader as never, names, model), fresh)
  t.same(analysed, [])
  await client.query('CREATE VIEW three AS SELECT id FROM a')
  const more = { relations: [...names.relations, 'three'], functions: [] }
  const later = await readCatalog(reader as never, more, model)
  t.ok(analysed.length > 0, 'a view that the model lacks is analysed')
  t.strictSame(later, await readCatalog(reader as never, more))
})
