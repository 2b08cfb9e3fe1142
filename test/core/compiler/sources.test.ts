import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { CompiledRead } from '../../../core/schema/compiled.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

type Relations = Parameters<typeof fakeCatalog>[0]
const id = { name: 'id', type: 'ID!' }
const text = (name: string) => ({ name, type: 'String' })

function compile(schema: Loose, relations: Relations | null) {
  return compileArtifact(schema as unknown as AuthoredSchema, relations === null ? null : fakeCatalog(relations))
}

/** The read of every field of a type, by wire name. */
function reads(schema: Loose, relations: Relations | null, type: string): Record<string, CompiledRead | null> {
  const found = compile(schema, relations).types.find(({ name }) => name === type)
  return Object.fromEntries(found?.fields.map((field) => [field.wire_name, field.read]) ?? [])
}

t.test('a flat view: one column per field, in snake_case, as declared, or as named', async (t) => {
  const schema = {
    version: '1',
    types: [
      {
        name: 'User',
        fields: [
          id,
          text('created_at'),
          text('dns1Id'),
          text('Legacy'),
          { ...text('mail'), column: 'email' },
          { ...text('x'), computed: true },
        ],
      },
    ],
  }
  const relations = { v_user: { id: 'uuid!', created_at: 'text', dns1_id: 'text', Legacy: 'text', email: 'citext' } }
  const column = (name: string, column_type: string, not_null = false) => ({
    from: 'column',
    column: name,
    column_type,
    not_null,
  })
  t.strictSame(reads(schema, relations, 'User'), {
    id: column('id', 'uuid', true),
    createdAt: column('created_at', 'text'),
    dns1Id: column('dns1_id', 'text'),
    legacy: column('Legacy', 'text'),
    mail: column('email', 'citext'),
    x: null,
  })
})

t.test('id + data: native column when there is one, else the key', async (t) => {
  const schema = {
    version: '1',
    types: [
      {
        name: 'Book',
        fields: [
          id,
          { name: 'pageCount', type: 'Int' },
          { name: 'shelf', type: 'Shelf' },
          { name: 'tags', type: '[Tag!]!' },
        ],
      },
      { name: 'Shelf', fields: [text('label')] },
      { name: 'Tag', fields: [text('name')], sql_source: 'v_tag' },
    ],
  }
  const relations = {
    v_book: { id: 'uuid', fk_shelf: 'int8', data: 'jsonb' },
    v_tag: { name: 'text', fk_book: 'int8' },
  }
  const key = (name: string) => ({ from: 'document', document: 'data', key: name })
  t.strictSame(reads(schema, relations, 'Book'), {
    id: { from: 'column', column: 'id', column_type: 'uuid', not_null: false },
    pageCount: key('page_count'),
    shelf: key('shelf'),
    tags: key('tags'),
  })
  t.strictSame(reads(schema, relations, 'Shelf'), { label: { from: 'document', document: '', key: 'label' } })
  const [book, shelf] = compile(schema, relations).types
  t.match(book, { sql_source: 'v_book', jsonb_column: 'data' })
  t.notOk(shelf !== undefined && ('sql_source' in shelf || 'jsonb_column' in shelf), 'an embedded type has no source')
})

t.test('a flat view with a field called data has no document', async (t) => {
  const schema = { version: '1', types: [{ name: 'Event', fields: [id, { name: 'data', type: 'JSON' }] }] }
  const compiled = compile(schema, { v_event: { id: 'uuid', data: 'jsonb' } })
  t.notOk('jsonb_column' in compiled.types[0]!)
  t.match(compiled.types[0]?.fields[1]?.read, { from: 'column', column: 'data' })
  t.strictSame(
    faultsOf(
      {
        ...schema,
        types: [
          {
            name: 'Event',
            fields: [
              { name: 'data', type: 'JSON' },
              { ...text('occurred_at'), ...at(3) },
            ],
            ...at(1),
          },
        ],
      },
      { catalog: fakeCatalog({ v_event: { id: 'uuid', data: 'jsonb' } }) },
    ),
    [
      '3:3 unknown-column: Event.occurred_at: v_event has no column "occurred_at". It has: id, data. Name it with "column", add it to the view, or mark the field computed.',
    ],
  )
})

t.test('where the rows of a type are', async (t) => {
  const relations = {
    v_user: { id: 'uuid' },
    v_active: { id: 'uuid' },
    tv_post: { id: 'uuid' },
    v_shape: { id: 'uuid', __typename: 'text' },
  }
  const source = (type: Loose, queries: readonly object[] = [], more: Loose = {}) =>
    compile({ version: '1', types: [{ fields: [id], ...type }], queries, ...more }, relations).types[0]?.sql_source
  t.equal(source({ name: 'User' }), 'v_user', 'by name')
  t.equal(source({ name: 'User', sql_source: 'v_active' }), 'v_active', 'as declared')
  t.equal(
    source({ name: 'User' }, [{ name: 'q', type: '[User!]', sql_source: 'v_active' }]),
    'v_active',
    'as its only query says',
  )
  t.equal(
    source({ name: 'User' }, [
      { name: 'q', type: '[User!]', sql_source: 'v_active' },
      { name: 'r', type: '[User!]', sql_source: 'v_user' },
    ]),
    'v_user',
    'its queries differ: by name',
  )
  t.equal(source({ name: 'Post' }), 'tv_post', 'a projection table')
  t.equal(source({ name: 'Part' }), undefined, 'none')
  t.equal(source({ name: 'User', embedded: true }), undefined, 'embedded')
  t.equal(source({ name: 'User', is_error: true }), undefined, 'an error')
  const union = { unions: [{ name: 'Shape', members: ['Circle'] }] }
  t.equal(source({ name: 'Circle' }, [{ name: 'shapes', type: '[Shape!]' }], union), 'v_shape', 'the rows of its union')
})

t.test('without a catalog: native columns, documents where declared, names by rule', async (t) => {
  const schema = {
    version: '1',
    types: [
      {
        name: 'Post',
        fields: [
          id,
          text('createdAt'),
          { name: 'author', type: 'User' },
          { name: 'comments', type: '[Comment!]!' },
          { name: 'meta', type: 'Meta' },
        ],
      },
      { name: 'User', fields: [id, { name: 'posts', type: '[Post!]!' }] },
      { name: 'Comment', fields: [id] },
      { name: 'Meta', fields: [text('x')], embedded: true },
      { name: 'Doc', jsonb_column: 'data', sql_source: 'v_doc', fields: [id, { name: 'author', type: 'User' }] },
    ],
    queries: [{ name: 'posts', type: '[Post!]!', arguments: [{ name: 'author_id', type: 'ID' }] }],
  }
  const faults = faultsOf(schema)
  t.strictSame(faults, [
    '- no-source: Post.meta: Meta has no source, and without a database it is unknown whether v_post has a JSON column "meta". Set sql_source on Meta, or compile with the database.',
  ])
  schema.types[0]!.fields.pop()
  const relation = (target: string, cardinality: string, from_column: string, to_column: string) => ({
    from: 'relation',
    target,
    cardinality,
    from_column,
    to_column,
    column_type: null,
  })
  t.match(reads(schema, null, 'Post'), {
    createdAt: { from: 'column', column: 'created_at', column_type: null, not_null: false },
    author: relation('v_user', 'one', 'fk_author', 'pk_user'),
    comments: relation('v_comment', 'many', 'pk_post', 'fk_post'),
  })
  t.match(reads(schema, null, 'User').posts, relation('v_post', 'many', 'pk_user', 'fk_author'))
  t.strictSame(reads(schema, null, 'Doc'), {
    id: { from: 'document', document: 'data', key: 'id' },
    author: { from: 'document', document: 'data', key: 'author' },
  })
  const compiled = compile(schema, null)
  t.equal(compiled.catalog, false)
  t.match(compiled.sources.v_post, { name: 'v_post', kind: 'unknown' })
  t.strictSame([compiled.sources.v_post?.columns, compiled.sources.v_post?.key], [[], []])
  t.match(compiled.queries[0]?.argument_reads, { author_id: { from: 'column', column: 'author_id' } })
})

// proves: error.unknown-source error.no-source error.unknown-column error.query-result compile.columns
t.test('a source that does not exist is a fault', async (t) => {
  const catalog = fakeCatalog({ v_user: { id: 'uuid', name: 'text', doc: 'jsonb' } })
  const faults = faultsOf(
    {
      version: '1',
      types: [
        { name: 'User', sql_source: 'v_usr', fields: [id], ...at(1) },
        // A relation to it says nothing more about the view that is not there.
        { name: 'Friend', sql_source: 'v_user', fields: [id, { name: 'user', type: 'User', ...at(8) }] },
        {
          name: 'Person',
          sql_source: 'v_user',
          fields: [id, { ...text('nmae'), ...at(3) }, { ...text('y'), column: 'nam', ...at(4) }],
          ...at(2),
        },
        { name: 'Doc', sql_source: 'v_user', jsonb_column: 'dco', fields: [id], ...at(5) },
        { name: 'Odd', sql_source: 'v_user', jsonb_column: 'name', fields: [id], ...at(6) },
        { name: 'Ghost', fields: [id], ...at(7) },
      ],
      queries: [
        { name: 'users', type: '[User!]!', ...at(10) },
        { name: 'people', type: '[Person!]!', sql_source: 'other', ...at(11) },
        { name: 'docs', type: '[Person!]!', sql_source: 'v_user', jsonb_column: 'data', ...at(12) },
        { name: 'ghosts', type: '[Ghost!]!', ...at(13) },
        { name: 'count', type: 'Int!', sql_source: 'v_user', ...at(14) },
        { name: 'deep', type: '[[Person]]', ...at(15) },
      ],
    },
    { catalog },
  )
  t.strictSame(faults, [
    '1:3 unknown-source: Type "User": the database has no view or table "v_usr". Did you mean "v_user"?',
    '3:3 unknown-column: Person.nmae: v_user has no column "nmae". Did you mean "name"? Name it with "column", add it to the view, or mark the field computed.',
    '4:3 unknown-column: Person.y: v_user has no column "nam". Did you mean "name"? Name it with "column", add it to the view, or mark the field computed.',
    '5:3 unknown-column: Type "Doc": jsonb_column: v_user has no column "dco". Its JSON columns: doc.',
    '6:3 unknown-column: Type "Odd": jsonb_column: "name" of v_user is text. Its JSON columns: doc.',
    '11:3 unknown-source: Query "people": the database has no view or table "other". It has: v_user.',
    '12:3 unknown-column: Query "docs": jsonb_column: v_user has no JSON column "data". Its JSON columns: doc.',
    '13:3 no-source: Query "ghosts" has no sql_source, Ghost has none either, and the database has no view or table "v_ghost". It has: v_user.',
    '14:3 query-result: Query "count" returns the scalar Int; a query reads rows. Return an object type, an interface or a union, or a list of one.',
    '15:3 query-result: Query "deep" returns a list of lists; a query reads rows. Return an object type, an interface or a union, or a list of one.',
  ])
})

// proves: error.column-type compile.columns
t.test('columns that cannot be the declared type', async (t) => {
  const columns = {
    a: 'text',
    b: 'jsonb',
    c: 'timestamptz',
    d: 'int4',
    e: '_text',
    f: 'int4',
    g: 'date',
    h: 'bool',
    i: '_int4',
    j: 'uuid',
    k: 'int8',
  }
  const types = {
    a: 'Int',
    b: 'Int',
    c: 'Int',
    d: 'DateTime',
    e: 'String',
    f: '[Int!]',
    g: 'DateTime',
    h: 'Mood',
    i: '[String!]',
    j: 'Part',
    k: 'String',
  }
  const faults = faultsOf(
    {
      version: '1',
      types: [
        {
          name: 'T',
          sql_source: 'v_t',
          fields: Object.entries(types).map(([name, type], i) => ({ name, type, ...at(i + 1) })),
        },
        { name: 'Part', embedded: true, fields: [text('x')] },
      ],
      enums: [{ name: 'Mood', values: [{ name: 'GOOD' }] }],
    },
    { catalog: fakeCatalog({ v_t: columns }) },
  )
  const message = (name: string, type: string, column: string, fix: string) =>
    `column-type: T.${name} is ${type}, and its column in v_t is ${column}. Declare ${fix}, or cast the column in the view.`
  t.strictSame(faults, [
    `1:3 ${message('a', 'Int', 'text', 'String')}`,
    `2:3 ${message('b', 'Int', 'jsonb', 'JSON')}`,
    `3:3 ${message('c', 'Int', 'timestamptz', 'DateTime')}`,
    `4:3 ${message('d', 'DateTime', 'int4', 'Int')}`,
    `5:3 ${message('e', 'String', '_text', '[String!]')}`,
    `6:3 ${message('f', '[Int!]', 'int4', 'Int')}`,
    `7:3 ${message('g', 'DateTime', 'date', 'Date')}`,
    `8:3 ${message('h', 'Mood', 'bool', 'Boolean')}`,
    `9:3 ${message('i', '[String!]', '_int4', '[Int!]')}`,
    '10:3 no-source: T.j: Part has no source, and v_t has no JSON column "j". Set sql_source on Part, or add the column.',
    `11:3 ${message('k', 'String', 'int8', 'BigInt')}`,
  ])
})

t.test('columns of types that svc does not know pass, and so do those that fit', async (t) => {
  const columns = {
    a: 'enum:mood',
    b: 'inet',
    c: '_enum:mood',
    d: 'numeric',
    e: 'jsonb',
    f: 'json',
    g: 'int8',
    h: 'geometry',
    i: 'inet',
    j: 'date',
    k: 'bytea',
    l: 'row:home',
  }
  const types = {
    a: 'Mood',
    b: 'String',
    c: '[Mood!]',
    d: 'Decimal',
    e: '[Int!]',
    f: 'JSON',
    g: 'BigInt',
    h: 'Point',
    i: 'ID',
    j: 'ID',
    k: 'String',
    l: 'String',
  }
  const compiled = compile(
    {
      version: '1',
      types: [{ name: 'T', sql_source: 'v_t', fields: Object.entries(types).map(([name, type]) => ({ name, type })) }],
      enums: [{ name: 'Mood', values: [{ name: 'GOOD' }] }],
      custom_scalars: [{ name: 'Point' }],
    },
    { v_t: columns },
  )
  t.equal(compiled.types[0]?.fields.length, 12)
})

// proves: error.argument-column
t.test('arguments are conditions', async (t) => {
  const schema = (args: readonly object[], more: object = {}) => ({
    version: '1',
    types: [{ name: 'User', fields: [id, { ...text('mail'), column: 'email' }] }],
    input_types: [{ name: 'In', fields: [text('x')] }],
    queries: [{ name: 'users', type: '[User!]!', arguments: args, ...at(9), ...more }],
  })
  const relations = { v_user: { id: 'uuid!', email: 'text', tags: '_text', age: 'int4' } }
  const found = compile(
    schema(
      [
        { name: 'userId', type: 'ID!' },
        { name: 'mail', type: 'String' },
        { name: 'tags', type: '[String!]' },
      ],
      { id_arg: 'userId' },
    ),
    relations,
  )
  const column = (name: string, column_type: string, not_null = false) => ({
    from: 'column',
    column: name,
    column_type,
    not_null,
  })
  t.strictSame(found.queries[0]?.argument_reads, {
    userId: column('id', 'uuid', true),
    mail: column('email', 'text'),
    tags: column('tags', '_text'),
  })
  const inDocument = compile(schema([{ name: 'isPublished', type: 'Boolean' }]), {
    v_user: { id: 'uuid', email: 'text', data: 'jsonb' },
  })
  t.strictSame(inDocument.queries[0]?.argument_reads, {
    isPublished: { from: 'document', document: 'data', key: 'is_published' },
  })
  const catalog = fakeCatalog(relations)
  const fault = (...args: readonly object[]) => faultsOf(schema(args), { catalog })
  t.strictSame(fault({ name: 'agee', type: 'Int' }), [
    '9:3 argument-column: Query "users", argument "agee": v_user has no column "agee" to compare it with. Did you mean "age"?',
  ])
  t.strictSame(fault({ name: 'input', type: 'In' }), [
    '9:3 argument-column: Query "users", argument "input" is the input In; an argument of a query is compared with a column. Use the generated "where", or arguments of scalar types.',
  ])
  t.strictSame(fault({ name: 'age', type: '[Int!]' }), [
    '9:3 column-type: Query "users", argument "age" is a list and the column age is int4. Take one value, or let clients use where: { age: { _in: [...] } }.',
  ])
  t.strictSame(fault({ name: 'age', type: 'Date' }), [
    '9:3 column-type: Query "users", argument "age" is Date, and the column age of v_user is int4. Declare Int.',
  ])
})

// proves: error.source-mismatch
t.test('a query with another source than its type', async (t) => {
  const schema = {
    version: '1',
    types: [
      {
        name: 'User',
        sql_source: 'v_user',
        fields: [id, text('name'), text('mail'), { ...text('x'), computed: true }],
      },
      { name: 'Bot', sql_source: 'v_bot', fields: [id, text('model')] },
    ],
    unions: [{ name: 'Actor', members: ['User', 'Bot'], sql_source: 'v_actor' }],
    queries: [
      { name: 'active', type: '[User!]!', sql_source: 'v_active', ...at(1) },
      { name: 'lean', type: '[User!]!', sql_source: 'v_lean', ...at(2) },
      { name: 'docs', type: '[User!]!', sql_source: 'v_docs', ...at(3) },
      { name: 'actors', type: '[Actor!]!', ...at(4) },
    ],
  }
  const catalog = fakeCatalog({
    v_user: { id: 'uuid', name: 'text', mail: 'text' },
    v_active: { id: 'uuid', name: 'text', mail: 'text' },
    v_lean: { id: 'uuid' },
    v_docs: { id: 'uuid', data: 'json' },
    v_bot: { id: 'uuid', model: 'text' },
    v_actor: { id: 'uuid', name: 'text', mail: 'text', __typename: 'text' },
  })
  t.strictSame(faultsOf(schema, { catalog }), [
    '2:3 source-mismatch: Query "lean": v_lean lacks the columns name, mail that User reads. Add them to the view, or return a type that fits.',
    '4:3 source-mismatch: Query "actors": v_actor lacks the column model that its member Bot reads. Add it to the view, or return a type that fits.',
  ])
  const fine = { ...schema, queries: schema.queries.filter(({ name }) => name === 'active' || name === 'docs') }
  const { queries } = compileArtifact(fine as unknown as AuthoredSchema, catalog)
  t.match(queries[0], { source: 'v_active' })
  t.match(queries[1], { source: 'v_docs', jsonb_column: 'data' })
})
