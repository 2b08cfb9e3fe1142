import t from 'tap'
import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { testCompile } from '../../../core/testing/testing.ts'
import compilePart from '../../../plugins/federation/compile.ts'
import { entityTypes } from '../../../plugins/federation/entity-types.ts'
import type { FederationOptions } from '../../../plugins/federation/options.ts'

/** What cannot be is a fault of the compile, at its place and with what to write instead. */
const options: FederationOptions = {
  enabled: true,
  spec_version: 2,
  entities: [],
  compose_directives: [],
  max_representations: 1000,
  authorization_directives: true,
  inline_traces: false,
}
const at = (line: number) => ({ $place: { file: 'schema.ts', line, column: 1 } })
const id = { name: 'id', type: 'ID!' }
const product = (more: Partial<AuthoredType>, ...fields: AuthoredField[]): AuthoredType => ({
  name: 'Product',
  fields: [id, { name: 'sku', type: 'String' }, ...fields],
  ...more,
  ...at(1),
})
const others: AuthoredType[] = [
  { name: 'Maker', sql_source: 'v_maker', fields: [id, { name: 'name', type: 'String', external: true }] },
  { name: 'Size', embedded: true, fields: [{ name: 'width', type: 'Int' }] },
]

function compile(type: AuthoredType, more: Partial<AuthoredSchema> = {}, given: Partial<FederationOptions> = {}) {
  const schema = { version: '1', types: [type, ...others], queries: [{ name: 'p', type: 'Maker' }], ...more }
  return testCompile(compilePart, schema, { plugin: 'federation', options: { ...options, ...given } })
}
const price: AuthoredField = { name: 'price', type: 'Int', external: true }
const size: AuthoredField = { name: 'size', type: 'Size', external: true }
const cost = (more: Partial<AuthoredField>): AuthoredField => ({
  name: 'cost',
  type: 'Int',
  requires: 'price',
  sql: '{price} * 2',
  ...more,
  ...at(9),
})
const keyed = { key_fields: ['id'] }

const WRONG: readonly (readonly [what: string, type: AuthoredType, message: RegExp, line?: number])[] = [
  [
    'a key of no field',
    product({ key_fields: ['skuu'] }),
    /^Type "Product": in the key "skuu", "skuu" is no field of Product\. Did you mean "sku"\?/,
  ],
  [
    'a key that cannot be read',
    product({ keys: ['sku {'] }),
    /the key "sku \{" cannot be read: a brace is not closed\.$/,
  ],
  ['a key that names a field twice', product({ keys: ['sku sku'] }), /"sku" stands in it twice/],
  [
    'a key of an object',
    product({ keys: ['maker'] }, { name: 'maker', type: 'Maker' }),
    /"maker" of Product is an object\. Say which of its fields: `maker \{ id \}`/,
  ],
  [
    'a key with braces behind a scalar',
    product({ keys: ['sku { x }'] }),
    /"sku" of Product is String, of which nothing is selected/,
  ],
  ['a key of a list', product({ keys: ['tags'] }, { name: 'tags', type: '[String!]!' }), /"tags" of Product is a list/],
  ['a key of JSON', product({ keys: ['doc'] }, { name: 'doc', type: 'JSON' }), /"doc" of the key "doc" is JSON/],
  [
    'a key of what is computed',
    product({ keys: ['sum'] }, { name: 'sum', type: 'Int', computed: true }),
    /"sum" of the key "sum" is not in the database/,
  ],
  [
    'a key without a source',
    { name: 'Part', embedded: true, key_fields: ['width'], fields: [{ name: 'width', type: 'Int' }], ...at(1) },
    /it has no source.*resolvable: false/,
  ],
  ['resolvable without keys', product({ resolvable: false }), /resolvable is about its keys, and it has none/],
  ['interface_object without a key', product({ interface_object: true }), /Add key_fields\.$/],
  ['a tag that is none', product({ tags: ['a b'] }), /"a b" is no tag/],
  [
    'a directive that is not composed',
    product({ directives: ['@owner'] }),
    /"@owner" is none of \[\[federation\.compose_directives\]\]\. There are none\.$/,
  ],
  ['a directive that cannot be read', product({ directives: ['@owner('] }), /"@owner\(" cannot be read/],
  ['two directives in a text', product({ directives: ['@a @b'] }), /is not one directive/],
  ['a tag of a field', product(keyed, { ...price, tags: ['x y'], ...at(9) }), /^Product\.price: "x y" is no tag/, 9],
  [
    'a label without override',
    product(keyed, { name: 'x', type: 'Int', override_label: 'percent(5)', ...at(9) }),
    /override_label is about override, which is missing/,
    9,
  ],
  ...['percent(101)', 'percent(5', '5', 'a b'].map(
    (label) =>
      [
        `the label ${label}`,
        product(keyed, { name: 'x', type: 'Int', override: 'other', override_label: label, ...at(9) }),
        /is none: `percent\(25\)`/,
        9,
      ] as const,
  ),
  ['external and override', product(keyed, { ...price, override: 'other', ...at(9) }), /Drop one of them/, 9],
  ['external and computed', product(keyed, { ...price, computed: true, ...at(9) }), /nothing for computed to say/, 9],
  [
    'provides on a scalar',
    product(keyed, { name: 'x', type: 'Int', provides: 'id', ...at(9) }),
    /this is Int\. Drop provides/,
    9,
  ],
  [
    'provides of no field',
    product(keyed, { name: 'maker', type: 'Maker', provides: 'nam', ...at(9) }),
    /"nam" is no field of Maker\. Did you mean "name"\?/,
    9,
  ],
  [
    'provides of what is not external',
    product(keyed, { name: 'maker', type: 'Maker', provides: 'id', ...at(9) }),
    /names Maker\.id, which is no external field/,
    9,
  ],
  [
    'requires without sql',
    product(keyed, price, { name: 'cost', type: 'Int', requires: 'price', ...at(9) }),
    /sql is missing\. Say how it is computed/,
    9,
  ],
  [
    'sql without requires',
    product(keyed, price, { name: 'cost', type: 'Int', sql: '1', ...at(9) }),
    /requires is missing/,
    9,
  ],
  [
    'requires of no field',
    product(keyed, price, cost({ requires: 'prise' })),
    /"prise" is no field of Product\. Did you mean "price"\?/,
    9,
  ],
  [
    'requires of what is here',
    product(keyed, price, cost({ requires: 'price sku', sql: '{price} || {sku}' })),
    /names Product\.sku, which is no external field/,
    9,
  ],
  ['requires where no key is', product({}, price, cost({})), /Product has no key by which it is found here/, 9],
  ['requires of a column', product(keyed, price, cost({ column: 'c' })), /nothing for column to say/, 9],
  [
    'sql of something else',
    product(keyed, price, size, cost({ requires: 'price size { width }', sql: '{price} + {size.height}' })),
    /sql has \{size\.height\}, which requires does not name\. It names: price, size, size\.width\./,
    9,
  ],
  [
    'provides that cannot be read',
    product(keyed, { name: 'maker', type: 'Maker', provides: 'name {', ...at(9) }),
    /^Product\.maker: provides "name \{" cannot be read: a brace is not closed\.$/,
    9,
  ],
  [
    'requires that cannot be read',
    product(keyed, price, cost({ requires: 'price {' })),
    /^Product\.cost: requires "price \{" cannot be read: a brace is not closed\.$/,
    9,
  ],
  [
    'sql that is more than one expression',
    product(keyed, price, cost({ sql: '{price}; DROP TABLE x' })),
    /sql: it is one expression, without ";"/,
    9,
  ],
]

for (const [what, type, message, line = 1] of WRONG) {
  t.test(what, async (t) => {
    const { faults, compiled } = compile(type)
    t.equal(compiled, null)
    const found = faults.filter((fault) => message.test(fault.message))
    t.equal(found.length, 1, faults.map((fault) => fault.message).join('\n'))
    t.match(found, [{ id: /^federation:/, place: { line } }])
  })
}

t.test('a fault is named after what is wrong', async (t) => {
  const ids = new Map<string, string[]>()
  for (const [what, type, message] of WRONG) {
    const { id = '' } = compile(type).faults.find((fault) => message.test(fault.message)) ?? {}
    ids.set(id, [...(ids.get(id) ?? []), what])
  }
  const whats = (pattern: RegExp) => WRONG.map(([what]) => what).filter((what) => pattern.test(what))
  t.strictSame(Object.fromEntries(ids), {
    'federation:key': [...whats(/^a key /), 'resolvable without keys'],
    'federation:interface-object': ['interface_object without a key'],
    'federation:tag': ['a tag that is none', 'a tag of a field'],
    'federation:directive': whats(/directive/),
    'federation:override': [...whats(/ label /), 'external and override'],
    'federation:external': ['external and computed'],
    'federation:provides': whats(/^provides /),
    'federation:requires': whats(/^requires |^sql /),
  })
})

t.test('a value that a field requires is used by its whole name, or as a part of what is used', async (t) => {
  const sizes: AuthoredField = { name: 'sizes', type: 'Int', external: true }
  const unused = (sql: string) =>
    compile(product(keyed, price, size, sizes, cost({ requires: 'price sizes size { width }', sql })))
      .warnings.filter(({ id }) => id === 'federation:requires')
      .map(({ message }) => /names (\S+), and sql does not use it/.exec(message)?.[1])
  t.strictSame(unused('{price} + {sizes} + {size.width}'), [])
  t.strictSame(unused('f({size}, {price}, {sizes})'), [], 'the object has it')
  t.strictSame(unused('{price} + {sizes}'), ['size.width'], 'another name that begins alike')
  t.strictSame(unused('1'), ['price', 'sizes', 'size.width'])
})

t.test('a service does not start with keys that its schema does not have', async (t) => {
  const { compiled } = compile(product(keyed, price, cost({})), { queries: [{ name: 'p', type: 'Maker' }] })
  const model = linkSchema(compiled!)
  const types = (block: object) =>
    entityTypes({ ...model, compiled: { ...model.compiled, plugins: { federation: { block } } } })
  const good = { entities: { Product: [['id']] }, required: { 'Product.cost': ['price'] }, marks: {} }
  t.strictSame([...types(good).keys()], ['Product'])
  const error = { message: 'There is no field nope, which the artifact names' }
  t.throws(() => types({ ...good, entities: { Product: [['nope']] } }), error)
  t.throws(() => types({ ...good, required: { 'Product.cost': ['nope'] } }), error)
})

t.test('a valid type compiles, and the artifact lists the required fields', async (t) => {
  const sql = 'coalesce({price}, 0) + {size.width}'
  const { faults, warnings, compiled } = compile(
    product(keyed, price, size, cost({ requires: 'price size { width }', sql })),
  )
  t.strictSame([faults, warnings.filter((one) => one.id.startsWith('federation'))], [[], []])
  t.match(compiled, {
    requires: ['federation'],
    plugins: {
      federation: {
        block: { entities: { Product: [[/^id$/]] }, required: { 'Product.cost': ['price', 'size.width'] } },
      },
    },
  })
  const unused = compile(product(keyed, price, size, cost({ requires: 'price size { width }' })))
  t.match(unused.warnings, [
    { id: 'federation:requires', message: /requires names size\.width, and sql does not use it/ },
  ])
})

t.test('an interface has the keys of its types', async (t) => {
  const media = { name: 'Media', fields: [id], key_fields: ['id'], ...at(5) }
  const type = product({ implements: ['Media'], keys: ['sku'] })
  t.match(compile(type, { interfaces: [media] }).faults, [
    {
      message: /^Interface "Media": it has the key "id", and Product, which implements it, does not/,
      place: { line: 5 },
    },
  ])
  t.strictSame(compile({ ...type, ...keyed }, { interfaces: [media] }).faults, [])
})

t.test('the configuration: keys of types, directives of the author', async (t) => {
  const entities = [{ name: 'Product', key_fields: ['id'] }]
  const { compiled } = compile(product({}), {}, { entities })
  t.match(compiled, {
    requires: ['federation'],
    plugins: { federation: { block: { entities: { Product: [[/^id$/]] } } } },
  })
  t.match(compile(product({}), {}, { entities: [{ name: 'Produkt', key_fields: ['id'] }] }).faults, [
    { message: '[[federation.entities]] names "Produkt", which is no type. Did you mean "Product"?' },
  ])
  const composed = (more: object) => {
    const directive = {
      name: '@owner',
      url: 'https://x.example/owner/v1.0',
      definition: 'directive @owner on OBJECT',
      ...more,
    }
    return compile(product({ directives: ['@owner'] }), {}, { compose_directives: [directive] }).faults
  }
  t.strictSame(composed({}), [])
  for (const url of ['https://x.example/owner/v1.0/', 'http://x/o/v0.10', 'https://x.example/a/b/_Own_er2/v12.3']) {
    t.strictSame(composed({ url }), [], url)
  }
  for (const url of [
    'https://x.example/owner',
    'https://x.example/owner/v1',
    'https://x.example/owner/1.0',
    'https://x.example/owner/v1.0//',
    'https://x.example/owner/v1.0x',
    'https://x.example/2owner/v1.0',
    'https://x.example/ow-ner/v1.0',
    'https:///owner/v1.0',
    'ftp://x.example/owner/v1.0',
    ' https://x.example/owner/v1.0',
    'https://x.exam ple/owner/v1.0',
  ])
    t.match(composed({ url }), [{ message: /is no address of a specification/ }], url)
  t.match(composed({ definition: 'directive @other on OBJECT' }), [{ message: /has to be that of one directive/ }])
  t.match(composed({ definition: 'directive owner' }), [{ message: /its definition cannot be read/ }])
  t.match(composed({ name: '@key' }), [{ message: /none of/ }, { message: /is a directive of the federation itself/ }])
})

t.test('a key is a way to rows that only queries have rules for', async (t) => {
  const queries = [{ name: 'products', type: '[Product!]!', inject: { owner: 'jwt:sub' } }]
  t.match(compile(product(keyed), { queries }).faults, [
    { id: 'open-rows', message: /rows are also reached by representations of its keys \(_entities\)/ },
  ])
  for (const more of [{ open: true }, { inject: { owner: 'jwt:sub' } }, { resolvable: false }]) {
    t.strictSame(compile(product({ ...keyed, ...more }), { queries }).faults, [])
  }
  const among = {
    unions: [{ name: 'Goods', members: ['Product'] }],
    queries: [{ name: 'goods', type: '[Goods!]!', sql_source: 'v_product', inject: { owner: 'jwt:sub' } }],
  }
  t.match(
    compile(product(keyed), among).faults,
    [{ id: 'open-rows', message: /of its query "goods" hold there only, and its rows are also reached by repres/ }],
    'the rules of a union are none of its types',
  )
  for (const more of [{ open: true }, { inject: { owner: 'jwt:sub' } }, { resolvable: false }]) {
    t.strictSame(compile(product({ ...keyed, ...more }), among).faults, [])
  }
})
