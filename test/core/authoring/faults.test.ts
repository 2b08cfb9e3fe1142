import t from 'tap'
import { collectSchema } from '../../../core/authoring/collect.ts'
import * as a from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'
import { SvcError } from '../../../core/base/errors/svc-error.ts'

const HERE = /^test[\\/]core[\\/]authoring[\\/]faults\.test\.ts:\d+:\d+: /

/** What plain JavaScript may hand in, and TypeScript would refuse. */
const wrong = (value: unknown): never => value as never

async function faultsOf(declare: () => unknown): Promise<string[]> {
  const error = await withFreshRegistry(async () => {
    declare()
    return collectSchema()
  }).then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof SvcError)) return []
  t.equal(error.code, 'SVC_SCHEMA_INVALID')
  const lines = error.message.split('\n')
  for (const line of lines) t.match(line, HERE, 'names the place')
  return lines.map((line) => line.replace(HERE, ''))
}

t.test('options', async (t) => {
  t.strictSame(
    await faultsOf(() => {
      a.query('users', a.String, wrong({ sqlSorce: 'v_user' }))
      a.query(
        'posts',
        a.String,
        wrong({ sqlSource: 7, cacheTtl: -1, autoParams: { were: true }, inject: { a: 'sub' } }),
      )
      a.type('T', wrong({ sql_source: 'v_t', relay: 'yes', implements: [7], fields: {} }))
      a.type('U', {
        fields: { x: a.field(a.String, wrong({ filterable: 'no', default: () => 1, validate: { minimum: 1 } })) },
      })
      a.input('V', {
        validate: wrong({ min: 1 }),
        fields: { x: a.field(a.String, { validate: { pattern: /a/i } }) },
      })
      a.type('R', { fields: { x: a.field(a.String, wrong({ relation: { from: 'x' } })) } })
      a.type('W', { fields: { x: a.field(a.Vector, wrong({ vectorConfig: { distanceMetric: 'cosin' } })) } })
      a.hierarchy('tree', wrong({ type: 'R', paths: 'x' }))
      a.input('I', { fields: { x: a.field(a.String, { requiresScope: 'read' }) } })
      a.mutation('go', a.String, wrong({ operation: 'MERGE', args: { x: { type: a.String, defalt: 1 } } }))
      a.scalar('S', wrong({ baseType: 'Decimal', parse: 7 }))
      a.query('opts', a.String, wrong([]))
    }),
    [
      `type "T" has no option "sql_source". Did you mean "sqlSource"? Options: name, description, sqlSource, jsonbColumn, key, implements, relay, embedded, database, dataplane, requiresRole, isError, keyFields, keys, resolvable, inaccessible, tags, extends, shareable, interfaceObject, directives, inject, rowFilter, open, aggregate, extra`,
      'option "implements" of type "T" wants a list of interfaces: classes, results of interface_(), or names',
      'option "relay" of type "T" wants true or false',
      'field "U.x" has no option "validate". Options: description, deprecated, default, requiresScope, requiresRole, onDeny, filterable, orderable, computed, searchable, filterType, filterOperators, hierarchy, vectorConfig, column, relation, authorize, external, shareable, inaccessible, tags, override, overrideLabel, provides, requires, sql, extra',
      'option "default" of field "U.x" wants a value that JSON can say',
      'option "filterable" of field "U.x" wants true or false',
      'option "relation" of field "R.x" wants an object with from, to, through',
      'option "vectorConfig" of field "W.x" wants an object with dimensions (a whole number), distanceMetric (cosine, l2, l1, inner_product, hamming, jaccard), or both',
      `option "validate" of input "V" wants a rule or a list of rules: 'required', or an object with required, pattern, length, minLength, maxLength, range, minimum, maximum, enum, checksum, custom, crossField, conditional, oneOf, anyOf, conditionalRequired, requiredIfAbsent, all, any, message: it has no "min".`,
      `option "validate" of input field "V.x" wants a rule or a list of rules: 'required', or an object with required, pattern, length, minLength, maxLength, range, minimum, maximum, enum, checksum, custom, crossField, conditional, oneOf, anyOf, conditionalRequired, requiredIfAbsent, all, any, message: the pattern /a/i has the flag "i", and patterns have none: write what it means into the expression, [Aa] say.`,
      'input field "I.x" has no option "requiresScope". Options: description, deprecated, default, validate, extra',
      'option "baseType" of scalar "S" wants a built-in scalar',
      'option "parse" of scalar "S" wants a function',
      'query "users" has no option "sqlSorce". Did you mean "sqlSource"? Options: description, deprecated, args, validate, sqlSource, inject, requiresRole, requiresScope, requiresPolicy, authenticated, apiKeyRequired, public, restPath, restMethod, database, extra, autoParams, relay, jsonbColumn, typeColumn, cacheTtl, cache, additionalViews, idArg, rowFilter, aggregate',
      'option "sqlSource" of query "posts" wants a text',
      'option "inject" of query "posts" wants an object like { owner_id: "jwt:sub" }',
      'option "autoParams" of query "posts" wants true or false or an object with where, orderBy, limit, offset, totalCount: it has no "were". Did you mean "where"?',
      'option "cacheTtl" of query "posts" wants a whole number from 0',
      'the options of query "opts" are not an object',
      'option "operation" of mutation "go" wants one of CREATE, UPDATE, DELETE, CUSTOM',
      'argument "x" of mutation "go" has no option "defalt". Did you mean "default"? Options: description, deprecated, default, validate, fullText',
      'hierarchy "tree" has no option "paths". Did you mean "path"? Options: type, path, id',
      `hierarchy "tree": the text "R" is not a type. Give the element itself, or ref('R')`,
    ],
  )
})

t.test('types that are none', async (t) => {
  class Plain {}
  const [, ...stale] = await Promise.all([
    null,
    withFreshRegistry(async () => a.type('Stale', { fields: { id: a.ID } })),
  ])
  t.strictSame(
    await faultsOf(() => {
      a.query('a', wrong(String))
      a.query('b', a.list(wrong(Number)))
      a.query('c', wrong(JSON))
      a.query('d', () => Plain)
      a.query('e', wrong(undefined))
      a.query('f', () => a.nullable(wrong('Post!')))
      a.query('g', wrong([a.String]))
      a.query('h', wrong(7))
      a.query('i', () => {
        throw new ReferenceError('x is not defined')
      })
      const endless = (): a.TypeSource => endless
      a.query('j', endless)
      a.query('k', stale[0] as a.TypeHandle)
      a.type('Sales', { fields: { id: a.ID } })
      a.query('n', a.list(a.ref('Sale')))
      a.query('l', a.String, { args: { x: wrong(null) } })
      a.query('m', wrong(class {}))
    }),
    [
      `the result of query "a": the global String is not a type. Import String from 'svc/authoring'`,
      `the result of query "b": the global Number is not a type. Import Int or Float from 'svc/authoring'`,
      `the result of query "c": the global JSON is not a type. Import JSON from 'svc/authoring'`,
      'the result of query "d": the class Plain is not declared: put @type, @input, @interface_, @enum_, @union or @scalar on it',
      'the result of query "e": undefined is not a type. What is declared further down, or in a module that imports this one, is given as a function: () => Post',
      'the result of query "f": the text "Post!" is not a type. Give the element itself, or ref(\'Post\')',
      'the result of query "g": an array is not a type. Write list(T)',
      'the result of query "h": a value of type number is not a type',
      'the result of query "i": the function given as type throws: x is not defined',
      'the result of query "j": the function given as type returns functions without end',
      'the result of query "k": type "Stale" is not declared. Did you mean "Sales"?',
      'the result of query "n": type "Sale" is not declared. Did you mean "Sales"?',
      'argument "x" of query "l": null is not a type',
      'the result of query "m": the class (without a name) is not declared: put @type, @input, @interface_, @enum_, @union or @scalar on it',
    ],
  )
})

t.test('names', async (t) => {
  const faults = await faultsOf(() => {
    a.type('User', { fields: { id: a.ID } })
    a.enum_('User', { A: 'a' })
    a.query('users', a.String)
    a.query('users', a.String)
    a.mutation('users', a.String)
    a.query('my-query', a.String)
    a.query('__type', a.String)
  })
  t.strictSame(
    faults.map((one) => one.replace(/at .*$/, 'at …')),
    [
      '"my-query" is not a name: letters, digits and _ only, no digit first, no "__" first',
      '"__type" is not a name: letters, digits and _ only, no digit first, no "__" first',
      'type "User" is declared twice, first at …',
      'query "users" is declared twice, first at …',
    ],
  )
})

t.test('decorators in the wrong place', async (t) => {
  t.strictSame(
    await faultsOf(() => {
      class A {
        @a.field(a.ID) static id: string
        @a.field(a.ID) #hidden!: string
        @(a.field(a.ID) as never as (value: unknown, context: ClassMethodDecoratorContext) => void) method() {
          return this.#hidden
        }
        @a.query(a.ID) #secret!: string
        other() {
          return this.#secret
        }
      }
      @(wrong(a.query(a.ID)) as (value: unknown, context: ClassDecoratorContext) => void)
      class B {
        @(wrong(a.type()) as (value: unknown, context: ClassFieldDecoratorContext) => void) x!: string
        @(wrong(a.enum_()) as (value: unknown, context: ClassFieldDecoratorContext) => void) y!: string
      }
      const legacy: (target: object, name: string) => void = wrong(a.field(a.ID))
      legacy({}, 'id')
      return [A, B]
    }),
    [
      '@field stands on the method "method". It belongs on a field',
      '@field stands on the static member "id"',
      '@field stands on the private member #hidden',
      '@query stands on the private member #secret',
      '@type stands on the field "x". It belongs on a class',
      '@enum_ stands on the field "y". It belongs on a class',
      '@query stands on the class "B". It belongs on a field',
      '@field is called in the old decorator style. Remove experimentalDecorators from the compiler options',
    ],
  )
})

t.test('elements without content', async (t) => {
  t.strictSame(
    await faultsOf(() => {
      class NoType {
        @a.field(a.ID) id!: string
      }
      a.type('A', wrong({ sqlSource: 'v_a' }))
      a.input('B', wrong(undefined))
      a.enum_('C', {})
      a.enum_('D', wrong({ A: 7 }))
      a.union('E', [])
      a.union('F', () => [wrong(a.list(a.String))])
      a.query('q', a.String, wrong({ args: [] }))
      return NoType
    }),
    [
      "type('A', …) wants { fields: { name: type, … } }",
      "input('B', …) wants { fields: { name: type, … } }",
      'the class of @field "id" carries no @type, @input or @interface_',
      'enum "C" has no values. Write { DRAFT: \'draft\', … }',
      'value "A" of enum "D" is neither a text nor an object with value, description, deprecated',
      'union "E" has no members. Write [Artist, Album]',
      'member 1 of union "F" is [String!]!, not an object type',
      'option "args" of query "q" wants an object like { id: ID }',
    ],
  )
})

t.test('collectSchema without declarations', async (t) => {
  const empty = await withFreshRegistry(async () => a.collectSchema())
  t.strictSame(empty, { version: '2.0.0', types: [], queries: [], mutations: [] })
})

t.test('rules that are none: which part of them, and what to write', async (t) => {
  const told = async (validate: unknown) => {
    const [fault] = await faultsOf(() => a.input('V', { fields: { x: a.field(a.String, wrong({ validate })) } }))
    return fault?.split('any, message')[1]
  }
  t.equal(await told({ minlength: 3 }), ': it has no "minlength". Did you mean "minLength"?')
  t.equal(await told({ min_length: 3 }), ': it has no "min_length". Did you mean "minLength"?')
  t.equal(await told('requird'), ': "requird" is no rule by itself, only \'required\' is.')
  t.equal(await told(/x/), ': a regular expression stands under its name: { pattern: /x/ }.')
  t.equal(await told([]), ': the list is empty.')
  t.equal(await told({}), ': the object is empty.')
  t.equal(await told({ pattern: '' }), ': pattern wants a regular expression, as text or as a literal.')
  t.match(
    await told(['required', { all: [{ minLength: 1 }, { pattern: /x/gi }] }]),
    /the pattern \/x\/gi has the flag "gi"/,
  )
  t.match(await told({ conditional: { condition: 'a', thenRules: [{ pattrn: 'x' }] } }), /it has no "pattrn"/)
})

t.test('a type that is written as a text', async (t) => {
  const told = async (type: unknown) =>
    (await faultsOf(() => a.type('T', { fields: { x: wrong(a.field(wrong(type))) } })))[0]
  t.match(
    await told('string'),
    /the text "string" is not a type\. Import String from 'svc\/authoring' and give String$/,
  )
  t.match(await told('[Int!]!'), /Import Int from 'svc\/authoring' and give list\(Int\)$/)
  t.match(await told('Post'), /Give the element itself, or ref\('Post'\)$/)
})

/** What TypeScript hands a decorator that stands without parentheses. */
const bare = (mark: unknown, kind: string): void =>
  (mark as (...given: unknown[]) => void)(undefined, { kind, name: 'm', metadata: {}, addInitializer() {} })

t.test('decorators without the parentheses that they need', async (t) => {
  const marks = [a.field, a.query, a.mutation, a.subscription, a.observer, a.validate] as const
  t.strictSame(
    await faultsOf(() => {
      for (const mark of marks) bare(mark, 'field')
      bare(a.union, 'class')
    }),
    [
      '@field stands on "m" without a type. Write @field(String)',
      '@query stands on "m" without a result. Write @query(list(Post), { … })',
      '@mutation stands on "m" without a result. Write @mutation(list(Post), { … })',
      '@subscription stands on "m" without a result. Write @subscription(list(Post), { … })',
      '@observer stands on "m" without options. Write @observer({ … })',
      '@validate stands on "m" without a rule. Write @validate({ minLength: 1 })',
      '@union stands on "m" without members. Write @union({ members: [Artist, Album] })',
    ],
  )
  t.match(
    (await faultsOf(() => a.query('q', wrong({ sqlSource: 'v' }))))[0],
    /an object is not a type\. The type stands first/,
  )
})

t.test('options by the names of older samples', async (t) => {
  const [query, inherited, mutation] = await faultsOf(() => {
    a.query('q', a.String, wrong({ cacheTtlSeconds: 5 }))
    a.mutation('m', a.String, wrong({ fnName: 'fn_m' }))
    a.query('r', a.String, wrong({ constructor: 1 }))
  })
  t.match(query, 'query "q" has no option "cacheTtlSeconds". Did you mean "cacheTtl"?')
  t.match(mutation, 'mutation "m" has no option "fnName". Did you mean "sqlSource"?')
  t.match(inherited, 'query "r" has no option "constructor". Options: ')
})

t.test('decorators with and without parentheses, where either will do', async (t) => {
  const schema = await withFreshRegistry(async () => {
    @a.scalar
    class Code {}
    @a.type({ sqlSource: 'v' })
    class T {
      @a.field(a.ID) id!: string
      @a.field(Code) code!: unknown
    }
    class Api {
      @a.authenticated() @a.query(() => T) one!: unknown
      @a.apiKeyRequired() @a.query(() => T) two!: unknown
      @a.authenticated @a.query(() => T) three!: unknown
    }
    new Api()
    return collectSchema()
  })
  t.match(schema.custom_scalars, [{ name: 'Code' }])
  t.match(schema.queries, [{ authenticated: true }, { api_key_required: true }, { authenticated: true }])
})
