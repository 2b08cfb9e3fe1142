import t from 'tap'
import { definePlugin } from '../../core/doors/plugin.ts'
import { authored } from '../helpers/authored.ts'
import { compileArtifact, readCatalogFor } from '../helpers/compile-fixture.ts'
import { eachDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { SHOP_SQL, withDecorators } from './shop-schema.ts'

/** Options that no other test world uses, from the decorator to the database (docs/reference/options.md). */
t.setTimeout(180_000)

const id = (n: string) => `00000000-0000-0000-0000-${n.padStart(12, '0')}`
const { schema, link } = await authored(withDecorators)
/** Sets `context.maker`, as middleware would. */
const context = definePlugin({ name: 'context', version: '1.0.0', kernelApi: 1, description: 'test' }, (scope) => {
  scope.on('onRequest', (ctx, next) => {
    if (ctx.headers.maker !== undefined) ctx.context.maker = ctx.headers.maker
    return next()
  })
})

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(
      t,
      database,
      { ...schema, query_defaults: { offset: false } },
      {
        link,
        plugins: [{ plugin: context, options: {}, source: 'test' }],
        compile: { queryDefaults: { limit: false } },
      },
    )
    const data = async (query: string, variables?: object, headers?: Record<string, string>) => {
      const answer = await app.graphql(query, variables, headers)
      if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
      return answer.data
    }
    const typeOf = async (name: string) =>
      (
        await data(
          `query ($n: String!) { __type(name: $n) { description specifiedByURL
            fields(includeDeprecated: true) { name description isDeprecated deprecationReason type { kind name ofType { kind name } }
              args(includeDeprecated: true) { name description deprecationReason } }
            enumValues(includeDeprecated: true) { name description deprecationReason }
            inputFields(includeDeprecated: true) { name description defaultValue deprecationReason type { kind name ofType { name } } } } }`,
          { n: name },
        )
      ).__type
    const member = (list: { name: string }[], name: string) => list.find((one) => one.name === name)

    // proves: type.sql_source field.relation mapping.forward-reference mapping.nullable mapping.nullable-list
    await t.test('sources by default and by name, relations by declaration, what may be null', async (t) => {
      const { makers, items } = await data(
        '{ makers { name email items { name } } items { name tags maker { name } } }',
      )
      t.strictSame(makers, [
        { name: 'Ann', email: 'ann@example.org', items: [{ name: 'axe' }, { name: 'bow' }] },
        { name: 'Bob', email: null, items: [] },
      ])
      t.strictSame(items, [
        { name: 'axe', tags: ['sharp', 'old'], maker: { name: 'Ann' } },
        { name: 'bow', tags: null, maker: { name: 'Ann' } },
        { name: 'cup', tags: [], maker: null },
      ])
      const { fields } = await typeOf('Item')
      t.match(member(fields, 'tags'), { type: { kind: 'LIST', ofType: { kind: 'NON_NULL' } } })
      t.match(member(fields, 'maker'), { type: { kind: 'OBJECT', name: 'Maker' } })
    })

    // proves: argument.full_text
    await t.test('an argument searches a column of search words', async (t) => {
      const found = async (args: string) =>
        (await data(`{ searched(${args}, orderBy: [{ name: ASC }]) { name } }`)).searched.map(
          ({ name }: { name: string }) => name,
        )
      t.strictSame(await found('words: "wood"'), ['axe', 'bow'])
      t.strictSame(await found('words: "chopped woods"'), ['axe'], 'words are read in English')
      t.strictSame(await found('exact: "chopped"'), [], 'and as they are')
      t.strictSame(await found('exact: "wood"'), ['axe', 'bow'])
      t.strictSame(await found('words: "wood bends"'), ['bow'])
      t.strictSame(await found('phrase: "wood bends"'), [])
      t.strictSame(await found('phrase: "bends wood"'), ['bow'])
      t.strictSame(await found('search: "wood -bends"'), ['axe'])
      t.strictSame(await found('search: "water or chops", words: null'), ['axe', 'cup'])
      t.strictSame(await found(`words: "wood' ) OR true --"`), [], 'what clients say is bound')
      t.strictSame(await found('words: ""'), [])
      t.strictSame(await found('search: "\\"bends wood\\""'), ['bow'])
      const ranked = async (args: string) =>
        (await data(`{ searched(${args}) { name } }`)).searched.map(({ name }: { name: string }) => name)
      t.strictSame(await ranked('search: "wood or bends"'), ['axe', 'bow'], 'by the key')
      t.strictSame(await ranked('best: "wood or bends"'), ['bow', 'axe'], 'the best match first')
      t.strictSame(await found('best: "wood or bends"'), ['axe', 'bow'], 'the order that a client asks for goes first')
      t.strictSame(await ranked('best: null'), ['axe', 'bow', 'cup'])
    })

    // proves: mapping.semantic-scalars
    await t.test('a semantic scalar refuses what it is not, and filters by its parts', async (t) => {
      const { makers } = await data('{ makers(where: { email: { _domain_eq: "example.org" } }) { name } }')
      t.strictSame(makers, [{ name: 'Ann' }])
      const { errors } = await app.graphql('query ($e: Email) { makers(where: { email: { _eq: $e } }) { name } }', {
        e: 'no',
      })
      t.match(errors, [{ message: /"no".*Email/, extensions: { code: 'BAD_USER_INPUT' } }])
    })

    // proves: field.computed
    await t.test('a computed field is read from nothing, and neither filters nor sorts', async (t) => {
      t.strictSame((await data('{ makers { greeting } }')).makers, [{ greeting: null }, { greeting: null }])
      const { inputFields } = await typeOf('MakerWhereInput')
      t.ok(member(inputFields, 'name'))
      t.notOk(member(inputFields, 'greeting'))
      t.notOk(member((await typeOf('MakerOrderByInput')).inputFields, 'greeting'))
    })

    // proves: field.filter_type
    await t.test('filter_type: the filter input of another scalar', async (t) => {
      const { inputFields } = await typeOf('ItemWhereInput')
      t.match(member(inputFields, 'name'), { type: { name: 'IDFilter' } })
      const { makers } = await data('{ makers(where: { items: { some: { name: { _in: ["axe"] } } } }) { name } }')
      t.strictSame(makers, [{ name: 'Ann' }])
      const { errors } = await app.graphql('{ makers(where: { items: { some: { name: { _like: "a%" } } } }) { name } }')
      t.match(errors, [{ message: /"_like" is not defined by type "IDFilter"/ }])
      // No other field has this one: what it offers is what filter_type says, and nothing of the field's own type.
      const own = (await typeOf('UUIDFilter')).inputFields.map(({ name }: { name: string }) => name)
      t.strictSame(own, ['_eq', '_neq', '_in', '_nin', '_is_null', '_is_not_null'])
      const other = `{ sizes(where: { shade: { _neq: "${id('1')}" } }) { size } }`
      t.strictSame(await data(other), { sizes: [{ size: 1 }] }, 'operands are of that scalar')
      const none = await app.graphql('{ sizes(where: { shade: { _eq: "red" } }) { size } }')
      t.match(none.errors, [{ message: /UUID/ }])
    })

    // proves: query.id_arg query.row_filter
    await t.test('id_arg names what identifies the row, beside row_filter', async (t) => {
      const made = 'query ($key: ID!) { made(key: $key) { name } }'
      t.strictSame(await data(made, { key: id('2') }, { maker: '1' }), { made: { name: 'bow' } })
      t.strictSame(await data(made, { key: id('2') }, { maker: '2' }), { made: null })
      t.strictSame(await data(made, { key: id('9') }, { maker: '1' }), { made: null })
      t.match((await app.graphql(made, { key: id('2') })).errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
    })

    // proves: type.jsonb_column query.jsonb_column
    await t.test('jsonb_column of the type, and of a query', async (t) => {
      const { sizes, planned } = await data(
        '{ sizes(where: { size: { _gt: 1 } }, orderBy: [{ size: DESC }]) { size shade } planned(orderBy: [{ size: ASC }]) { size } }',
      )
      t.strictSame(sizes, [
        { size: 3, shade: null },
        { size: 2, shade: null },
      ])
      t.strictSame(planned, [{ size: 10 }, { size: 20 }, { size: 30 }])
    })

    // proves: interface.type_column union.type_column query.type_column
    await t.test('type_column of an interface, a union, and a query', async (t) => {
      const answer = await data(`{ named(orderBy: [{ name: ASC }]) { __typename name }
        told(orderBy: [{ name: ASC }]) { __typename name } either { __typename ... on Maker { name } } }`)
      const rows = [
        { __typename: 'Maker', name: 'Ann' },
        { __typename: 'Maker', name: 'Bob' },
        { __typename: 'Item', name: 'axe' },
        { __typename: 'Item', name: 'bow' },
        { __typename: 'Item', name: 'cup' },
      ]
      const byName = (list: { name: string }[]) => [...list].sort((a, b) => (a.name < b.name ? -1 : 1))
      t.strictSame(byName(answer.named), rows)
      t.strictSame(
        byName(answer.told),
        rows.map(({ name }) => ({ __typename: 'Maker', name })),
        'its own column',
      )
      t.equal(answer.either.filter((row: { __typename: string }) => row.__typename === 'Maker').length, 2)
    })

    // proves: scalar.parse scalar.parse_literal scalar.serialize
    await t.test('a custom scalar: parse of variables, parse_literal of literals, serialize of answers', async (t) => {
      t.strictSame((await data('{ items { sku } }')).items, [{ sku: 'AB-1' }, { sku: 'CD-2' }, { sku: null }])
      t.strictSame(await data('mutation ($c: Sku!) { echo(code: $c) }', { c: 'XY-9' }), { echo: 'XY-9' })
      t.strictSame(
        (await data('{ checked(sku: "CD-2") { name } }')).checked,
        [{ name: 'bow' }],
        'SQL gets what parse gave',
      )
      t.match((await app.graphql('mutation ($c: Sku!) { echo(code: $c) }', { c: 'x' })).errors, [
        { message: /a code looks like AB-1/, extensions: { code: 'BAD_USER_INPUT' } },
      ])
      for (const [literal, message] of [
        ['"x"', /a code looks like AB-1/],
        ['7', /a code stands in quotes/],
      ] as const) {
        t.match((await app.graphql(`mutation { echo(code: ${literal}) }`)).errors, [
          { message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
        ])
      }
    })

    // proves: scalar.validation_rules scalar.elo_expression
    await t.test(
      'a custom scalar without code: its rules and its expression, wherever a client gives a value',
      async (t) => {
        const document = 'mutation ($i: Scores!) { best(input: $i) }'
        t.strictSame(await data(document, { i: { scores: ['2.5', 10, '0.0'] } }), { best: '10' })
        t.strictSame(await data('mutation { best(input: {}) }'), { best: '1.5' })
        t.strictSame(await data('mutation { spell(code: "abc") }'), { spell: 'abc' })
        const spelt = await app.graphql('mutation ($c: Word!) { spell(code: $c) }', { c: 'ABC' })
        t.match(spelt.errors, [{ message: /"ABC" is no Word: Must match pattern/ }], 'rules without an expression')
        t.strictSame(
          (await data('{ found(where: { score: { _in: ["7.5", 9] } }, orderBy: [{ name: ASC }]) { name } }')).found,
          [{ name: 'axe' }, { name: 'bow' }],
        )
        t.strictSame(
          (await data('{ found(where: { name: { _eq: "cup" } }) { score } }')).found,
          [{ score: '99.9' }],
          'what is stored is not looked at',
        )
        for (const [value, what] of [
          ['10.5', 'Ten is the best'],
          ['-0.5', 'Value at least 0'],
          ['2.25', 'Must fulfil value % 0.5 == 0'],
        ] as const) {
          const message = `"${value}" is no Score: ${what}`
          const refused = { extensions: { code: 'BAD_USER_INPUT' } }
          const nested = await app.graphql(document, { i: { scores: ['1', value] } })
          t.match(nested.errors, [refused], value)
          t.ok((nested.errors?.[0]?.message ?? '').includes(message), message)
          t.match(nested.errors?.[0]?.message, /i\.scores\[1\]/, 'it says where')
          const filter = await app.graphql('query ($s: [Score!]) { found(where: { score: { _in: $s } }) { name } }', {
            s: [value],
          })
          t.match(filter.errors, [refused], `${value} in a filter`)
          const literal = await app.graphql(`{ found(where: { score: { _eq: "${value}" } }) { name } }`)
          t.match(literal.errors, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }], `${value} as a literal`)
          t.ok((literal.errors?.[0]?.message ?? '').includes(message), message)
        }
      },
    )

    // proves: query.validate
    await t.test('rules about the arguments of a query together', async (t) => {
      t.strictSame((await data('{ checked(pkItem: 1) { name } }')).checked, [{ name: 'axe' }])
      t.match((await app.graphql('{ checked { name } }')).errors, [
        { message: 'At least one of [sku, pk_item] must be provided', extensions: { code: 'VALIDATION_ERROR' } },
      ])
    })

    // proves: mapping.input-default input_field.default field.default mutation.sql_source
    await t.test('a default of an input: not null, may be left out, and reaches the function', async (t) => {
      const { inputFields } = await typeOf('NewItem')
      t.match(member(inputFields, 'rank'), { defaultValue: /^3$/, type: { kind: 'NON_NULL', ofType: { name: 'Int' } } })
      await data('mutation { addItem(input: { title: "dice" }) { name } }')
      await data('mutation ($i: NewItem!) { addItem(input: $i) { name } }', { i: { title: 'egg', rank: 7 } })
      t.strictSame(await data('mutation { a: rankOf(aTitle: "dice") b: rankOf(aTitle: "egg") }'), { a: 3, b: 7 })
      const { errors } = await app.graphql('mutation { addItem(input: { title: "x", rank: null }) { name } }')
      t.match(errors, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
    })

    // proves: mapping.mutation-non-null
    await t.test('a mutation that promises an object and has none is an error', async (t) => {
      const { fields } = await typeOf('Mutation')
      t.match(member(fields, 'nothing'), { type: { kind: 'NON_NULL', ofType: { name: 'Item' } } })
      const { data, errors } = await app.graphql('mutation { nothing { name } }')
      t.equal(data, null)
      t.match(errors, [{ path: ['nothing'], extensions: { code: 'NOT_FOUND' } }])
    })

    // proves: error.decorator type.is_error record.error-member
    await t.test('@error: a failure of the function is data', async (t) => {
      const order = `mutation ($s: String!) { placeOrder(sku: $s) { __typename ... on Maker { name } ... on OutOfStockError { message code leftOver } } }`
      t.strictSame(await data(order, { s: 'some' }), { placeOrder: { __typename: 'Maker', name: 'some' } })
      t.strictSame(await data(order, { s: 'none' }), {
        placeOrder: { __typename: 'OutOfStockError', message: 'None left', code: 'OUT_OF_STOCK', leftOver: 0 },
      })
      t.equal((await typeOf('OutOfStockError')).description, 'It is sold out')
    })

    // proves: config.query_defaults schema.query_defaults auto_params.inferred
    await t.test('[query_defaults] of svc.toml and of the schema, under what a query says', async (t) => {
      const { fields } = await typeOf('Query')
      const args = (name: string) =>
        (member(fields, name) as unknown as { args: { name: string }[] }).args.map((arg) => arg.name)
      t.strictSame(args('sizes'), ['where', 'orderBy'])
      t.strictSame(args('makers'), ['where', 'orderBy', 'limit'])
      t.strictSame(args('made'), ['key'])
      t.strictSame((await data('{ makers(limit: 1, orderBy: [{ name: DESC }]) { name } }')).makers, [{ name: 'Bob' }])
      t.match((await app.graphql('{ sizes(limit: 1) { size } }')).errors, [{ message: /Unknown argument "limit"/ }])
    })

    // proves: mutation.cascade
    await t.test('cascade is held to what the function can report', async (t) => {
      const catalog = await readCatalogFor(schema, app.database)
      const cascading = (name: string) => ({
        ...schema,
        mutations: (schema.mutations ?? []).map((one) => (one.name === name ? { ...one, cascade: true } : one)),
      })
      t.throws(
        () => compileArtifact(cascading('rankOf'), catalog),
        /"rankOf".* it has cascade, and its function gives no column "cascade"/,
      )
      t.equal(
        compileArtifact(cascading('placeOrder'), catalog).mutations.find((one) => one.cascade)?.name,
        'placeOrder',
      )
    })

    // proves: query.description query.deprecated argument.description argument.deprecated mutation.description
    // proves: mutation.deprecated input.description input_field.description input_field.deprecated enum.description
    // proves: enum_value.description enum_value.deprecated interface.description union.description scalar.description
    // proves: scalar.specified_by_url
    await t.test('descriptions and deprecations of every element reach introspection', async (t) => {
      const { fields: queries } = await typeOf('Query')
      t.match(member(queries, 'makers'), { description: 'All who make', isDeprecated: false })
      t.match(member(queries, 'items'), { deprecationReason: 'Use made', args: [{ deprecationReason: 'Old' }] })
      t.match(member(queries, 'made'), { args: [{ name: 'key', description: 'Its id' }] })
      const { fields: mutations } = await typeOf('Mutation')
      t.match(member(mutations, 'addItem'), { description: 'Adds one' })
      t.match(member(mutations, 'nothing'), { deprecationReason: 'Does nothing' })
      t.match(await typeOf('NewItem'), {
        description: 'A new item',
        inputFields: [{ description: 'On the label' }, { deprecationReason: 'Nobody ranks' }],
      })
      t.match(await typeOf('State'), {
        description: 'How worn it is',
        enumValues: [
          { name: 'NEW', description: 'Never used' },
          { name: 'USED', deprecationReason: 'Ask the maker' },
        ],
      })
      t.match(await typeOf('Named'), { description: 'What has a name' })
      t.match(await typeOf('Either'), { description: 'Either of them' })
      t.match(await typeOf('Sku'), { description: 'A code in capitals', specifiedByURL: 'https://example.org/sku' })
    })
  },
  { pglite: 'always', sql: SHOP_SQL },
)
